import { isAddress } from 'viem'
import type { Answer } from '../../api/request.ts'
import { moveSimulated } from '../kit/burns.ts'
import { fateOf, hasField, mobileNumber } from '../kit/fields.ts'
import { newId } from '../kit/ids.ts'
import { isRefusal, type PartnerRefusal, type PartnerRequest, refuse } from '../kit/request.ts'
import { schedule } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { Settlement } from '../model/payments.ts'
import { refuseMoving } from '../money/funds.ts'
import { CASH, phoneAccount, send } from '../money/tokens.ts'
import { answerAfterEvent, emit } from '../webhooks/emit.ts'
import { refuseRamp, takeRampQuote } from './quote.ts'
import { RAMP_CASH, RAMP_DOLLARS, settlementData, shownSettlement } from './settlement.ts'

/**
 * POST /ramp/onramp: prompts the payer's phone, and its shillings become dollars at an address. Whether the
 * payer pays depends on the amount's last digits, as for a deposit.
 */
export function executeOnramp(partner: Partner, request: PartnerRequest): Answer | PartnerRefusal {
  const { body } = request
  const { world } = partner
  const quote = takeRampQuote(partner, request, 'onramp')
  if (isRefusal(quote)) return quote
  if (!hasField(body, 'phoneNumber')) return refuse('phone_required', 'phoneNumber is required')
  const phone = mobileNumber(body['phoneNumber'])
  if (phone === null) return refuse('invalid_phone', 'phoneNumber is no Tanzanian mobile number')
  const address = body['destinationAddress'] ?? partner.settlementAddress
  if (typeof address !== 'string' || !isAddress(address))
    return refuse('invalid_address', 'destinationAddress is no EVM address with a valid checksum')
  const refused = refuseRamp(world) ?? refuseMoving(world, address)
  if (refused !== null) return refused
  const settlement: Settlement = {
    id: newId(world),
    direction: 'onramp',
    createdAt: request.now,
    usdc: quote.usdc,
    tzs: quote.tzs,
    feeTzs: quote.feeTzs,
    fromTokenTzs: 0n,
    destination: { kind: 'phone', phone },
    recipientName: null,
    destinationAddress: address,
    status: 'minting',
    txHash: null,
  }
  quote.isUsed = true
  partner.payments.settlements.set(settlement.id, settlement)
  const fate = partner.isLive ? 'completes' : fateOf(String(quote.tzs))
  if (fate === 'completes' || fate === 'fails') {
    const end = fate === 'completes' ? completeOnramp : failOnramp
    schedule(partner, settlement.id, world.settings.settleMs, () => end(partner, settlement))
  }
  return answerAfterEvent(partner, settlement.id, { status: 202, body: shownSettlement(settlement) })
}

/** The payer has paid, and the dollars are at their address. */
export function completeOnramp(partner: Partner, settlement: Settlement): void {
  const { world, settlementAddress } = partner
  const { destination } = settlement
  const payer = destination.kind === 'phone' ? phoneAccount(destination.phone) : CASH.phone
  moveSimulated(world, payer, RAMP_CASH, settlement.tzs - settlement.feeTzs)
  moveSimulated(world, payer, CASH.fees, settlement.feeTzs)
  const to = settlement.destinationAddress ?? settlementAddress
  settlement.txHash = send(world, 'USDC', RAMP_DOLLARS, to, settlement.usdc)
  settlement.status = 'completed'
  emit(partner, 'ramp.settlement.completed', settlementData(settlement))
}

/** The payer has refused: nothing moved, so nothing is returned anywhere. */
export function failOnramp(partner: Partner, settlement: Settlement): void {
  settlement.status = 'failed'
  emit(partner, 'ramp.settlement.failed', { ...settlementData(settlement), returnedAsTokenTo: null })
}
