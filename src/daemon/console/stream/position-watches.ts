import type { PositionNews, PositionPort } from '../position-port.ts'
import { within } from '../server/ask-position.ts'
import { eventText } from './stream-sink.ts'

/** One position as it is followed for all readers together. */
type PositionWatch = {
  readonly name: string
  /** Asks the position, unless it is being asked, and sends what is new. */
  readonly look: () => void
  /** The state as it was sent last, for those who join; null = none. */
  readonly latest: () => string | null
  /** No one listens any longer: who comes next begins anew. */
  readonly reset: () => void
}

type PositionWatchesParts = {
  readonly answerWithinMs: number
  readonly reportError: (error: unknown) => void
  /** Takes the messages of a position as text. */
  readonly send: (position: string, text: string) => void
}

/** A view goes out when it changed, and when it did not, after this long: with a tick and an answer in two seconds. */
const FRESH_MS = 1_500
/** Before every notice there is. */
const FIRST_NOTICE = '0.0'

type Seen = { text: string | null; sentAt: number; seq: number | null; notice: string | null }

/** Follows one position. A message is made into text once, however many read it. */
function createPositionWatch(position: PositionPort, parts: PositionWatchesParts): PositionWatch {
  const { name } = position
  const send = (text: string) => parts.send(name, text)
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

/** The positions that someone follows, each watched once however many do. */
type PositionWatches = {
  /** Looks at these, and forgets all others: who follows one of them later begins anew. */
  readonly look: (wanted: readonly PositionPort[]) => void
  /** The states that were sent last. */
  readonly latest: () => readonly { readonly name: string; readonly text: string }[]
}

export function createPositionWatches(parts: PositionWatchesParts): PositionWatches {
  const watches = new Map<PositionPort, PositionWatch>()

  function watchOf(position: PositionPort): PositionWatch {
    const before = watches.get(position)
    if (before !== undefined) return before
    const watch = createPositionWatch(position, parts)
    watches.set(position, watch)
    return watch
  }

  return {
    look(wanted) {
      for (const [position, watch] of watches) {
        if (wanted.includes(position)) continue
        watch.reset()
        watches.delete(position)
      }
      for (const position of wanted) watchOf(position).look()
    },
    latest: () =>
      Array.from(watches.values()).flatMap(({ name, latest }) => {
        const text = latest()
        return text === null ? [] : [{ name, text }]
      }),
  }
}
