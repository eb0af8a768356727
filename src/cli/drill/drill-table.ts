import type { DrillResult } from '../../simulator/drills/drill.ts'
import type { Peak } from '../../simulator/drills/model/peak.ts'
import { alignColumns } from '../output/tables.ts'
import { printable } from '../../base/printable.ts'

const HEAD = ['drill', 'result', 'noticed', 'safe', 'cost USD'] as const
const MARK = { passed: 'passed', failed: 'FAILED', 'not-applicable': 'n/a' } as const
const MOST_CHARACTERS = 200

/** Returns the report for a terminal: one row per drill, then each drill's events, notifications and advice, and the notes. */
export function drillTable(
  results: readonly DrillResult[],
  peak: Peak,
  notes: readonly string[] = [],
): string {
  const rows = results.map((result) => [
    result.name,
    MARK[result.status],
    secondsText(result.noticeMs),
    secondsText(result.safeMs),
    result.costUsd === null ? '-' : result.costUsd.toFixed(2),
  ])
  const table = alignColumns([HEAD, ...rows], (column) => column < 2)
  const played = results.filter(({ status }) => status !== 'not-applicable')
  const passed = played.filter(({ status }) => status === 'passed').length
  const summary = `${passed} of ${played.length} passed, ${results.length - played.length} do not apply`
  const shownNotes = notes.map((note) => `note: ${note}`)
  return [...table, '', ...results.flatMap((result) => detailOf(result, peak)), ...shownNotes, summary].join(
    '\n',
  )
}

/** `-` = did not happen. */
export function secondsText(ms: number | null): string {
  return ms === null ? '-' : `${(ms / 1_000).toFixed(1)} s`
}

function detailOf(result: DrillResult, peak: Peak): string[] {
  const { name, what, safeMeans, faultMs, why, noticed, told, advice } = result
  const lines = [`${name}: ${what}`, `  safe when: ${safeMeans}`]
  if (faultMs > 0)
    lines.push(
      `  the fault lasts ${secondsText(faultMs)}: the time allowed until it is safe starts at its end`,
    )
  if (name === 'double-peak') lines.push(`  peak: ${peakText(peak)}`)
  if (why !== null) lines.push(`  ${result.status === 'failed' ? 'failed' : 'not applicable'}: ${shown(why)}`)
  if (noticed !== null) lines.push(`  noticed: ${shown(noticed)}`)
  const [first] = told
  if (first !== undefined) {
    const more = told.length > 1 ? ` (and ${told.length - 1} more)` : ''
    lines.push(`  told after ${secondsText(first.afterMs)}, ${first.severity}: ${shown(first.what)}${more}`)
  }
  if (advice !== null) lines.push(`  what would help: ${advice}`)
  return [...lines, '']
}

export function peakText({ fillsPerMinute, usdPerMinute, requestsPerMinute, source }: Peak): string {
  return `${fillsPerMinute} fills, ${usdPerMinute.toFixed(0)} USD and ${requestsPerMinute} requests a minute, from ${source}`
}

/** Log text may contain text of the venue. */
function shown(text: string): string {
  const line = printable(text.split('\n')[0] ?? '')
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line
}
