import type { PositionSummary } from '../../view/position-summary.ts'
import type { PositionPort } from '../position-port.ts'
import { createListWatch } from './list-watch.ts'
import { createPositionWatches } from './position-watches.ts'
import { eventText, type StreamSink } from './stream-sink.ts'
import { runEvery } from '../../../base/threads/timing.ts'

/** What a reader follows. */
export type StreamWish = {
  /** The states and notices of these positions; null = of all, including positions that are added later. */
  readonly positions: ReadonlySet<string> | null
  /** A line for every position. */
  readonly list: boolean
}

export type StreamHub = {
  /** Adds a reader; returns the function that removes it. */
  readonly join: (sink: StreamSink, wish: StreamWish) => () => void
  readonly size: () => number
  /** Ends every connection. */
  readonly close: () => void
}

type StreamHubParts = {
  /** The current positions; the list changes as positions are added and removed. */
  readonly positions: readonly PositionPort[]
  readonly summaries: () => Promise<readonly PositionSummary[]>
  readonly version: string
  readonly takesCommands: boolean
  readonly answerWithinMs: number
  readonly reportError: (error: unknown) => void
}

/** Positions with readers are polled at this interval, the list at every fourth tick. */
const TICK_MS = 250
const LIST_TICKS = 4

type Reader = {
  readonly sink: StreamSink
  readonly wish: StreamWish
  /** It missed a change of the list and needs the whole list. */
  isBehind: boolean
}

/**
 * Polls a position once a tick for all its readers, and only while it has any: fifty consoles cost a position as much as
 * one, and a page that shows one of 500 positions costs the others nothing.
 */
export function createStreamHub(parts: StreamHubParts): StreamHub {
  const readers = new Set<Reader>()
  const watches = createPositionWatches({ ...parts, send: sendPosition })
  const list = createListWatch({ ...parts, send: sendList })
  let timer: NodeJS.Timeout | undefined
  let ticks = 0

  function tick(): void {
    watches.look(parts.positions.filter(({ name }) => anyReader(({ wish }) => wants(wish, name))))
    if (ticks % LIST_TICKS === 0 && anyReader(({ wish }) => wish.list)) list.look()
    ticks += 1
  }

  function anyReader(does: (reader: Reader) => boolean): boolean {
    for (const reader of readers) if (does(reader)) return true
    return false
  }

  function sendPosition(position: string, text: string): void {
    for (const { sink, wish } of readers) if (wants(wish, position)) sink.send(text)
  }

  function sendList(text: string): void {
    for (const reader of readers) {
      if (!reader.wish.list) continue
      reader.isBehind = !reader.sink.send(reader.isBehind ? (list.whole() ?? text) : text)
    }
  }

  function leave(reader: Reader): void {
    readers.delete(reader)
    if (!anyReader(({ wish }) => wish.list)) list.reset()
    if (readers.size > 0) return
    clearInterval(timer)
    timer = undefined
    ticks = 0
    watches.look([])
  }

  function join(sink: StreamSink, wish: StreamWish): () => void {
    const reader = { sink, wish, isBehind: false }
    readers.add(reader)
    greet(reader, parts)
    for (const { name, text } of watches.latest()) if (wants(wish, name)) sink.send(text)
    if (wish.list) showList(reader)
    timer ??= runEvery(tick, TICK_MS)
    tick()
    return () => leave(reader)
  }

  function showList(reader: Reader): void {
    const whole = list.whole()
    if (whole === null) list.look()
    else reader.isBehind = !reader.sink.send(whole)
  }

  return { join, size: () => readers.size, close: () => endAll(readers, leave) }
}

/** The first message of every connection. */
function greet({ sink, wish }: Reader, { positions, version, takesCommands }: StreamHubParts): void {
  const shown = positions.filter(({ name }) => wish.list || wants(wish, name)).map(({ name }) => name)
  sink.send(eventText({ type: 'hello', version, now: Date.now(), positions: shown, takesCommands }))
}

function endAll(readers: ReadonlySet<Reader>, leave: (reader: Reader) => void): void {
  // A Set may be changed while it is iterated.
  for (const reader of readers) {
    leave(reader)
    reader.sink.end()
  }
}

function wants({ positions }: StreamWish, name: string): boolean {
  return positions === null || positions.has(name)
}
