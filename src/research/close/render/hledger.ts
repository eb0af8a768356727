import { type Asset, ASSETS, TOKEN_DECIMALS } from '../../../base/money/asset.ts'
import { ACCOUNTS, type CloseBody } from '../document/document.ts'
import { type BookAccount, POSITION_ACCOUNTS } from './book-accounts.ts'
import { blocksText, dayEntries, type AccountsDialect, wordsOnly } from './day-entries.ts'

/**
 * A day for hledger: an assertion states each account's balance at the end of the day. `booksHledger` declares
 * everything that `hledger check --strict` requires.
 */
export function dayHledger(close: CloseBody): string {
  const { position, day } = close
  const posting: AccountsDialect['posting'] = (account, asset, amount) =>
    `    ${nameOf(account, position)}  ${amount} ${symbolOf(asset)}`
  return dayEntries(close, {
    posting,
    price: (asset, mid) => `P ${day} ${symbolOf(asset)} ${mid} NTZS`,
    account: (account) => `account ${nameOf(account, position)}`,
    opening: (what) => `${day} * ${what}`,
    entry: ({ number, seq, kind, reason }) => [
      `${day} * (${number}) ${wordsOnly(kind)} ${wordsOnly(reason)}  ; event ${seq}`,
    ],
    treasuryEntry: ({ intent, reason }) => [
      `${day} * treasury ${wordsOnly(reason)}  ; intent ${wordsOnly(intent)}`,
    ],
    balances: (held) => [
      `${day} * balances at the end`,
      ...held.map(
        ([account, asset, amount]) => `${posting(account, asset, '0')} = ${amount} ${symbolOf(asset)}`,
      ),
    ],
  })
}

/** Returns all days of a folder as one set of books: commodities and accounts, then the days in order. */
export function booksHledger(position: string, days: readonly string[]): string {
  const commodities = ASSETS.map(
    (asset) => `commodity 1000.${'0'.repeat(TOKEN_DECIMALS[asset])} ${symbolOf(asset)}`,
  )
  const accounts = ACCOUNTS.map((account) => `account ${nameOf(POSITION_ACCOUNTS[account], position)}`)
  return blocksText([commodities, accounts, days.map((day) => `include ${day}.hledger`)])
}

function nameOf({ root, path }: BookAccount, position: string): string {
  return [root, position, ...path].join(':')
}

/** hledger requires quotes around a name with anything but letters. */
function symbolOf(asset: Asset): string {
  return /^[A-Z]+$/.test(asset) ? asset : `"${asset}"`
}
