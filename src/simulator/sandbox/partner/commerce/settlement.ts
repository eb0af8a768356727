import { answer } from '../../api/request.ts'
import { burn, mint, moveSimulated } from '../kit/burns.ts'
import { hasField, mobileNumber, SHILLING_UNITS, textField, wholeTzs } from '../kit/fields.ts'
import { newId } from '../kit/ids.ts'
import { type PartnerAnswer, type PartnerRequest, refuse } from '../kit/request.ts'
import { schedule } from '../kit/schedule.ts'
import type { Merchant } from '../model/commerce.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { payoutFees } from '../money/fees.ts'
import { refuseMoving, refuseShortfall } from '../money/funds.ts'
import { CASH, phoneAccount, send } from '../money/tokens.ts'
import { merchantBalance, refuseLender } from './merchants.ts'

/** Source: contract, limits. */
const LEAST_WITHDRAWAL_TZS = 5_000n
const LONGEST_TRANSFER_KEY = 128
const LENDER = 'outside:lender'

/** GET /commerce/settlement. */
export function readSimulatedSettlement(merchant: Merchant): PartnerAnswer {
  return answer(200, {
    autoSettlePercent: merchant.autoSettlePercent,
    payoutPhone: merchant.settlementPhone,
    lenderControlled: merchant.drawnTzs > 0n,
  })
}

/** PATCH /commerce/settlement: the share of each sale that goes to the phone at once, and the phone. */
export function changeSettlement({ body }: PartnerRequest, merchant: Merchant): PartnerAnswer {
  const refused = refuseLender(merchant)
  if (refused !== null) return refused
  const percent = body['autoSettlePercent'] ?? merchant.autoSettlePercent
  const phone = hasField(body, 'payoutPhone') ? mobileNumber(body['payoutPhone']) : merchant.settlementPhone
  if (typeof percent !== 'number' || !Number.isInteger(percent) || percent < 0 || percent > 100)
    return refuse('invalid_amount', 'autoSettlePercent must be a whole number from 0 to 100')
  if (phone === null) return refuse('invalid_phone', 'payoutPhone is no Tanzanian mobile number')
  merchant.autoSettlePercent = percent
  merchant.settlementPhone = phone
  return readSimulatedSettlement(merchant)
}

/** POST /commerce/withdraw: net to the settlement phone, fees on top. */
export function withdrawSettlement(
  partner: Partner,
  { body }: PartnerRequest,
  merchant: Merchant,
): PartnerAnswer {
  const { world } = partner
  const locked = refuseLender(merchant)
  if (locked !== null) return locked
  const tzs = wholeTzs(body['amountTzs'])
  if (tzs === null || tzs < LEAST_WITHDRAWAL_TZS)
    return refuse('invalid_amount', `amountTzs must be a whole number from ${LEAST_WITHDRAWAL_TZS}`)
  const { totalFeeTzs } = payoutFees(tzs, 'phone', world.settings)
  const refused =
    refuseMoving(world, merchant.settlementPhone) ?? refuseMerchantBalance(world, merchant, tzs + totalFeeTzs)
  if (refused !== null) return refused
  const id = newId(world)
  const phone = merchant.settlementPhone
  burn(world, merchant.walletAddress, CASH.payouts, tzs + totalFeeTzs)
  schedule(partner, id, world.settings.settleMs, () => {
    moveSimulated(world, CASH.payouts, phoneAccount(phone), tzs)
    moveSimulated(world, CASH.payouts, CASH.fees, totalFeeTzs)
  })
  return answer(201, {
    id,
    status: 'burned',
    payoutStatus: 'pending',
    receiveAmountTzs: Number(tzs),
    totalFeeTzs: Number(totalFeeTzs),
    phone,
  })
}

/** POST /commerce/transfer-to-wallet: to the owner's own wallet without a fee, one at a time, each key once. */
export function transferToOwner(
  { world }: Partner,
  { body, now }: PartnerRequest,
  merchant: Merchant,
): PartnerAnswer {
  const locked = refuseLender(merchant)
  if (locked !== null) return locked
  const key = textField(body, 'idempotencyKey')
  if (key === null || key.length > LONGEST_TRANSFER_KEY)
    return refuse(
      'invalid_idempotency_key',
      `idempotencyKey must have 1 to ${LONGEST_TRANSFER_KEY} characters`,
    )
  if (merchant.usedTransferKeys.has(key))
    return refuse('idempotency_key_used', 'this idempotencyKey was used for another transfer')
  if (merchant.transferUntil > now)
    return refuse('transfer_in_flight', 'a transfer of this wallet is still running')
  const tzs = wholeTzs(body['amountTzs'])
  if (tzs === null) return refuse('invalid_amount', 'amountTzs must be a positive whole number')
  const to = merchant.ownerAddress ?? merchant.walletAddress
  const refused = refuseMoving(world, to) ?? refuseMerchantBalance(world, merchant, tzs)
  if (refused !== null) return refused
  merchant.usedTransferKeys.add(key)
  merchant.transferUntil = now + world.settings.settleMs
  const txHash = send(world, 'NTZS', merchant.walletAddress, to, tzs * SHILLING_UNITS)
  return answer(201, { id: newId(world), status: 'completed', txHash, amountTzs: Number(tzs), toAddress: to })
}

/** GET /commerce/financing/status. */
export function readFinancing({ facilityTzs, drawnTzs }: Merchant): PartnerAnswer {
  return answer(200, {
    facility: Number(facilityTzs),
    drawn: Number(drawnTzs),
    available: Number(facilityTzs - drawnTzs),
  })
}

/** POST /commerce/financing/withdraw: the lender's shillings become tokens of the merchant's wallet. */
export function drawFinancing(
  { world }: Partner,
  { body }: PartnerRequest,
  merchant: Merchant,
): PartnerAnswer {
  const tzs = wholeTzs(body['amountTzs'])
  if (tzs === null) return refuse('invalid_amount', 'amountTzs must be a positive whole number')
  const available = merchant.facilityTzs - merchant.drawnTzs
  if (tzs > available)
    return refuse('amount_too_large', 'the facility does not cover it', {
      limit: Number(available),
      requested: Number(tzs),
    })
  mint(world, LENDER, merchant.walletAddress, tzs)
  merchant.drawnTzs += tzs
  return answer(201, { id: newId(world), amountTzs: Number(tzs), drawn: Number(merchant.drawnTzs) })
}

function refuseMerchantBalance(world: PartnerWorld, merchant: Merchant, requested: bigint) {
  return refuseShortfall(world, { available: merchantBalance(world, merchant), requested, unit: 1n })
}
