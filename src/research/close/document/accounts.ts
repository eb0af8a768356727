import { type Amounts, type Asset, ASSETS, formatAmount, zeroAmounts } from '../../../base/money/asset.ts'
import { bookAmountOf } from './day-pnl.ts'
import { type Account, ACCOUNTS, type AccountTexts } from './document.ts'

/** A book amount of each token in each account. */
export type AccountUnits = Record<Account, Amounts>

export function createAccounts(): AccountUnits {
  return Object.fromEntries(ACCOUNTS.map((account) => [account, zeroAmounts()])) as AccountUnits
}

/** Returns the account balances of a close, to continue from. */
export function accountsOf(texts: AccountTexts): AccountUnits {
  const units = createAccounts()
  for (const account of ACCOUNTS)
    for (const asset of ASSETS) units[account][asset] = bookAmountOf(texts[account][asset])
  return units
}

export function postTo(
  accounts: AccountUnits,
  posting: { readonly account: Account; readonly asset: Asset; readonly amount: string },
): void {
  accounts[posting.account][posting.asset] += bookAmountOf(posting.amount)
}

export function textsOf(accounts: AccountUnits): AccountTexts {
  const texts = ACCOUNTS.map((account) => [
    account,
    Object.fromEntries(ASSETS.map((asset) => [asset, formatAmount(accounts[account][asset])])),
  ])
  return Object.fromEntries(texts) as AccountTexts
}
