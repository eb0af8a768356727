import { accountOf } from '../../market/accounts.ts'
import type { PartnerWorld } from '../model/partner.ts'
import { SHILLING_UNITS } from './fields.ts'

/**
 * Shillings leave a wallet for a rail: the tokens are burned, and the rail holds as much until the payment
 * ends. Whole shillings; the caller has looked at the balance.
 */
export function burn(world: PartnerWorld, wallet: string, rail: string, tzs: bigint): void {
  moveSimulated(world, wallet, rail, tzs)
  world.supply.burnedTzs += tzs
}

/** What a rail holds becomes tokens in a wallet: a refund, or a payment that came in. */
export function mint(world: PartnerWorld, rail: string, wallet: string, tzs: bigint): void {
  moveSimulated(world, rail, wallet, tzs)
  world.supply.mintedTzs += tzs
}

/** Whole shillings from one account of the economy to another. */
export function moveSimulated({ venue }: PartnerWorld, from: string, to: string, tzs: bigint): void {
  accountOf(venue, from.toLowerCase()).NTZS -= tzs * SHILLING_UNITS
  accountOf(venue, to.toLowerCase()).NTZS += tzs * SHILLING_UNITS
}
