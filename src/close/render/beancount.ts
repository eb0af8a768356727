import { ASSETS } from '../../money/asset.ts'
import { nextDay } from '../document/day-span.ts'
import { ACCOUNTS, type Account, type CloseBody } from '../document/document.ts'
import { assertedOf, pairsOf, plain } from './hledger.ts'

type Asset = (typeof ASSETS)[number]

const ROOTS: Readonly<Record<Account, readonly [root: string, leaf: string]>> = {
  pool: ['Assets', 'Pool'],
  wallet: ['Assets', 'Wallet'],
  opening: ['Equity', 'Opening'],
  trading: ['Equity', 'Trading'],
  fees: ['Expenses', 'Fees'],
  external: ['Equity', 'External'],
  adjustments: ['Equity', 'Adjustments'],
}

/** A day for beancount, as `dayHledger` writes it; the balances are those of the next morning. `booksBeancount` opens the accounts. */
export function dayBeancount(close: CloseBody): string {
  const { position, day, timezone, status, previous, accounts, entries, mids } = close
  const posting = (account: Account, asset: Asset, amount: string) =>
    `  ${nameOf(account, position)}  ${amount} ${symbolOf(asset)}`
  const openings = previous === null ? pairsOf(accounts.opening) : []
  const blocks = [
    `; mizani close of ${position}, ${day} (${timezone}), ${status}`,
    ...(mids.closing === null ? [] : [pricesOf(day, mids.closing)]),
    ...(openings.length === 0
      ? []
      : [[`${day} * "opening"`, ...openings.map(([...of]) => posting(...of))].join('\n')]),
    ...entries.map(({ number, seq, kind, reason, postings }) =>
      [
        `${day} * "${plain(kind)}" "${plain(reason)}"`,
        `  entry: ${number}`,
        `  event: ${seq}`,
        ...postings.map(({ account, asset, amount }) => posting(account, asset, amount)),
      ].join('\n'),
    ),
    assertedOf(close)
      .map(
        ([account, asset, amount]) =>
          `${nextDay(day)} balance ${nameOf(account, position)}  ${amount} ${symbolOf(asset)}`,
      )
      .join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** All days of a folder as one set of books; the accounts are open from the first day on. */
export function booksBeancount(position: string, days: readonly string[]): string {
  const [first = ''] = days
  const blocks = [
    [`option "title" "${position}"`, ...ASSETS.map((asset) => `${first} commodity ${symbolOf(asset)}`)],
    ACCOUNTS.map((account) => `${first} open ${nameOf(account, position)}`),
    days.map((day) => `include "${day}.beancount"`),
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** A part of an account begins with a capital and has letters, digits and dashes. */
function nameOf(account: Account, position: string): string {
  const [root, leaf] = ROOTS[account]
  const part = position.replaceAll(/[^A-Za-z0-9-]/g, '-')
  return `${root}:${part.slice(0, 1).toUpperCase()}${part.slice(1)}:${leaf}`
}

function pricesOf(day: string, mid: string): string {
  return ASSETS.filter((asset) => asset !== 'NTZS')
    .map((asset) => `${day} price ${symbolOf(asset)} ${mid} NTZS`)
    .join('\n')
}

/** A commodity of beancount has capitals only. */
function symbolOf(asset: Asset): string {
  return asset.toUpperCase()
}
