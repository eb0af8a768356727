import { isAddress } from 'viem'
import { formatTokens, TOKEN_DECIMALS } from '../../../base/money/asset.ts'
import { answer, type Answer } from '../api/request.ts'
import { hasField, plainText, SHILLING_UNITS, tokenAmount, wholeTzs } from './kit/fields.ts'
import { newId } from './kit/ids.ts'
import { type PartnerRequest, refuse, type RequestFields } from './kit/request.ts'
import type { Partner } from './model/partner.ts'
import { checkBalance, checkMoving, checkTransferCaps, noteTransfer } from './money/caps.ts'
import { bpsOf } from './money/fees.ts'
import { userSource } from './money/source.ts'
import { send, unitsAt } from './money/tokens.ts'

/** POST /transfers: synchronous; the sender pays the partner's own fee out of the amount. */
export function postTransfer(partner: Partner, { body }: PartnerRequest): Answer {
  const { world } = partner
  const shilling = world.venue.options.venue === 'measured' ? 'NTZS' : 'TZS_TOKEN'
  const token = body['token'] ?? shilling
  if (token !== shilling && token !== 'USDC')
    return refuse('invalid_token', `token must be ${shilling} or USDC`)
  const isUsdc = token === 'USDC'
  const [asset, unit, field, decimals] = isUsdc
    ? (['USDC', 1n, 'amount', TOKEN_DECIMALS.USDC] as const)
    : (['NTZS', SHILLING_UNITS, 'amountTzs', 0] as const)
  if (!hasField(body, 'fromUserId') || !hasField(body, field))
    refuse('missing_required_fields', `fromUserId and ${field} are required`)
  const amount =
    (isUsdc ? tokenAmount(body[field], 'USDC') : wholeTzs(body[field])) ??
    refuse('invalid_amount', `${field} must be a positive number of the token`)
  const sender = userSource(partner, plainText(body, 'fromUserId'))
  const toAddress = readRecipient(partner, body)
  const fee = bpsOf(amount, world.settings.fees.transferBps)
  if (!isUsdc) checkTransferCaps(partner, sender, amount)
  checkMoving(world, toAddress)
  checkBalance(world, unitsAt(world, sender.account, asset) / unit, amount, decimals)
  if (!isUsdc) noteTransfer(partner, sender, amount)
  const txHash = send(world, asset, sender.account, toAddress, (amount - fee) * unit)
  const feeTxHash =
    fee === 0n ? null : send(world, asset, sender.account, partner.platformAddress, fee * unit)
  const dollars = (value: bigint) => Number(formatTokens(value, 'USDC'))
  const figures = isUsdc
    ? {
        token: 'usdc',
        amount: dollars(amount),
        recipientAmount: dollars(amount - fee),
        feeAmount: dollars(fee),
      }
    : { amountTzs: amount, recipientAmountTzs: amount - fee, feeAmountTzs: fee }
  return answer(201, { id: newId(world), status: 'completed', txHash, feeTxHash, toAddress, ...figures })
}

/** The wallet that exactly one of toUserId and toAddress names. */
function readRecipient(partner: Partner, body: RequestFields): string {
  if (hasField(body, 'toUserId') === hasField(body, 'toAddress'))
    refuse('invalid_transfer', 'exactly one of toUserId and toAddress is required')
  if (hasField(body, 'toUserId')) {
    const id = plainText(body, 'toUserId')
    const { account } = userSource(partner, id)
    return partner.users.get(id)?.walletAddress ?? account
  }
  const { toAddress } = body
  if (typeof toAddress === 'string' && isAddress(toAddress)) return toAddress
  return refuse('invalid_address', 'toAddress is not an EVM address with a valid checksum')
}
