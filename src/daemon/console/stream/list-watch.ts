import type { Ms } from '../../../base/time.ts'
import type { PositionSummary } from '../../view/position-summary.ts'
import { eventText } from './stream-sink.ts'

/** Polls the list of positions once for all readers. */
type ListWatch = {
  /** Requests the summaries unless a request is in progress, and sends the changes. */
  readonly look: () => void
  /** Returns the whole list as last sent, for readers that join or missed a message; null = none yet. */
  readonly whole: () => string | null
  /** Called when the last reader has left: the next one starts with the whole list. */
  readonly reset: () => void
}

type ListWatchParts = {
  readonly summaries: () => Promise<readonly PositionSummary[]>
  readonly reportError: (error: unknown) => void
  /** Takes messages as text. */
  readonly send: (text: string) => void
}

/** The longest time without a message: a quiet fleet must not look like a lost connection. */
const HEARTBEAT_MS: Ms = 1_500
/** Readers advance the age of a mid themselves; a larger difference is sent. */
const AGE_TOLERANCE_MS: Ms = 2_000

type Sent = { readonly summary: PositionSummary; readonly text: string; readonly at: Ms }

/** Sends only changes of the list: 500 quiet positions cost a reader one line every two seconds. */
export function createListWatch({ summaries, reportError, send }: ListWatchParts): ListWatch {
  let sent = new Map<string, Sent>()
  let sentAt = 0
  let isAsking = false

  async function ask(): Promise<void> {
    const before = sent
    try {
      const now = await summaries()
      // Discard the answer if the readers that it was requested for have left.
      if (before === sent) sendChanges(now, Date.now())
    } catch (error) {
      reportError(error)
    } finally {
      isAsking = false
    }
  }

  function sendChanges(now: readonly PositionSummary[], at: Ms): void {
    const whole = sent.size === 0
    const changed = now.filter((summary) => isNews(sent.get(summary.name), summary, at))
    const names = new Set(now.map(({ name }) => name))
    const gone = [...sent.keys()].filter((name) => !names.has(name))
    for (const name of gone) sent.delete(name)
    for (const summary of changed) sent.set(summary.name, { summary, text: comparable(summary), at })
    if (changed.length + gone.length === 0 && at - sentAt < HEARTBEAT_MS) return
    sentAt = at
    send(eventText({ type: 'summaries', whole, positions: changed, gone }))
  }

  return {
    look() {
      if (isAsking) return
      isAsking = true
      void ask()
    },
    whole() {
      if (sent.size === 0) return null
      const positions = Array.from(sent.values(), ({ summary }) => summary)
      return eventText({ type: 'summaries', whole: true, positions, gone: [] })
    },
    reset() {
      sent = new Map()
      sentAt = 0
    },
  }
}

function isNews(before: Sent | undefined, summary: PositionSummary, at: Ms): boolean {
  if (before === undefined || before.text !== comparable(summary)) return true
  const { midAgeMs } = before.summary
  if (midAgeMs === null || summary.midAgeMs === null) return midAgeMs !== summary.midAgeMs
  return Math.abs(midAgeMs + (at - before.at) - summary.midAgeMs) > AGE_TOLERANCE_MS
}

/** Returns the summary as text, without the fields that change with every event or second. */
function comparable({ seq: _seq, midAgeMs: _age, ...rest }: PositionSummary): string {
  return JSON.stringify(rest)
}
