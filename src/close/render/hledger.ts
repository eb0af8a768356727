import { ASSETS, DECIMALS } from '../../money/asset.ts'
import { ACCOUNTS, type Account, type CloseBody } from '../document/document.ts'

type Asset = (typeof ASSETS)[number]

const NAMES: Readonly<Record<Account, (position: string) => string>> = {
  pool: (position) => `assets:${position}:pool`,
  wallet: (position) => `assets:${position}:wallet`,
  opening: (position) => `equity:${position}:opening`,
  trading: (position) => `equity:${position}:trading`,
  fees: (position) => `expenses:${position}:fees`,
  external: (position) => `equity:${position}:external`,
  adjustments: (position) => `equity:${position}:adjustments`,
}

/**
 * A day for hledger: its entries, the venue's mid as a price, and an assertion for what each account holds at the end.
 * The first day of a folder opens the accounts. `booksHledger` declares what `hledger check --strict` asks for.
 */
export function dayHledger(close: CloseBody): string {
  const { position, day, timezone, status, previous, accounts, entries, mids } = close
  const posting = (account: Account, asset: Asset, amount: string) =>
    `    ${NAMES[account](position)}  ${amount} ${symbolOf(asset)}`
  const openings = previous === null ? pairsOf(accounts.opening) : []
  const blocks = [
    `; mizani close of ${position}, ${day} (${timezone}), ${status}`,
    ...(mids.closing === null ? [] : [pricesOf(day, mids.closing)]),
    ...(openings.length === 0
      ? []
      : [[`${day} * opening`, ...openings.map(([...of]) => posting(...of))].join('\n')]),
    ...entries.map(({ number, seq, kind, reason, postings }) =>
      [
        `${day} * (${number}) ${plain(kind)} ${plain(reason)}  ; event ${seq}`,
        ...postings.map(({ account, asset, amount }) => posting(account, asset, amount)),
      ].join('\n'),
    ),
    [
      `${day} * balances at the end`,
      ...assertedOf(close).map(
        ([account, asset, amount]) => `${posting(account, asset, '0')} = ${amount} ${symbolOf(asset)}`,
      ),
    ].join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** All days of a folder as one set of books: commodities and accounts, then the days in order. */
export function booksHledger(position: string, days: readonly string[]): string {
  const commodities = ASSETS.map(
    (asset) => `commodity 1000.${'0'.repeat(DECIMALS[asset])} ${symbolOf(asset)}`,
  )
  const accounts = ACCOUNTS.map((account) => `account ${NAMES[account](position)}`)
  const blocks = [commodities, accounts, days.map((day) => `include ${day}.hledger`)]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** What the accounts hold at the end: all of our own, and what another one holds or held. */
export function assertedOf({ accounts }: CloseBody): readonly (readonly [Account, Asset, string])[] {
  const { opening, closing } = accounts
  return ACCOUNTS.flatMap((account) =>
    ASSETS.flatMap((asset): (readonly [Account, Asset, string])[] => {
      const amount = closing[account][asset]
      const isOurs = account === 'pool' || account === 'wallet'
      return isOurs || amount !== '0' || opening[account][asset] !== '0' ? [[account, asset, amount]] : []
    }),
  )
}

/** What accounts hold, without what is empty. */
export function pairsOf(
  accounts: CloseBody['accounts']['opening'],
): readonly (readonly [Account, Asset, string])[] {
  return ACCOUNTS.flatMap((account) =>
    ASSETS.flatMap((asset): (readonly [Account, Asset, string])[] => {
      const amount = accounts[account][asset]
      return amount === '0' ? [] : [[account, asset, amount]]
    }),
  )
}

/** A word that no reader of accounts takes for a sign of its own: texts of entries name what the venue wrote. */
export function plain(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,+()/%-]+/gu, ' ').trim()
}

function pricesOf(day: string, mid: string): string {
  return ASSETS.filter((asset) => asset !== 'NTZS')
    .map((asset) => `P ${day} ${symbolOf(asset)} ${mid} NTZS`)
    .join('\n')
}

/** hledger wants quotes around a name with more than letters. */
function symbolOf(asset: Asset): string {
  return /^[A-Z]+$/.test(asset) ? asset : `"${asset}"`
}
