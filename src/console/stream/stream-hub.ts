import type { PositionPort } from '../position-port.ts'
import { createPositionWatch } from './position-watch.ts'
import { eventText, type StreamSink } from './stream-sink.ts'

export type StreamHub = {
  /** Adds a reader; gives what takes it away again. */
  readonly join: (sink: StreamSink, positions: readonly string[]) => () => void
  readonly size: () => number
  /** Ends every connection. */
  readonly close: () => void
}

export type StreamHubParts = {
  readonly positions: readonly PositionPort[]
  readonly version: string
  readonly takesCommands: boolean
  readonly answerWithinMs: number
  readonly reportError: (error: unknown) => void
}

/** Positions are looked at this often while somebody listens. */
const TICK_MS = 250

type Reader = { readonly sink: StreamSink; readonly positions: ReadonlySet<string> }

/**
 * Looks at every position once a tick, however many read along, and only while somebody does: fifty consoles
 * cost a position what one costs.
 */
export function createStreamHub(parts: StreamHubParts): StreamHub {
  const { version, takesCommands, answerWithinMs, reportError } = parts
  const readers = new Set<Reader>()
  const watches = parts.positions.map((position) =>
    createPositionWatch({ position, answerWithinMs, reportError, send: (text) => send(position.name, text) }),
  )
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    for (const watch of watches) watch.look()
  }

  function send(position: string, text: string): void {
    for (const reader of readers) if (reader.positions.has(position)) reader.sink.send(text)
  }

  function leave(reader: Reader): void {
    readers.delete(reader)
    if (readers.size > 0) return
    clearInterval(timer)
    timer = undefined
    for (const watch of watches) watch.reset()
  }

  return {
    join(sink, positions) {
      const reader = { sink, positions: new Set(positions) }
      readers.add(reader)
      sink.send(eventText({ type: 'hello', version, now: Date.now(), positions, takesCommands }))
      for (const { name, latest } of watches) {
        const text = latest()
        if (text !== null && reader.positions.has(name)) sink.send(text)
      }
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
