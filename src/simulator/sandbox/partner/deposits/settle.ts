import { mint, moveSimulated } from '../kit/burns.ts'
import { newCode, newTxHash } from '../kit/ids.ts'
import { unschedule } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerDeposit } from '../model/records.ts'
import { CASH, phoneAccount } from '../money/tokens.ts'
import { emit } from '../webhooks/emit.ts'

function payerOf({ method, phone }: PartnerDeposit): string {
  if (phone !== null) return phoneAccount(phone)
  return method === 'card' ? CASH.card : CASH.bank
}

export function isOpen({ status }: PartnerDeposit): boolean {
  return status === 'submitted' || status === 'pending'
}

/**
 * A payment has come in. What was asked for exactly is minted; any other amount, and whatever comes after the
 * end, is held for review and not lost.
 */
export function takePayment(
  partner: Partner,
  deposit: PartnerDeposit,
  paidTzs: bigint,
  isMatched = true,
): void {
  const { world } = partner
  unschedule(partner, deposit.id)
  moveSimulated(world, payerOf(deposit), CASH.held, paidTzs)
  deposit.heldTzs += paidTzs
  if (isOpen(deposit) && isMatched && deposit.heldTzs === deposit.amountTzs) complete(partner, deposit)
  else if (deposit.status !== 'completed') deposit.status = 'review'
}

/** What is held becomes tokens in the wallet, and the event leaves. */
export function complete(partner: Partner, deposit: PartnerDeposit): void {
  const { world } = partner
  const { id, userId, walletAddress, heldTzs, endUser } = deposit
  mint(world, CASH.held, walletAddress, heldTzs)
  deposit.heldTzs = 0n
  deposit.status = 'completed'
  deposit.txHash = newTxHash(world)
  emit(partner, 'deposit.completed', {
    depositId: id,
    userId,
    amountTzs: Number(heldTzs),
    walletAddress,
    txHash: deposit.txHash,
    pspReference: newCode(world, 'PSP', 10),
    collectionId: null,
    merchantId: null,
    externalReference: null,
    endUser,
  })
}

/** The end without tokens; what was held goes back to anyone who paid. */
export function failDeposit(partner: Partner, deposit: PartnerDeposit): void {
  unschedule(partner, deposit.id)
  moveSimulated(partner.world, CASH.held, payerOf(deposit), deposit.heldTzs)
  deposit.heldTzs = 0n
  deposit.status = 'failed'
}
