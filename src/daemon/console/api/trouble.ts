import type { PositionSummary } from '../../view/position-summary.ts'

/** The state of a position in one word, the most urgent first. */
export const STANDINGS = [
  'halted',
  'silent',
  'not-ready',
  'critical',
  'warning',
  'reducing',
  'paused',
  'active',
] as const
export type ListStanding = (typeof STANDINGS)[number]

/** Returns the most severe state that applies. A position that does not run or does not answer counts as silent. */
export function listStandingOf(summary: PositionSummary): ListStanding {
  const { answered, tradingState, ready, severity, paused } = summary
  if (answered && tradingState === 'HALTED') return 'halted'
  if (!answered) return 'silent'
  if (!ready && severity !== 'info') return 'not-ready'
  if (severity === 'critical' || severity === 'warning') return severity
  if (paused) return 'paused'
  return tradingState === 'ACTIVE' ? 'active' : 'reducing'
}

const RANKS: Readonly<Record<ListStanding, number>> = Object.fromEntries(
  STANDINGS.map((standing, rank) => [standing, rank]),
) as Record<ListStanding, number>

/** Positions in trouble first; equal ones by name. */
export function byTrouble(one: PositionSummary, other: PositionSummary): number {
  return RANKS[listStandingOf(one)] - RANKS[listStandingOf(other)] || byName(one, other)
}

/** Natural order: desk-2 before desk-10. */
export function byName(one: PositionSummary, other: PositionSummary): number {
  return NAMES.compare(one.name, other.name)
}

const NAMES = new Intl.Collator('en', { numeric: true })
