import { SEVERITY_RANK } from '../../../core/alerts/entry.ts'
import type { StopPort } from '../../console/server/options.ts'
import { absentSummary, type PositionSummary } from '../../view/position-summary.ts'
import { createAbsentPort } from './position-client.ts'

/** What is wrong with the configuration of a position, as lists show it. */
export type ShownProblem = {
  readonly name: string
  readonly text: string
  /** The position that does not run because of it, for its stops. */
  readonly absent?: AbsentPosition
}
export type AbsentPosition = { readonly name: string; readonly store: string }

/** As in `PositionSummary`. */
const MOST_REASONS = 3

/**
 * The summaries with what is wrong with a position's file as its first reason. A position that runs continues with what
 * it had, which a person has to know; one that does not run has a line of its own.
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
  /** Takes the place of the problems that were shown before. */
  readonly showProblems: (problems: readonly ShownProblem[]) => void
  /** For the stops of positions that do not run because of a problem. */
  readonly absent: () => readonly StopPort[]
}

/** The summaries of positions with what is wrong with their configuration: what the console and the fleet's limits read. */
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
