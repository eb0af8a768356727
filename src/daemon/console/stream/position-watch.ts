import type { PositionNews, PositionPort } from '../position-port.ts'
import { eventText } from './stream-sink.ts'
import { within } from '../server/ask-position.ts'

/** One position as it is followed for all readers together. */
export type PositionWatch = {
  readonly name: string
  /** Asks the position, unless it is being asked, and sends what is new. */
  readonly look: () => void
  /** The state as it was sent last, for those who join; null = none. */
  readonly latest: () => string | null
  /** No one listens any longer: who comes next begins anew. */
  readonly reset: () => void
}

type PositionWatchParts = {
  readonly position: PositionPort
  readonly answerWithinMs: number
  readonly reportError: (error: unknown) => void
  /** Takes messages as text. */
  readonly send: (text: string) => void
}

/** A view goes out when it changed, and when it did not, after this long: with a tick and an answer in two seconds. */
const FRESH_MS = 1_500
/** Before every notice there is. */
const FIRST_NOTICE = '0.0'

type Seen = { text: string | null; sentAt: number; seq: number | null; notice: string | null }

/** Follows one position. A message is made into text once, however many read it. */
export function createPositionWatch(parts: PositionWatchParts): PositionWatch {
  const { position, send } = parts
  const { name } = position
  let seen = nothingSeen()
  let isAsking = false

  async function ask(): Promise<void> {
    const before = seen
    const isStale = Date.now() - seen.sentAt >= FRESH_MS
    const since = { seq: isStale ? null : seen.seq, notice: seen.notice }
    const look = await within(parts.answerWithinMs, () => position.look(since), parts.reportError)
    isAsking = false
    // What was asked for readers who have left is nothing to those who came since.
    if (before !== seen) return
    if (look === null) tellSilence()
    else tell(look)
  }

  function tell({ view, notices, lastNotice }: PositionNews): void {
    if (seen.notice !== null)
      for (const notice of notices) send(eventText({ type: 'notice', position: name, notice }))
    seen.notice = lastNotice ?? seen.notice ?? FIRST_NOTICE
    if (view === null) return
    seen.seq = view.lastSeq
    seen.text = eventText({ type: 'state', position: name, view })
    seen.sentAt = Date.now()
    send(seen.text)
  }

  function tellSilence(): void {
    seen.text = null
    seen.seq = null
    const why = position.health().why ?? 'it is busy or starting'
    send(eventText({ type: 'silent', position: name, why }))
  }

  return {
    name,
    look() {
      if (isAsking) return
      isAsking = true
      void ask()
    },
    latest: () => seen.text,
    reset: () => void (seen = nothingSeen()),
  }
}

function nothingSeen(): Seen {
  return { text: null, sentAt: 0, seq: null, notice: null }
}
