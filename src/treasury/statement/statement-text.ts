import { csvLine } from '../../base/csv-text.ts'
import { formatTokens, TOKEN_DECIMALS } from '../../base/money/asset.ts'
import { padDecimals } from '../../base/money/decimal-text.ts'
import type { TreasuryAsset } from '../model/place.ts'
import { civilDayOf, civilDayText, minuteOf } from '../policy/calendar/civil-day.ts'
import type { Statement, StatementLine, StatementMovement } from './month-statement.ts'

/** The books' accounts in beancount. Outside accounts belong to the LP too, so they are assets there. */
const BEANCOUNT: Readonly<Record<string, string>> = {
  pool: 'Assets:Position:Pool',
  lpWallet: 'Assets:Position:Wallet',
  treasury: 'Assets:Treasury',
  platform: 'Assets:Platform',
  float: 'Assets:Float',
  transit: 'Assets:Transit',
  claim: 'Assets:Claims',
  bank: 'Assets:Outside:Bank',
  phone: 'Assets:Outside:Phone',
  opening: 'Equity:Opening',
  external: 'Equity:External',
  trading: 'Income:Trading',
  railCosts: 'Expenses:Rails',
  conversion: 'Equity:Conversions',
  unreconciled: 'Equity:Unreconciled',
}

/** Returns lines, movements and ties as one CSV text whose first column names the kind. Amounts are exact decimals. */
export function statementCsv(statement: Statement): string {
  const { lines, movements, ties, untied } = statement
  const rows: (readonly string[])[] = [
    ['kind', 'time (EAT)', 'account', 'token', 'opening', 'came', 'left', 'closing', 'intent', 'reason'],
    ...lines.map(({ account, asset, opening, came, left, closing }) => [
      'account',
      '',
      account,
      asset,
      ...[opening, came, left, closing].map((amount) => formatTokens(amount, asset)),
      '',
      '',
    ]),
    ...movements.map(movementRow),
    ...ties.map(({ with: whom, what, asset, ours, theirs, residual }) => [
      'tie',
      '',
      `${whom}: ${what}`,
      asset,
      formatTokens(ours, asset),
      '',
      formatTokens(residual, asset),
      formatTokens(theirs, asset),
      '',
      residual === 0n ? 'residual 0' : 'the residual is not 0',
    ]),
    ...untied.map((words) => ['untied', '', '', '', '', '', '', '', '', words]),
  ]
  return rows.map(csvLine).join('')
}

function movementRow({
  t,
  intent,
  reason,
  account,
  asset,
  amount,
  balance,
}: StatementMovement): readonly string[] {
  const [came, left] = amount > 0n ? [formatTokens(amount, asset), ''] : ['', formatTokens(-amount, asset)]
  return [
    'movement',
    momentText(t),
    account,
    asset,
    '',
    came,
    left,
    formatTokens(balance, asset),
    intent,
    reason,
  ]
}

/**
 * Returns the month as a beancount file: openings from equity, one transaction per entry, and a balance assertion for
 * each asset on the first day of the next month, so that `bean-check` proves the closing.
 */
export function statementBeancount(statement: Statement): string {
  const { month, from, to, lines, movements } = statement
  const first = civilDayText(civilDayOf(from))
  const openings = lines.filter(({ opening }) => opening !== 0n)
  const accounts = [...new Set([...lines.map(({ account }) => nameOf(account)), 'Equity:Opening'])].sort()
  const assets = lines.filter(({ account }) => nameOf(account).startsWith('Assets:'))
  const text = [
    `option "title" "Treasury ${month}"`,
    ...accounts.map((account) => `${first} open ${account}`),
    ...(openings.length === 0
      ? []
      : ['', `${first} * "Opening of ${month}"`, ...openings.flatMap(openingRows)]),
    ...transactionsOf(movements),
    '',
    ...assets.map(
      ({ account, asset, closing }) =>
        `${civilDayText(civilDayOf(to))} balance ${nameOf(account)} ${amountText(closing, asset, ' ~ 0')}`,
    ),
  ]
  return `${text.join('\n')}\n`
}

/** Returns an account's opening. All accounts sum to zero per token, and so does the transaction. */
function openingRows({ account, asset, opening }: StatementLine): readonly string[] {
  return [`  ${nameOf(account)}  ${amountText(opening, asset)}`]
}

/** Returns one transaction per entry: its postings sum to zero per token, which beancount checks again. */
function transactionsOf(movements: readonly StatementMovement[]): readonly string[] {
  let before: number | null = null
  return movements.flatMap(({ entry, t, intent, reason, account, asset, amount }) => {
    const posting = `  ${nameOf(account)}  ${amountText(amount, asset)}`
    if (entry === before) return [posting]
    before = entry
    return ['', `${civilDayText(civilDayOf(t))} * "${quoted(intent)}" "${quoted(reason)}"`, posting]
  })
}

/**
 * Returns one canonical text line per movement for a hash chain: each hash covers the line and the previous hash, so a
 * change to a line changes all later hashes.
 */
export function statementChain({ movements }: Statement): readonly string[] {
  return movements.map(({ entry, t, intent, reason, account, asset, amount, balance }) =>
    JSON.stringify([entry, t, intent, reason, account, asset, amount.toString(), balance.toString()]),
  )
}

function nameOf(account: string): string {
  return Object.hasOwn(BEANCOUNT, account)
    ? BEANCOUNT[account]!
    : `Assets:Other:X${account.replaceAll(/[^A-Za-z0-9-]/g, '-')}`
}

/** beancount derives its tolerance from an amount's decimals: with all of them even one unit is outside it. */
function amountText(amount: bigint, asset: TreasuryAsset, tolerance = ''): string {
  return `${padDecimals(formatTokens(amount, asset), TOKEN_DECIMALS[asset])}${tolerance} ${asset}`
}

function quoted(text: string): string {
  return text.replaceAll(/["\\\r\n]/g, ' ')
}

function momentText(t: number): string {
  const minute = minuteOf(t)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${civilDayText(civilDayOf(t))} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
