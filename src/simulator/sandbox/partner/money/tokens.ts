import type { Asset } from '../../../../base/money/asset.ts'
import { accountOf, arriveAt } from '../../market/book.ts'
import { SHILLING_UNITS } from '../kit/fields.ts'
import { newTxHash } from '../kit/ids.ts'
import type { PartnerWorld } from '../model/partner.ts'

/** Spendable base units of an address. */
export function unitsAt({ venue }: PartnerWorld, address: string, asset: Asset): bigint {
  return venue.accounts.get(address.toLowerCase())?.[asset] ?? 0n
}

/** Spendable shillings of an address, whole and rounded down. */
export function shillingsAt(world: PartnerWorld, address: string): bigint {
  return unitsAt(world, address, 'NTZS') / SHILLING_UNITS
}

/** Tokens from an address to any other address, the provider's wallet included. Returns the transaction. */
export function send(world: PartnerWorld, asset: Asset, from: string, to: string, units: bigint): string {
  accountOf(world.venue, from.toLowerCase())[asset] -= units
  return arriveAt(world.venue, to, asset, units) ?? newTxHash(world)
}

/**
 * Whole shillings leave a wallet for a rail: the tokens are burned, and the rail holds their value until the
 * payment ends. The caller has checked the balance.
 */
export function burn(world: PartnerWorld, wallet: string, rail: string, tzs: bigint): void {
  moveShillings(world, wallet, rail, tzs)
  world.supply.burnedTzs += tzs
}

/** Whole shillings of a rail become tokens in a wallet: a refund, or an incoming payment. */
export function mint(world: PartnerWorld, rail: string, wallet: string, tzs: bigint): void {
  moveShillings(world, rail, wallet, tzs)
  world.supply.mintedTzs += tzs
}

/** Whole shillings from one account of the economy to another. */
export function moveShillings({ venue }: PartnerWorld, from: string, to: string, tzs: bigint): void {
  accountOf(venue, from.toLowerCase()).NTZS -= tzs * SHILLING_UNITS
  accountOf(venue, to.toLowerCase()).NTZS += tzs * SHILLING_UNITS
}

/** The money of one phone: negative for payments, positive for receipts. */
export function phoneAccount(phone: string): string {
  return `outside:phone:${phone}`
}

/**
 * Accounts of whole shillings that are not tokens and belong to no single phone or bank account. Outside accounts belong to
 * payers and payees and may be below zero; those of the rails hold unfinished payments and earned fees.
 */
export const CASH = {
  bank: 'outside:bank',
  phone: 'outside:phone',
  card: 'outside:card',
  till: 'outside:till',
  biller: 'outside:biller',
  lender: 'outside:lender',
  ramp: 'outside:ramp',
  payouts: 'rail:payouts',
  spends: 'rail:spends',
  offramps: 'rail:ramp',
  held: 'rail:held',
  fees: 'rail:fees',
} as const

/** The operator's dollars that the ramp trades with. */
export const RAMP_DOLLARS = 'ramp:dollars'
