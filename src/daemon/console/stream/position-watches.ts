import type { PositionNews, PositionPort } from '../position-port.ts'
import { within } from '../server/ask-position.ts'
import { eventText } from './stream-sink.ts'

/** Polls one position once for all readers. */
type PositionWatch = {
  readonly name: string
  /** Asks the position unless a call is in progress, and sends the news. */
  readonly look: () => void
  /** Returns the state as last sent, for readers that join; null = none. */
  readonly latest: () => string | null
  /** Called when the last reader has left: an answer that is still expected is discarded. */
  readonly reset: () => void
}

type PositionWatchesParts = {
  readonly answerWithinMs: number
  readonly reportError: (error: unknown) => void
  /** Takes the messages of a position as text. */
  readonly send: (position: string, text: string) => void
}

/** An unchanged view is sent again after this time; with a tick and an answer, that is within two seconds. */
const FRESH_MS = 1_500
/** Precedes every notice. */
const FIRST_NOTICE = '0.0'

type Seen = { text: string | null; sentAt: number; seq: number | null; notice: string | null }

/** Serializes each message once for all readers. */
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
    // Discard the answer if the readers that it was requested for have left.
    if (before !== seen) return
    if (look === null) sendSilence()
    else sendNews(look)
  }

  function sendNews({ view, notices, lastNotice }: PositionNews): void {
    if (seen.notice !== null)
      for (const notice of notices) send(eventText({ type: 'notice', position: name, notice }))
    seen.notice = lastNotice ?? seen.notice ?? FIRST_NOTICE
    if (view === null) return
    seen.seq = view.lastSeq
    seen.text = eventText({ type: 'state', position: name, view })
    seen.sentAt = Date.now()
    send(seen.text)
  }

  function sendSilence(): void {
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

/** The watches of all positions that have readers. */
type PositionWatches = {
  /** Polls these positions, and drops the watches of all others. */
  readonly look: (wanted: readonly PositionPort[]) => void
  /** Returns the last sent states. */
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
