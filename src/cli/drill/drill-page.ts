import { renderTable } from '../../research/report/markup.ts'
import { markup } from '../../base/text/markup.ts'
import type { DrillResult } from '../../simulator/drills/drill.ts'
import type { Peak } from '../../simulator/drills/model/peak.ts'
import { minuteText } from '../../base/text/times.ts'
import { peakText, secondsText } from './drill-table.ts'

const MARK = { passed: 'passed', failed: 'failed', 'not-applicable': 'not applicable' } as const

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
    MARK[status],
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
