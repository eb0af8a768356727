import type { PositionSummary } from '../../view/position-summary.ts'
import type { PositionPort } from '../position-port.ts'
import { createListWatch } from './list-watch.ts'
import { createPositionWatch, type PositionWatch } from './position-watch.ts'
import { eventText, type StreamSink } from './stream-sink.ts'

/** What a reader wants to follow. */
export type StreamWish = {
  /** The states and notices of these positions; null = of all, also of those that come later. */
  readonly positions: ReadonlySet<string> | null
  /** A line for every position. */
  readonly list: boolean
}

export type StreamHub = {
  /** Adds a reader; gives what takes it away again. */
  readonly join: (sink: StreamSink, wish: StreamWish) => () => void
  readonly size: () => number
  /** Ends every connection. */
  readonly close: () => void
}

export type StreamHubParts = {
  /** As they are now: positions come and go. */
  readonly positions: readonly PositionPort[]
  readonly summaries: () => Promise<readonly PositionSummary[]>
  readonly version: string
  readonly takesCommands: boolean
  readonly answerWithinMs: number
  readonly reportError: (error: unknown) => void
}

/** Positions are looked at this often while somebody listens to them, and the list at every fourth tick. */
const TICK_MS = 250
const LIST_TICKS = 4

type Reader = {
  readonly sink: StreamSink
  readonly wish: StreamWish
  /** A change of the list was left out for it: it needs the whole one. */
  isBehind: boolean
}

/**
 * Looks at a position once a tick, however many read along, and only while somebody does: fifty consoles cost a
 * position what one costs, and a page that shows one of five hundred costs the others nothing.
 */
export function createStreamHub(parts: StreamHubParts): StreamHub {
  const { version, takesCommands, answerWithinMs, reportError } = parts
  const readers = new Set<Reader>()
  const watches = new Map<PositionPort, PositionWatch>()
  const list = createListWatch({ summaries: parts.summaries, reportError, send: sendList })
  let timer: NodeJS.Timeout | undefined
  let ticks = 0

  function tick(): void {
    const wanted = parts.positions.filter(({ name }) => isWanted(name))
    for (const position of watches.keys()) if (!wanted.includes(position)) forget(position)
    for (const position of wanted) watchOf(position).look()
    if (ticks % LIST_TICKS === 0 && [...readers].some(({ wish }) => wish.list)) list.look()
    ticks += 1
  }

  function isWanted(name: string): boolean {
    for (const { wish } of readers) if (wants(wish, name)) return true
    return false
  }

  function watchOf(position: PositionPort): PositionWatch {
    const before = watches.get(position)
    if (before !== undefined) return before
    const { name } = position
    const send = (text: string) => {
      for (const { sink, wish } of readers) if (wants(wish, name)) sink.send(text)
    }
    const watch = createPositionWatch({ position, answerWithinMs, reportError, send })
    watches.set(position, watch)
    return watch
  }

  function forget(position: PositionPort): void {
    watches.get(position)?.reset()
    watches.delete(position)
  }

  function sendList(text: string): void {
    for (const reader of readers) {
      if (!reader.wish.list) continue
      const message = reader.isBehind ? (list.whole() ?? text) : text
      reader.isBehind = !reader.sink.send(message)
    }
  }

  function showList(reader: Reader): void {
    const whole = list.whole()
    if (whole === null) list.look()
    else reader.isBehind = !reader.sink.send(whole)
  }

  function leave(reader: Reader): void {
    readers.delete(reader)
    if (![...readers].some(({ wish }) => wish.list)) list.reset()
    if (readers.size > 0) return
    clearInterval(timer)
    timer = undefined
    ticks = 0
    for (const position of watches.keys()) forget(position)
  }

  return {
    join(sink, wish) {
      const reader = { sink, wish, isBehind: false }
      readers.add(reader)
      const positions = parts.positions
        .map(({ name }) => name)
        .filter((name) => wish.list || wants(wish, name))
      sink.send(eventText({ type: 'hello', version, now: Date.now(), positions, takesCommands }))
      for (const { name, latest } of watches.values()) {
        const text = latest()
        if (text !== null && wants(wish, name)) sink.send(text)
      }
      if (wish.list) showList(reader)
      timer ??= setInterval(tick, TICK_MS)
      tick()
      return () => leave(reader)
    },
    size: () => readers.size,
    close() {
      // Leaving while the set is walked is what sets allow.
      for (const reader of readers) {
        leave(reader)
        reader.sink.end()
      }
    },
  }
}

function wants({ positions }: StreamWish, name: string): boolean {
  return positions === null || positions.has(name)
}
