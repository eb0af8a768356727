import { isAddress } from 'viem'
import type { Answer } from '../../api/request.ts'
import { answerAfterEvent, emit } from '../kit/emit.ts'
import { fateUnder, requirePhone } from '../kit/fields.ts'
import { type PartnerRequest, refuse } from '../kit/request.ts'
import { scheduleEnd } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { Settlement } from '../model/payments.ts'
import { checkMoving } from '../money/caps.ts'
import { CASH, moveShillings, phoneAccount, RAMP_DOLLARS, send } from '../money/tokens.ts'
import { checkRamp, takeRampQuote } from './quote.ts'
import { openSettlement, settlementBody, settlementData } from './settlement.ts'

/**
 * POST /ramp/onramp: prompts the payer's phone, and its shillings become dollars at an address. The amount's last
 * digits decide whether the payer pays, as for a deposit.
 */
export function postOnramp(partner: Partner, request: PartnerRequest): Answer {
  const { world } = partner
  const quote = takeRampQuote(partner, request, 'onramp')
  const phone = requirePhone(request.body)
  const address = request.body['destinationAddress'] ?? partner.settlementAddress
  if (typeof address !== 'string' || !isAddress(address))
    return refuse('invalid_address', 'destinationAddress is not an EVM address with a valid checksum')
  checkRamp(world)
  checkMoving(world, address)
  const settlement = openSettlement(partner, request, quote, {
    usdc: quote.usdc,
    fromTokenTzs: 0n,
    destination: { kind: 'phone', phone },
    recipientName: null,
    destinationAddress: address,
    status: 'minting',
  })
  const ends = { completes: completeOnramp, fails: failOnramp }
  scheduleEnd(partner, settlement, fateUnder(partner, String(quote.tzs)), ends)
  return answerAfterEvent(partner, settlement.id, { status: 202, body: settlementBody(settlement) })
}

/** The payer has paid, and the dollars are at their address. */
export function completeOnramp(partner: Partner, settlement: Settlement): void {
  const { world, settlementAddress } = partner
  const { destination } = settlement
  const payer = destination.kind === 'phone' ? phoneAccount(destination.phone) : CASH.phone
  moveShillings(world, payer, CASH.ramp, settlement.tzs - settlement.feeTzs)
  moveShillings(world, payer, CASH.fees, settlement.feeTzs)
  const to = settlement.destinationAddress ?? settlementAddress
  settlement.txHash = send(world, 'USDC', RAMP_DOLLARS, to, settlement.usdc)
  settlement.status = 'completed'
  emit(partner, 'ramp.settlement.completed', settlementData(settlement))
}

/** The payer has refused: nothing moved, so nothing is returned. */
export function failOnramp(partner: Partner, settlement: Settlement): void {
  settlement.status = 'failed'
  emit(partner, 'ramp.settlement.failed', { ...settlementData(settlement), returnedAsTokenTo: null })
}
