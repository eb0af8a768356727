import type { Asset } from '../../../../base/money/asset.ts'
import { accountOf, arriveAt } from '../../market/accounts.ts'
import { newTxHash } from '../kit/ids.ts'
import type { PartnerWorld } from '../model/partner.ts'

/** Spendable base units of an address. */
export function simulatedBalanceOf({ venue }: PartnerWorld, address: string, asset: Asset): bigint {
  return venue.accounts.get(address.toLowerCase())?.[asset] ?? 0n
}

/** Tokens from an address to any other one, the provider's wallet included. Returns the transaction. */
export function send(world: PartnerWorld, asset: Asset, from: string, to: string, units: bigint): string {
  accountOf(world.venue, from.toLowerCase())[asset] -= units
  return arriveAt(world.venue, to, asset, units) ?? newTxHash(world)
}

/** The money of one phone: what it paid is below zero, what it was paid above. */
export function phoneAccount(phone: string): string {
  return `outside:phone:${phone}`
}

/** The account at a bank that payouts go to; names of accounts are in lower case. */
export function bankAccount(bankCode: string, accountNumber: string): string {
  return `outside:bank:${bankCode}:${accountNumber}`.toLowerCase()
}

/**
 * Where whole shillings are that are no tokens and not of one phone or bank account. Outside accounts are the payers' and the
 * payees' own, and may be below zero; those of the rails hold what has not ended and the fees that were earned.
 */
export const CASH = {
  bank: 'outside:bank',
  phone: 'outside:phone',
  card: 'outside:card',
  till: 'outside:till',
  payouts: 'rail:payouts',
  held: 'rail:held',
  fees: 'rail:fees',
} as const
