import { isAddress } from 'viem'
import { z } from 'zod'
import { type Asset, parseTokens, type TokenAmount } from '../../../base/money/asset.ts'
import { holderAt } from '../market/accounts.ts'
import { transfer } from '../market/book.ts'
import { happens } from '../market/fill-rows.ts'
import { assetOf } from '../market/tokens.ts'
import { strikes, type VenueState } from '../state.ts'
import { answer, type Answer, type Handler, refusal } from './request.ts'

export const WithdrawalBody = z.object({
  token: z.enum(['ntzs', 'usdc', 'usdt']),
  toAddress: z.string(),
  amount: z.string(),
  chain: z.enum(['base', 'bnb']).default('base'),
})

/**
 * POST /withdraw: sends from the provider's wallet. An active position has its capital in the pool, so
 * the full balance needs a deactivation first.
 */
export const writeWithdrawal: Handler = (venue, { body }) => {
  const parsed = WithdrawalBody.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = issue?.path[0]
    if (field === 'amount') return refusal('INVALID_AMOUNT', 'amount: expected a decimal string')
    if (field === 'toAddress') return refusal('INVALID_ADDRESS', 'toAddress: expected an EVM address')
    return refusal('INVALID_REQUEST', `${String(field ?? 'body')}: ${issue?.message ?? 'invalid'}`)
  }
  const { token, toAddress, chain } = parsed.data
  const asset = assetOf(token.toUpperCase(), chain)
  if (asset === null) return refusal('INVALID_REQUEST', `${token} is not on ${chain}`)
  if (!isAddress(toAddress))
    return refusal('INVALID_ADDRESS', 'toAddress is no EVM address with a valid checksum')
  const amount = parseTokens(parsed.data.amount, asset)
  if (!amount.ok || amount.value <= 0n)
    return refusal('INVALID_AMOUNT', 'amount must be a positive decimal string')
  if (venue.ours.wallet[asset] < amount.value) {
    const hint = venue.ours.isActive ? '; deactivate the position to withdraw what is in the pool' : ''
    return refusal('INSUFFICIENT_BALANCE', `The wallet holds less than that${hint}`)
  }
  return sendFromWallet(venue, asset, amount.value, toAddress)
}

/** Sends what the wallet is known to hold, unless a fault keeps the answer or the withdrawal. */
export function sendFromWallet(
  venue: VenueState,
  asset: Asset,
  amount: TokenAmount,
  toAddress: string,
  extra: object = {},
): Answer {
  const { chance, applied } = venue.faults.ambiguousWithdraw
  const isLost = strikes(venue, 'withdrawal lost', chance)
  if (isLost && !happens(applied, venue.random.faults)) return { status: 200, body: null, drop: 'before' }
  venue.ours.wallet[asset] -= amount
  holderAt(venue, toAddress)[asset] += amount
  const sent = transfer(venue, 'withdrawal', asset, amount, toAddress)
  venue.ours.transfers.push(sent)
  if (isLost) return { status: 200, body: null, drop: 'after' }
  return answer(200, { txHash: sent.txHash, status: 'confirmed', ...extra }, venue.options.withdrawalDelayMs)
}
