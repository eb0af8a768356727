import { isAddress } from 'viem'
import { z } from 'zod'
import { type Asset, parseTokens, type TokenAmount } from '../../../base/money/asset.ts'
import { holderAt, transfer } from '../market/book.ts'
import { happens } from '../market/fill-rows.ts'
import { assetOf } from '../market/tokens.ts'
import { strikes, type VenueState, isoTime } from '../state.ts'
import { answer, type Answer, type Handler, refusal, type SimulatedRefusal } from './request.ts'
import { isSpreadBps, MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'

export const WithdrawalBody = z.object({
  token: z.enum(['ntzs', 'usdc', 'usdt']),
  toAddress: z.string(),
  amount: z.string(),
  chain: z.enum(['base', 'bnb']).default('base'),
})

/**
 * POST /withdraw: sends from the provider's wallet. An active position's capital is in the pool, so withdrawing
 * everything requires a deactivation first.
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
    return refusal('INVALID_ADDRESS', 'toAddress is not an EVM address with a valid checksum')
  const amount = parseTokens(parsed.data.amount, asset)
  if (!amount.ok || amount.value <= 0n)
    return refusal('INVALID_AMOUNT', 'amount must be a positive decimal string')
  if (venue.ours.wallet[asset] < amount.value) {
    const hint = venue.ours.isActive ? '; deactivate the position to withdraw what is in the pool' : ''
    return refusal('INSUFFICIENT_BALANCE', `The wallet holds less than that${hint}`)
  }
  return sendFromWallet(venue, asset, amount.value, toAddress)
}

/** Sends tokens that the wallet holds, unless a fault withholds the answer or the withdrawal. */
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

const Body = z.object({
  bidBps: z.int(),
  askBps: z.int(),
  quoteBid: z.boolean().default(true),
  quoteAsk: z.boolean().default(true),
  quotePairs: z
    .array(z.enum(['USDC', 'USDT', 'TGBP', 'ZARP']))
    .min(1)
    .nullable()
    .default(null),
})
type Spread = z.output<typeof Body>

/** PATCH /spread: idempotent, takes effect at once unless a fault delays or loses it. */
export const writeSpread: Handler = (venue, { body }) => {
  const asked = readSpread(body)
  if ('code' in asked) return asked
  const spread = venue.faults.ignoresPairs ? { ...asked, quotePairs: null } : asked
  return storeSpread(venue, spread)
}

/** Stores a valid spread and repeats its fields in the answer. */
export function storeSpread(
  venue: VenueState,
  spread: Pick<Spread, 'bidBps' | 'askBps'> & Partial<Spread>,
): Answer {
  const { slowPatch, lostPatch } = venue.faults
  if (strikes(venue, 'spread lost', lostPatch.chance)) {
    const applied = happens(lostPatch.applied, venue.random.faults)
    if (applied) apply(venue, spread)
    return { status: 200, body: null, drop: applied ? 'after' : 'before' }
  }
  const delayMs = strikes(venue, 'spread late', slowPatch.chance) ? slowPatch.delayMs : 0
  if (delayMs === 0) apply(venue, spread)
  else venue.timeline.add(venue.now + delayMs, () => apply(venue, spread))
  return answer(200, { ...spread, updatedAt: isoTime(venue.now + delayMs) }, delayMs)
}

function readSpread(body: unknown): Spread | SimulatedRefusal {
  const parsed = Body.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refusal('INVALID_REQUEST', `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`)
  }
  const spread = parsed.data
  if (!isSpreadBps(spread.bidBps) || !isSpreadBps(spread.askBps)) {
    return refusal(
      'SPREAD_OUT_OF_RANGE',
      `bidBps and askBps must be from ${MIN_SPREAD_BPS} to ${MAX_SPREAD_BPS}`,
    )
  }
  if (!spread.quoteBid && !spread.quoteAsk) {
    return refusal(
      'INVALID_REQUEST',
      'quoteBid and quoteAsk cannot both be false; deactivate the position instead',
    )
  }
  return spread
}

function apply(venue: VenueState, spread: Partial<Spread>): void {
  Object.assign(venue.ours, spread)
  venue.spreadUpdatedAt = venue.now
}
