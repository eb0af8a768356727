import { isAddress } from 'viem'
import { formatTokens } from '../../../../base/money/asset.ts'
import { bpsOf } from '../money/fees.ts'
import { hasField, plainText, SHILLING_UNITS, tokenAmount, wholeTzs } from '../kit/fields.ts'
import { noteTransfer, refuseTransferCap, userSource } from '../money/funding.ts'
import { newId } from '../kit/ids.ts'
import {
  isRefusal,
  type PartnerAnswer,
  type PartnerRefusal,
  type PartnerRequest,
  type PartnerRoute,
  refuse,
} from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import { refuseFunds } from '../money/funds.ts'
import { simulatedBalanceOf, send } from '../money/tokens.ts'

const USDC_UNIT = 10n ** 6n

/** POST /transfers: synchronous; the sender pays the partner's own fee out of the amount. */
function createTransfer(partner: Partner, { body }: PartnerRequest): PartnerAnswer {
  const { world } = partner
  const shilling = world.venue.options.venue === 'measured' ? 'NTZS' : 'TZS_TOKEN'
  const token = body['token'] ?? shilling
  if (token !== shilling && token !== 'USDC')
    return refuse('invalid_token', `token must be ${shilling} or USDC`)
  const [asset, unit, field] =
    token === 'USDC' ? (['USDC', 1n, 'amount'] as const) : (['NTZS', SHILLING_UNITS, 'amountTzs'] as const)
  if (!hasField(body, 'fromUserId') || !hasField(body, field))
    return refuse('missing_required_fields', `fromUserId and ${field} are required`)
  const amount = asset === 'USDC' ? tokenAmount(body[field], 'USDC') : wholeTzs(body[field])
  if (amount === null) return refuse('invalid_amount', `${field} must be a positive number of the token`)
  const sender = userSource(partner, plainText(body, 'fromUserId'))
  if (isRefusal(sender)) return sender
  const toAddress = findTarget(partner, body)
  if (typeof toAddress !== 'string') return toAddress
  const fee = bpsOf(amount, world.settings.fees.transferBps)
  const capped = asset === 'NTZS' ? refuseTransferCap(partner, sender, amount) : null
  if (capped !== null) return capped
  const refusal = refuseFunds(world, {
    available: simulatedBalanceOf(world, sender.account, asset) / unit,
    requested: amount,
    unit: asset === 'USDC' ? USDC_UNIT : 1n,
    destination: toAddress,
  })
  if (refusal !== null) return refusal
  if (asset === 'NTZS') noteTransfer(partner, sender, amount)
  const txHash = send(world, asset, sender.account, toAddress, (amount - fee) * unit)
  const feeTxHash =
    fee === 0n ? null : send(world, asset, sender.account, partner.platformAddress, fee * unit)
  const common = { id: newId(world), status: 'completed', txHash, feeTxHash, toAddress }
  const shown = (value: bigint) => Number(asset === 'USDC' ? formatTokens(value, 'USDC') : value)
  const [whole, received, charged] = [shown(amount), shown(amount - fee), shown(fee)]
  const figures =
    asset === 'USDC'
      ? { token: 'usdc', amount: whole, recipientAmount: received, feeAmount: charged }
      : { amountTzs: whole, recipientAmountTzs: received, feeAmountTzs: charged }
  return { status: 201, body: { ...common, ...figures } }
}

/** The wallet that exactly one of toUserId and toAddress names. */
function findTarget(partner: Partner, body: PartnerRequest['body']): string | PartnerRefusal {
  if (hasField(body, 'toUserId') === hasField(body, 'toAddress'))
    return refuse('invalid_transfer', 'exactly one of toUserId and toAddress is required')
  if (hasField(body, 'toUserId')) {
    const id = plainText(body, 'toUserId')
    const target = userSource(partner, id)
    return isRefusal(target) ? target : (partner.users.get(id)?.walletAddress ?? target.account)
  }
  const { toAddress } = body
  if (typeof toAddress === 'string' && isAddress(toAddress)) return toAddress
  return refuse('invalid_address', 'toAddress is no EVM address with a valid checksum')
}

export const TRANSFER_ROUTES: readonly PartnerRoute[] = [
  { method: 'POST', path: '/transfers', capability: 'transfers', isIdempotent: true, answer: createTransfer },
]
