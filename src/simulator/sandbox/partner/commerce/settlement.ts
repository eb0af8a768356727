import { answer, type Answer } from '../../api/request.ts'
import { hasField, readPhone, requireTzs, SHILLING_UNITS, textField } from '../kit/fields.ts'
import { newId } from '../kit/ids.ts'
import { type PartnerRequest, refuse } from '../kit/request.ts'
import { schedule } from '../kit/schedule.ts'
import type { Merchant } from '../model/commerce.ts'
import type { Partner } from '../model/partner.ts'
import { checkBalance, checkCap, checkMoving } from '../money/caps.ts'
import { payoutFees } from '../money/fees.ts'
import { burn, CASH, mint, moveShillings, phoneAccount, send, shillingsAt } from '../money/tokens.ts'

/** Source: contract, limits. */
const LEAST_WITHDRAWAL_TZS = 5_000n
const LONGEST_TRANSFER_KEY = 128

/** While a lender funds the merchant, the lender holds the controls of its money. */
function checkLender({ drawnTzs }: Merchant): void {
  if (drawnTzs === 0n) return
  const sentence = 'a lender funds this merchant: its controls are read-only'
  refuse('lender_controls_settlement', sentence, { drawnTzs })
}

/** GET /commerce/settlement. */
export function getSettings({ autoSettlePercent, settlementPhone, drawnTzs }: Merchant): Answer {
  const lenderControlled = drawnTzs > 0n
  return answer(200, { autoSettlePercent, payoutPhone: settlementPhone, lenderControlled })
}

/** GET /commerce/wallet. */
export function getMerchantWallet(
  { walletAddress }: Merchant,
  _request: PartnerRequest,
  { world }: Partner,
): Answer {
  return answer(200, { walletAddress, balanceTzs: shillingsAt(world, walletAddress) })
}

/** PATCH /commerce/settlement: the phone, and the share of each sale that goes to it at once. */
export function patchMerchantSettings(merchant: Merchant, { body }: PartnerRequest): Answer {
  checkLender(merchant)
  const percent = body['autoSettlePercent'] ?? merchant.autoSettlePercent
  if (typeof percent !== 'number' || !Number.isInteger(percent) || percent < 0 || percent > 100)
    return refuse('invalid_amount', 'autoSettlePercent must be a whole number from 0 to 100')
  if (hasField(body, 'payoutPhone')) merchant.settlementPhone = readPhone(body, 'payoutPhone')
  merchant.autoSettlePercent = percent
  return getSettings(merchant)
}

/** POST /commerce/withdraw: the net amount to the settlement phone, fees on top. */
export function postMerchantWithdrawal(
  merchant: Merchant,
  { body }: PartnerRequest,
  partner: Partner,
): Answer {
  const { world } = partner
  checkLender(merchant)
  const tzs = requireTzs(body, 'amountTzs', LEAST_WITHDRAWAL_TZS)
  const { totalFeeTzs } = payoutFees(tzs, 'phone', world.settings)
  const phone = merchant.settlementPhone
  checkMoving(world, phone)
  checkBalance(world, shillingsAt(world, merchant.walletAddress), tzs + totalFeeTzs)
  const id = newId(world)
  burn(world, merchant.walletAddress, CASH.payouts, tzs + totalFeeTzs)
  schedule(partner, id, () => {
    moveShillings(world, CASH.payouts, phoneAccount(phone), tzs)
    moveShillings(world, CASH.payouts, CASH.fees, totalFeeTzs)
  })
  const state = { status: 'burned', payoutStatus: 'pending' }
  return answer(201, { id, ...state, receiveAmountTzs: tzs, totalFeeTzs, phone })
}

/** POST /commerce/transfer-to-wallet: to the owner's wallet without a fee, one at a time, each key once. */
export function postTransferToOwner(
  merchant: Merchant,
  { body, now }: PartnerRequest,
  { world }: Partner,
): Answer {
  checkLender(merchant)
  const key = textField(body, 'idempotencyKey')
  if (key === null || key.length > LONGEST_TRANSFER_KEY)
    return refuse(
      'invalid_idempotency_key',
      `idempotencyKey must have 1 to ${LONGEST_TRANSFER_KEY} characters`,
    )
  if (merchant.usedTransferKeys.has(key))
    refuse('idempotency_key_used', 'this idempotencyKey was used for another transfer')
  if (merchant.transferUntil > now) refuse('transfer_in_flight', 'a transfer of this wallet is still running')
  const amountTzs = requireTzs(body)
  const toAddress = merchant.ownerAddress ?? merchant.walletAddress
  checkMoving(world, toAddress)
  checkBalance(world, shillingsAt(world, merchant.walletAddress), amountTzs)
  merchant.usedTransferKeys.add(key)
  merchant.transferUntil = now + world.settings.settleMs
  const txHash = send(world, 'NTZS', merchant.walletAddress, toAddress, amountTzs * SHILLING_UNITS)
  return answer(201, { id: newId(world), status: 'completed', txHash, amountTzs, toAddress })
}

/** GET /commerce/financing/status. */
export function getFinancing({ facilityTzs, drawnTzs }: Merchant): Answer {
  return answer(200, { facility: facilityTzs, drawn: drawnTzs, available: facilityTzs - drawnTzs })
}

/** POST /commerce/financing/withdraw: the lender's shillings become tokens in the merchant's wallet. */
export function postFinancing(merchant: Merchant, { body }: PartnerRequest, { world }: Partner): Answer {
  const amountTzs = requireTzs(body)
  const available = merchant.facilityTzs - merchant.drawnTzs
  checkCap('amount_too_large', 'the facility does not cover it', available, amountTzs)
  mint(world, CASH.lender, merchant.walletAddress, amountTzs)
  merchant.drawnTzs += amountTzs
  return answer(201, { id: newId(world), amountTzs, drawn: merchant.drawnTzs })
}
