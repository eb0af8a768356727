import { listStandingOf, type ListStanding } from '../../api/trouble.ts'
import type { PositionSummary } from '../../../view/position-summary.ts'
import { sentence, type ShownStanding } from './standing.tsx'

const WORDS: Readonly<Record<ListStanding, string | null>> = {
  halted: 'HALTED',
  silent: 'SILENT',
  'not-ready': 'NOT READY',
  critical: null,
  warning: null,
  reducing: 'REDUCING',
  paused: 'PAUSED',
  active: 'ACTIVE',
}

const TONES: Readonly<Record<ListStanding, ShownStanding['tone']>> = {
  halted: 'bad',
  silent: 'bad',
  'not-ready': 'warn',
  critical: 'bad',
  warning: 'warn',
  reducing: 'warn',
  paused: 'warn',
  active: 'good',
}

/** Returns the state of a listed position, like `standing` for a whole view. */
export function listStanding(summary: PositionSummary): ShownStanding {
  const standing = listStandingOf(summary)
  const { mode, tradingState, severity, why } = summary
  const isAbsent = standing === 'silent' && mode === null
  const word = isAbsent ? 'NOT RUNNING' : (WORDS[standing] ?? tradingState ?? 'WAITING')
  const isGrave = standing === 'not-ready' && severity === 'critical'
  const [first] = why
  return {
    word,
    tone: isGrave ? 'bad' : TONES[standing],
    // A place in a file keeps its capitals.
    reason: first === undefined ? quotingOf(summary) : isAbsent ? first : sentence(first),
  }
}

function quotingOf({ bidBps, askBps, outstandingUsd, paused }: PositionSummary): string {
  if (paused) return 'An operator paused it.'
  if (bidBps !== null && askBps !== null) return 'Quoting both sides.'
  if (bidBps !== null || askBps !== null) return `Quoting the ${bidBps === null ? 'ask' : 'bid'} only.`
  return Number(outstandingUsd ?? 0) > 0 ? 'Orders are placed.' : 'No quote is confirmed.'
}
