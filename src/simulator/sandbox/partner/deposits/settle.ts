import { emit } from '../kit/emit.ts'
import { newCode, newTxHash } from '../kit/ids.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerDeposit } from '../model/payments.ts'
import { CASH, mint, moveShillings, phoneAccount } from '../money/tokens.ts'

function payerOf({ method, phone }: PartnerDeposit): string {
  if (phone !== null) return phoneAccount(phone)
  return method === 'card' ? CASH.card : CASH.bank
}

export function isOpen({ status }: PartnerDeposit): boolean {
  return status === 'submitted' || status === 'pending'
}

/**
 * Takes a payment. The exact amount of an open deposit is minted; any other amount, and any payment after the end, is
 * held for review and not lost.
 */
export function takePayment(
  partner: Partner,
  deposit: PartnerDeposit,
  paidTzs: bigint,
  isMatched = true,
): void {
  partner.pending.delete(deposit.id)
  moveShillings(partner.world, payerOf(deposit), CASH.held, paidTzs)
  deposit.heldTzs += paidTzs
  if (isOpen(deposit) && isMatched && deposit.heldTzs === deposit.amountTzs) completeDeposit(partner, deposit)
  else if (deposit.status !== 'completed') deposit.status = 'review'
}

/** Turns the held money into tokens in the wallet and emits the event. */
export function completeDeposit(partner: Partner, deposit: PartnerDeposit): void {
  const { world } = partner
  const { id, userId, walletAddress, heldTzs, endUser } = deposit
  mint(world, CASH.held, walletAddress, heldTzs)
  const txHash = newTxHash(world)
  Object.assign(deposit, { heldTzs: 0n, status: 'completed', txHash })
  emit(partner, 'deposit.completed', {
    depositId: id,
    userId,
    amountTzs: heldTzs,
    walletAddress,
    txHash,
    pspReference: newCode(world, 'PSP', 10),
    collectionId: null,
    merchantId: null,
    externalReference: null,
    endUser,
  })
}

/** Ends a deposit without tokens; the held money returns to its payer. */
export function failDeposit(partner: Partner, deposit: PartnerDeposit): void {
  partner.pending.delete(deposit.id)
  moveShillings(partner.world, CASH.held, payerOf(deposit), deposit.heldTzs)
  Object.assign(deposit, { heldTzs: 0n, status: 'failed' })
}
