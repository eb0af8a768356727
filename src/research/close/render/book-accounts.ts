import type { COUNTER_ACCOUNTS } from '../../../treasury/books/books.ts'
import type { TreasuryPlace } from '../../../treasury/model/place.ts'
import { invariant } from '../../../base/result.ts'
import type { Account } from '../document/document.ts'

/** A position's account in accounting programs: its kind, and its name below the position's. */
export type BookAccount = {
  readonly root: 'assets' | 'equity' | 'expenses'
  readonly path: readonly string[]
}

export const POSITION_ACCOUNTS: Readonly<Record<Account, BookAccount>> = {
  pool: { root: 'assets', path: ['pool'] },
  wallet: { root: 'assets', path: ['wallet'] },
  opening: { root: 'equity', path: ['opening'] },
  trading: { root: 'equity', path: ['trading'] },
  fees: { root: 'expenses', path: ['fees'] },
  external: { root: 'equity', path: ['external'] },
  adjustments: { root: 'equity', path: ['adjustments'] },
}

const inTreasury = (root: BookAccount['root'], name: string): BookAccount => ({
  root,
  path: ['treasury', name],
})

/**
 * The treasury's accounts by their name before a colon; the transit of all intents is one account. The position's
 * pool and wallet are already assets, so the treasury's entries for them are equity. Bank and phone balances are not
 * read, so money from and to them is equity, too.
 */
const TREASURY: Readonly<
  Record<TreasuryPlace | keyof typeof COUNTER_ACCOUNTS | 'transit' | 'claim', BookAccount>
> = {
  treasury: inTreasury('assets', 'wallet'),
  platform: inTreasury('assets', 'platform'),
  float: inTreasury('assets', 'float'),
  transit: inTreasury('assets', 'transit'),
  claim: inTreasury('assets', 'claims'),
  pool: inTreasury('equity', 'position-pool'),
  lpWallet: inTreasury('equity', 'position-wallet'),
  bank: inTreasury('equity', 'bank'),
  phone: inTreasury('equity', 'phone'),
  opening: inTreasury('equity', 'opening'),
  trading: inTreasury('equity', 'trading'),
  external: inTreasury('equity', 'external'),
  conversion: inTreasury('equity', 'conversion'),
  unreconciled: inTreasury('equity', 'unreconciled'),
  railCosts: inTreasury('expenses', 'rails'),
}

export const TREASURY_ACCOUNTS: readonly BookAccount[] = Object.values(TREASURY)

export function treasuryAccount(name: string): BookAccount {
  const account = Object.entries(TREASURY).find(([of]) => of === name.split(':')[0])?.[1]
  invariant(account !== undefined, `${name} is an account of the treasury's books`)
  return account
}
