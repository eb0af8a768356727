import type { DrillResult } from '../../simulator/drills/drill.ts'
import type { Peak } from '../../simulator/drills/model/peak.ts'
import { alignColumns } from '../output/tables.ts'
import { printable } from '../../base/printable.ts'
import { renderTable } from '../../research/report/markup.ts'
import { markup } from '../../base/text/markup.ts'
import { minuteText } from '../../base/text/times.ts'

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
function secondsText(ms: number | null): string {
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

function peakText({ fillsPerMinute, usdPerMinute, requestsPerMinute, source }: Peak): string {
  return `${fillsPerMinute} fills, ${usdPerMinute.toFixed(0)} USD and ${requestsPerMinute} requests a minute, from ${source}`
}

/** Log text may contain text of the venue. */
function shown(text: string): string {
  const line = printable(text.split('\n')[0] ?? '')
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line
}

const PAGE_MARK = { passed: 'passed', failed: 'failed', 'not-applicable': 'not applicable' } as const

/** Returns the report as one HTML page without script, for a file or a printer. */
export function drillPage(
  position: string,
  peak: Peak,
  results: readonly DrillResult[],
  at: number,
  notes: readonly string[] = [],
): string {
  const overview = results.map(({ name, what, status, noticeMs, safeMs, costUsd }) => [
    name,
    what,
    PAGE_MARK[status],
    secondsText(noticeMs),
    secondsText(safeMs),
    costUsd === null ? '-' : costUsd.toFixed(2),
  ])
  const told = results.flatMap(({ name, noticed, told: messages }) => [
    ...(noticed === null ? [] : [[name, 'log', '', noticed]]),
    ...messages.map(({ afterMs, severity, what }) => [name, severity, secondsText(afterMs), what]),
  ])
  const open = results.flatMap(({ name, why, advice, safeMeans }) =>
    why === null ? [] : [[name, safeMeans, why, advice ?? '']],
  )
  const title = `Drills of ${position}`
  return `<!doctype html>
${
  markup`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
table{border-collapse:collapse;width:100%;margin:1rem 0 2rem;font-variant-numeric:tabular-nums}
th,td{padding:.35rem .6rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
.number{text-align:right;white-space:nowrap}small{color:#595959}
@media print{body{margin:0;max-width:none}}</style></head>
<body><h1>${title}</h1>
<p>${minuteText(at)} UTC, on the simulated venue with the strategy and limits of the configuration. Peak: ${peakText(peak)}.${notes.map((note) => ` Note: ${note}.`).join('')}</p>
${renderTable({ title: 'Nights', head: ['drill', 'what happened', 'result', 'noticed', 'safe', 'cost USD'], rows: overview })}
${renderTable({ title: 'What was received', head: ['drill', 'by', 'after', 'message'], rows: told })}
${renderTable({ title: 'What failed or does not apply', head: ['drill', 'safe when', 'why', 'what would help'], rows: open })}
</body></html>
`.html
}`
}
