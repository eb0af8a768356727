import { ASSETS } from '../../../base/money/asset.ts'
import { renderTable } from '../../report/markup.ts'
import { markup } from '../../../base/text/markup.ts'
import { decimalText } from '../../../base/text/numbers.ts'
import type { CloseBody } from '../document/document.ts'

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;border-bottom:1px solid #ddd;text-align:left;overflow-wrap:anywhere}
.n,td.number,th.number{text-align:right}.provisional{color:#b00020;font-weight:600}.dim{color:#666}
@media print{body{margin:0;max-width:none}}`
/** Decimals of the PnL sums; the document has every digit. */
const TZS_PLACES = 2
const USD_PLACES = 4

/** Returns a close as one page without script, to read or print. */
export function closePage(close: CloseBody): string {
  const { position, day, timezone, from, to, status, closedAt, software, previous, journal } = close
  const title = `Close of ${position}, ${day}`
  const statusLine =
    status === 'final'
      ? markup`<p>Final.</p>`
      : markup`<p class="provisional">Provisional: the day was not over. The final close replaces it.</p>`
  const facts = [
    ['day', `${from} to ${to} (${timezone})`],
    ['closed', `${closedAt} by mizani ${software}`],
    [
      'close before',
      previous === null ? 'none: this is the first one' : `${previous.day}, sha-256 ${previous.sha256}`,
    ],
    ['journal', `events ${journal.first} to ${journal.last}`],
    ['sha-256 of the events', journal.sha256 ?? 'not known: retention has dropped some of them'],
    ['head of the operators’ chain', close.operators.head],
    ...(close.fleet === undefined ? [] : [['closed together', close.fleet.join(', ')]]),
    ...(close.evidence === undefined
      ? []
      : [
          ['sha-256 of the configuration', close.evidence.configurationSha256],
          [
            'strategy of the configuration',
            `${close.evidence.strategy.use}, sha-256 ${close.evidence.strategy.sourceHash}`,
          ],
          ['packages', `${close.evidence.packages.file}, sha-256 ${close.evidence.packages.sha256}`],
          ...riskOf(close.evidence),
        ]),
  ]
  const page = markup`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style>
<h1>${title}</h1>
${statusLine}
${tablesOf(close, facts).map(([heading, head, rows]) => renderTable({ title: heading, head, rows }))}
<p class="dim">The signed document beside this page has every digit, every entry and every fill.</p>
</html>
`
  return page.html
}

type Table = readonly [title: string, head: readonly string[], rows: readonly (readonly string[])[]]

function tablesOf(close: CloseBody, facts: readonly (readonly string[])[]): readonly Table[] {
  return [
    ['What it covers', ['', ''], facts],
    ['Balances', ['place', 'token', 'opening', 'closing'], balancesOf(close)],
    ['Profit and loss', ['term', 'TZS', 'USD'], pnlOf(close)],
    [
      'Transfers and corrections',
      ['time', 'kind', 'reason', 'moved'],
      close.entries
        .filter(({ kind }) => kind !== 'fill')
        .map(({ at, kind, reason, postings }) => [at, kind, reason, movedOf(postings)]),
    ],
    [
      'Fills',
      ['booked', 'id', 'side', 'in', 'out', 'fee'],
      close.fills.map((fill) => [
        String(fill['postedAt']),
        String(fill['id']),
        String(fill['side']),
        `${String(fill['amountIn'])} ${String(fill['inAsset'])}`,
        `${String(fill['amountOut'])} ${String(fill['outAsset'])}`,
        String(fill['fee']),
      ]),
    ],
    ['At the end of the day', ['', ''], standingOf(close)],
    [
      'Open orders',
      ['reserved', 'order', 'side', 'dollars', 'TZS per USD', 'expires'],
      close.openOrders.map(({ reservedAt, salt, side, usd, stable, priceTzs, expiresAt }) => [
        reservedAt,
        salt,
        side,
        `${usd} ${stable}`,
        priceTzs,
        expiresAt,
      ]),
    ],
    withdrawalsOf(close),
    ...treasuryOf(close),
    [
      'Operators',
      ['time', 'who', 'command', 'answer', 'reason'],
      close.operators.actions.map(({ at, who, command, accepted, answer, why }) => [
        at,
        who,
        `${command}${accepted ? '' : ' (refused)'}`,
        answer,
        why,
      ]),
    ],
    ...controlsOf(close),
  ]
}

function riskOf({ risk }: NonNullable<CloseBody['evidence']>): readonly (readonly string[])[] {
  if (risk === undefined) return []
  if (risk === null) return [['risk', 'unknown']]
  const losses = risk.losses.map(({ name, usd, tzs }) => `${name}: ${usd} USD, ${tzs} TZS`)
  const title = `expected shortfall (99 %) at ${risk.at}${risk.isCalibrated ? '' : ', not calibrated'}`
  return [[title, losses.join('; ')]]
}

function controlsOf({ evidence }: CloseBody): readonly Table[] {
  if (evidence === undefined) return []
  const rows = evidence.controls.map(({ name, rules, value, lastDrill }) => [
    name,
    rules.join(', '),
    value ?? 'MISSING',
    lastDrill === null
      ? 'never'
      : `${lastDrill.name} ${lastDrill.passed ? 'passed' : 'FAILED'} ${lastDrill.at.slice(0, 10)}`,
  ])
  return [['Controls when it was closed', ['control', 'rule', 'set to', 'last drill'], rows]]
}

function balancesOf({ accounts: { opening, closing } }: CloseBody): readonly (readonly string[])[] {
  return (['pool', 'wallet'] as const).flatMap((place) =>
    ASSETS.map((asset) => [place, asset, opening[place][asset], closing[place][asset]]).filter(
      ([, , before, after]) => before !== '0' || after !== '0',
    ),
  )
}

function pnlOf({ pnl, mids }: CloseBody): readonly (readonly string[])[] {
  if (pnl === null) return []
  const { tzs, usd } = pnl
  const row = (term: string, inTzs: string | null, inUsd: string | null) => [
    term,
    inTzs === null ? '' : decimalText(inTzs, TZS_PLACES),
    inUsd === null ? '' : decimalText(inUsd, USD_PLACES),
  ]
  return [
    row('value at the start', tzs.opening, usd.opening),
    row('openings', tzs.openings, usd.openings),
    row('transfers', tzs.transfers, usd.transfers),
    row('spread capture', tzs.spreadCapture, null),
    row('stale mid', tzs.staleMid, null),
    row('edge', null, usd.edge),
    row('inventory', tzs.inventory, usd.inventory),
    row('costs', tzs.costs, usd.costs),
    row('unreconciled', tzs.unreconciled, usd.unreconciled),
    row('total of the terms', tzs.total, usd.total),
    row('value at the end', tzs.closing, usd.closing),
    ['residual', tzs.residual, usd.residual],
    ['mid, TZS per USD', `${mids.opening ?? 'none'} to ${mids.closing ?? 'none'}`, ''],
  ]
}

function movedOf(postings: CloseBody['entries'][number]['postings']): string {
  return postings.map(({ account, asset, amount }) => `${account} ${amount} ${asset}`).join('; ')
}

function standingOf({ standing }: CloseBody): readonly (readonly string[])[] {
  const { tradingState, isActive, reconciliation, quote, strategy } = standing
  return [
    ['trading state', tradingState ?? 'unknown'],
    ['in the market', isActive === null ? 'unknown' : isActive ? 'yes' : 'no'],
    [
      'reconciliation',
      reconciliation === null ? 'unknown' : `${reconciliation.state}: ${reconciliation.why}`,
    ],
    [
      'live quote',
      quote === null ? 'none' : `bid ${String(quote['bidBps'])} bps, ask ${String(quote['askBps'])} bps`,
    ],
    ['strategy', strategy === null ? 'unknown' : `${strategy.use}, sha-256 ${strategy.sourceHash}`],
  ]
}

function withdrawalsOf({ withdrawals = [] }: CloseBody): Table {
  return [
    'Withdrawals under way',
    ['since', 'key', 'amount', 'to', 'requested by', 'stage'],
    withdrawals.map(({ since, key, amount, asset, to, who, stage, leavesAt }) => [
      since,
      key ?? 'none',
      `${amount} ${asset}`,
      to ?? 'not known',
      who ?? 'not known',
      leavesAt === null ? stage : `${stage}, leaves at ${leavesAt}`,
    ]),
  ]
}

function treasuryOf({ treasury }: CloseBody): readonly Table[] {
  if (treasury === null) return []
  return [
    [
      'Treasury',
      ['account', 'token', 'opening', 'closing'],
      treasury.accounts.map(({ account, asset, opening, closing }) => [account, asset, opening, closing]),
    ],
    [
      'Open intents, transit and claims',
      ['intent', 'why', 'route', 'stage', 'legs'],
      treasury.open.map(({ intent, rule, route, stage, legs }) => [
        intent,
        rule,
        route,
        stage,
        legs.map((leg) => `${leg.kind} ${leg.amount} ${leg.asset}: ${leg.stage}`).join('; '),
      ]),
    ],
  ]
}
