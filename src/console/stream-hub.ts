import type { NoticeRow } from './api-types.ts'
import type { Look, PositionPort } from './position-port.ts'
import { eventText, type StreamSink } from './stream-sink.ts'
import { within } from './within.ts'

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

/** A view goes out when it changed, at most this often ... */
const TICK_MS = 250
/** ... and when it did not, after this long: with a tick and an answer it is within two seconds. */
const FRESH_MS = 1_500

type Reader = { readonly sink: StreamSink; readonly positions: ReadonlySet<string> }

type Watch = {
  readonly position: PositionPort
  /** The state as it was sent last, for those who join. */
  text: string | null
  sentAt: number
  seq: number | null
  notice: string | null
  asking: boolean
}

/**
 * Asks every position once a tick, however many read along, and only while somebody does: fifty consoles
 * cost a position what one costs. A message is made into text once.
 */
export function createStreamHub(parts: StreamHubParts): StreamHub {
  const watches = parts.positions.map((position) => createWatch(position))
  const readers = new Set<Reader>()
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    for (const watch of watches) if (!watch.asking) void ask(watch)
  }

  async function ask(watch: Watch): Promise<void> {
    watch.asking = true
    const isStale = Date.now() - watch.sentAt >= FRESH_MS
    const since = { seq: isStale ? null : watch.seq, notice: watch.notice }
    const look = await within(parts.answerWithinMs, () => watch.position.look(since), parts.reportError)
    watch.asking = false
    if (look === null) tellSilence(watch)
    else tell(watch, look)
  }

  function tell(watch: Watch, { view, notices, lastNotice }: Look): void {
    const { name } = watch.position
    if (watch.notice !== null) for (const notice of notices) tellNotice(name, notice)
    watch.notice = lastNotice ?? watch.notice ?? FIRST_NOTICE
    if (view === null) return
    watch.seq = view.lastSeq
    watch.text = eventText({ type: 'state', position: name, view })
    watch.sentAt = Date.now()
    send(name, watch.text)
  }

  function tellNotice(position: string, notice: NoticeRow): void {
    send(position, eventText({ type: 'notice', position, notice }))
  }

  function tellSilence(watch: Watch): void {
    const { name, health } = watch.position
    watch.text = null
    watch.seq = null
    send(name, eventText({ type: 'silent', position: name, why: health().why ?? 'it is busy or starting' }))
  }

  function send(position: string, text: string): void {
    for (const reader of readers) if (reader.positions.has(position)) reader.sink.send(text)
  }

  function leave(reader: Reader): void {
    readers.delete(reader)
    if (readers.size > 0) return
    clearInterval(timer)
    timer = undefined
    // Nobody hears of notices now: who comes next begins with the ones that come then.
    for (const watch of watches) Object.assign(watch, createWatch(watch.position))
  }

  return {
    join(sink, positions) {
      const reader = { sink, positions: new Set(positions) }
      readers.add(reader)
      const { version, takesCommands } = parts
      sink.send(eventText({ type: 'hello', version, now: Date.now(), positions, takesCommands }))
      for (const { position, text } of watches) {
        if (text !== null && reader.positions.has(position.name)) sink.send(text)
      }
      timer ??= setInterval(tick, TICK_MS)
      tick()
      return () => leave(reader)
    },
    size: () => readers.size,
    close() {
      for (const reader of [...readers]) {
        leave(reader)
        reader.sink.end()
      }
    },
  }
}

/** Before every notice there is. */
const FIRST_NOTICE = '0.0'

function createWatch(position: PositionPort): Watch {
  return { position, text: null, sentAt: 0, seq: null, notice: null, asking: false }
}
