import { formatTokens } from '../../../base/money/asset.ts'
import { decimalText } from '../../../base/text/numbers.ts'
import { timeText } from '../../../base/text/times.ts'
import type { Statement } from '../../../treasury/statement/month-statement.ts'
import { markup, type Markup } from '../../../base/text/markup.ts'

const STYLE = {
  html: `body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
table{border-collapse:collapse;width:100%;margin:1rem 0 2rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .6rem;border-bottom:1px solid #ddd;text-align:right}
th:nth-child(-n+2),td:nth-child(-n+2){text-align:left}
.bad{color:#b00020;font-weight:600}.dim{color:#666}code{word-break:break-all}
@media print{body{margin:0;max-width:none}}`,
}

/** Returns the month as one HTML page without script, for a file or a printer. */
export function statementHtml(position: string, made: Statement, head: string): string {
  const amount = (value: bigint, asset: Statement['lines'][number]['asset']) =>
    decimalText(formatTokens(value, asset), 2)
  const accounts = made.lines.map(({ account, asset, opening, came, left, closing }) => [
    account,
    asset,
    ...[opening, came, left, closing].map((value) => amount(value, asset)),
  ])
  const ties = made.ties.map(({ with: whom, what, asset, ours, theirs, residual }) => [
    `${whom}: ${what}`,
    asset,
    amount(ours, asset),
    amount(theirs, asset),
    formatTokens(residual, asset),
  ])
  const movements = made.movements.map(({ t, reason, account, asset, amount: moved, balance, intent }) => [
    timeText(t),
    `${reason}${intent === '' ? '' : ` (${intent})`}`,
    account,
    asset,
    amount(moved, asset),
    amount(balance, asset),
  ])
  const title = `Treasury of ${position}, ${made.month}`
  const verdict = made.isTied ? 'Residual 0' : markup`<span class="bad">The residual is not 0</span>`
  return markup`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style>
<h1>${title}</h1>
<p>${verdict}. Amounts in whole tokens, rounded to two places; residuals are exact.</p>
${tableOf(['account', 'token', 'opening', 'came', 'left', 'closing'], accounts)}
<h2>Compared with</h2>
${tableOf(['with', 'token', 'ours', 'theirs', 'residual'], ties)}
${made.untied.map((words) => markup`<p class="dim">${words}</p>\n`)}<h2>Movements</h2>
${tableOf(['time', 'reason', 'account', 'token', 'amount', 'balance'], movements)}
<p class="dim">Chain of movements: <code>${head}</code></p>
</html>
`.html
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): Markup {
  return markup`<table><tr>${head.map((cell) => markup`<th>${cell}</th>`)}</tr>
${rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</table>`
}
