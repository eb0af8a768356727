import { type Asset, ASSETS } from '../../../base/money/asset.ts'
import { nextDay } from '../document/day-span.ts'
import { ACCOUNTS, type CloseBody } from '../document/document.ts'
import { type BookAccount, POSITION_ACCOUNTS } from './book-accounts.ts'
import { blocksText, dayEntries, wordsOnly } from './day-entries.ts'

/** A day for beancount; its balances are those of the next morning, with no tolerance (`~ 0`). `booksBeancount` opens the accounts. */
export function dayBeancount(close: CloseBody): string {
  const { position, day } = close
  return dayEntries(close, {
    posting: (account, asset, amount) => `  ${nameOf(account, position)}  ${amount} ${symbolOf(asset)}`,
    price: (asset, mid) => `${day} price ${symbolOf(asset)} ${mid} NTZS`,
    account: (account) => `${day} open ${nameOf(account, position)}`,
    opening: (what) => `${day} * "${what}"`,
    entry: ({ number, seq, kind, reason }) => [
      `${day} * "${wordsOnly(kind)}" "${wordsOnly(reason)}"`,
      `  entry: ${number}`,
      `  event: ${seq}`,
    ],
    treasuryEntry: ({ intent, reason }) => [
      `${day} * "treasury" "${wordsOnly(reason)}"`,
      `  intent: "${wordsOnly(intent)}"`,
    ],
    balances: (held) =>
      held.map(
        ([account, asset, amount]) =>
          `${nextDay(day)} balance ${nameOf(account, position)}  ${amount} ~ 0 ${symbolOf(asset)}`,
      ),
  })
}

/** Returns all days of a folder as one set of books; the accounts are open from the first day on. */
export function booksBeancount(position: string, days: readonly string[]): string {
  const [first = ''] = days
  return blocksText([
    [`option "title" "${position}"`, ...ASSETS.map((asset) => `${first} commodity ${symbolOf(asset)}`)],
    ACCOUNTS.map((account) => `${first} open ${nameOf(POSITION_ACCOUNTS[account], position)}`),
    days.map((day) => `include "${day}.beancount"`),
  ])
}

/** A part of an account begins with a capital and has only letters, digits and dashes. */
function nameOf({ root, path }: BookAccount, position: string): string {
  return [root, position.replaceAll(/[^A-Za-z0-9-]/g, '-'), ...path]
    .map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`)
    .join(':')
}

/** A commodity of beancount has only capitals. */
function symbolOf(asset: Asset): string {
  return asset.toUpperCase()
}
