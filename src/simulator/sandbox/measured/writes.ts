import { isAddress, zeroAddress } from 'viem'
import { z } from 'zod'
import { parseTokens } from '../../../base/money/asset.ts'
import { isSpreadBps, MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { EMPTY_500, type Handler, refusal } from '../api/request.ts'
import { storeSpread } from '../api/spread.ts'
import { sendFromWallet, WithdrawalBody } from '../api/withdraw.ts'
import { assetOf } from '../market/tokens.ts'

const SpreadBody = z.object({ bidBps: z.number(), askBps: z.number() })

/** PATCH /spread: flags of sides and pairs are ignored. */
export const writeMeasuredSpread: Handler = (venue, { body }) => {
  const parsed = SpreadBody.safeParse(body)
  const spreads = parsed.success ? [parsed.data.bidBps, parsed.data.askBps] : []
  if (!parsed.success || spreads.some((bps) => bps < MIN_SPREAD_BPS || bps > MAX_SPREAD_BPS))
    return refusal(
      'SPREAD_OUT_OF_RANGE',
      `Invalid spread values (${MIN_SPREAD_BPS}–${MAX_SPREAD_BPS} bps each)`,
    )
  // The column is an integer, and the route does not look before it writes.
  return spreads.every(isSpreadBps) ? storeSpread(venue, parsed.data) : EMPTY_500
}

/** POST /withdraw. */
export const writeMeasuredWithdrawal: Handler = (venue, { body }) => {
  const parsed = WithdrawalBody.safeParse(body)
  if (!parsed.success) return refusal('INVALID_REQUEST', 'Invalid request')
  const { token, toAddress, chain } = parsed.data
  const asset = assetOf(token.toUpperCase(), chain)
  if (asset === null) return refusal('INVALID_REQUEST', 'Invalid token')
  if (!isAddress(toAddress) || toAddress === zeroAddress)
    return refusal('INVALID_ADDRESS', 'Invalid destination address')
  const amount = parseTokens(parsed.data.amount, asset)
  if (!amount.ok) return EMPTY_500
  if (amount.value <= 0n) return refusal('INVALID_AMOUNT', 'Invalid amount')
  if (venue.ours.wallet[asset] < amount.value) return refusal('INSUFFICIENT_BALANCE', 'Insufficient balance')
  return sendFromWallet(venue, asset, amount.value, toAddress, { chain })
}
