import { SEVERITY_RANK } from '../../../core/alerts/entry.ts'
import type { StopPort } from '../../console/server/options.ts'
import { absentSummary, type PositionSummary } from '../../view/position-summary.ts'
import { createAbsentPort } from './console-port.ts'

/** A configuration problem of a position, as shown in lists. */
export type ShownProblem = {
  readonly name: string
  readonly text: string
  /** The position that the problem prevents from running; it can still be stopped. */
  readonly absent?: AbsentPosition
}
export type AbsentPosition = { readonly name: string; readonly store: string }

/** Same limit as in `PositionSummary`. */
const MOST_REASONS = 3

/**
 * Adds each file problem as the first reason of its position's summary. A running position continues with its old configuration, which the
 * operator has to know; a position that does not run gets a line.
 */
function withProblems(
  summaries: readonly PositionSummary[],
  problems: readonly ShownProblem[],
): readonly PositionSummary[] {
  if (problems.length === 0) return summaries
  const texts = new Map<string, string[]>()
  for (const { name, text } of problems) texts.set(name, [...(texts.get(name) ?? []), text])
  const shown = summaries.map((summary) => {
    const own = texts.get(summary.name)
    texts.delete(summary.name)
    return own === undefined ? summary : withReasons(summary, own)
  })
  return [...shown, ...[...texts].map(([name, own]) => withReasons(absentSummary(name, '', null), own))]
}

function withReasons(summary: PositionSummary, own: readonly string[]): PositionSummary {
  const { why, severity } = summary
  const isGraver = severity !== null && SEVERITY_RANK[severity] > SEVERITY_RANK.warning
  return {
    ...summary,
    severity: isGraver ? severity : 'warning',
    why: [...new Set([...own, ...why])].filter((text) => text !== '').slice(0, MOST_REASONS),
  }
}

export type Summaries = {
  readonly read: () => Promise<readonly PositionSummary[]>
  /** Replaces the problems shown before. */
  readonly showProblems: (problems: readonly ShownProblem[]) => void
  /** Ports for stopping positions that a problem keeps from running. */
  readonly absent: () => readonly StopPort[]
}

/** Creates the summaries with configuration problems, for the console and the fleet's limits. */
export function createSummaries(positions: {
  readonly summaries: () => Promise<readonly PositionSummary[]>
  readonly find: (name: string) => unknown
}): Summaries {
  let problems: readonly ShownProblem[] = []
  return {
    read: async () => withProblems(await positions.summaries(), problems),
    showProblems: (shown) => void (problems = shown),
    absent: () =>
      problems.flatMap(({ text, absent: of }) =>
        of === undefined || positions.find(of.name) !== undefined
          ? []
          : [createAbsentPort(of.name, of.store, text)],
      ),
  }
}
