import { z } from 'zod'
import { formatTokens, parseTokens } from '../../../base/money/asset.ts'
import {
  DEFAULT_SLIPPAGE_BPS,
  executeSwap,
  type SwapOrder,
  type SwapRefusal,
} from '../market/execute-swap.ts'
import { effectiveRate, type Pair, pricedPairOf, priceSwap } from '../market/price.ts'
import { spreadOn, type VenueFill } from '../market/provider.ts'
import { pickProvider, pickQuoter } from '../market/router.ts'
import { assetOf, type TokenChain } from '../market/tokens.ts'
import { isoTime, type VenueState } from '../state.ts'
import { slippageFrom } from './reads.ts'
import { answer, type Answer, type Handler, refusePublic, type StreamEvent } from './request.ts'

const RATE_VALID_MS = 30_000

/** GET /api/v1/swap/rate: the spread of the provider that would be picked for that size. Public. */
export const readSwapRate: Handler = (venue, { query }) => {
  const wanted = readPublicPair(venue, query)
  if ('status' in wanted) return wanted
  if (venue.now < venue.notQuotableUntil) {
    return refusePublic(503, 'rate_stale', 'the rate is stale; swaps are halted until it is published again')
  }
  const { pair, amountIn } = wanted
  const { options, midNumber } = venue
  const picked = pickProvider(venue.providers, pair, amountIn, venue.mid, options)
  const shown = picked ?? pickQuoter(venue.providers, pair, options)
  if (shown === null) return refusePublic(404, 'no_active_pair', 'no one quotes this pair now')
  const spreadBps = spreadOn(shown, pair.side)
  const { protocolFeeBps, bidFormula } = options
  const price = priceSwap(pair, amountIn, venue.mid, spreadBps, options, DEFAULT_SLIPPAGE_BPS)
  return answer(200, {
    from: wanted.from,
    to: wanted.to,
    amount: Number(formatTokens(amountIn, pair.from)),
    fromChain: wanted.fromChain,
    toChain: wanted.toChain,
    midRate: midNumber,
    bidBps: shown.bidBps,
    askBps: shown.askBps,
    spreadBps,
    protocolFeeBps,
    tzsBuyRate: effectiveRate('bid', midNumber, shown.bidBps, 0, bidFormula),
    tzsSellRate: effectiveRate('ask', midNumber, shown.askBps, 0, bidFormula),
    rate: effectiveRate(pair.side, midNumber, spreadBps, protocolFeeBps, bidFormula),
    expectedOutput: Number(formatTokens(price.net, pair.to)),
    minOutput: Number(formatTokens(price.floor, pair.to)),
    expiresAt: isoTime(venue.now + RATE_VALID_MS),
    lowLiquidity: picked === null,
    liquidityUnknown: false,
  })
}

const Body = z.looseObject({ userId: z.uuid() })

/** A taker's request as the body of POST /api/v1/swap. */
type SwapWish = Pick<SwapOrder, 'pair' | 'amountIn' | 'slippageBps' | 'minOutput'> & {
  readonly userId: string
}

/** POST /api/v1/swap of an unnamed taker, whose wallet is outside of the venue. */
export const takeSwap: Handler = (venue, request) => {
  const { partnerKey } = venue.options
  if (partnerKey !== null && request.authorization !== `Bearer ${partnerKey}`) {
    return { status: 401, body: { error: 'A valid API key is required' } }
  }
  const wish = readSwapWish(venue, request.body)
  return 'status' in wish ? wish : performSwap(venue, wish, request.idempotencyKey ?? null, () => {})
}

/** Both spellings of the contract, `from` and `fromToken`, mean the same. */
export function readSwapWish(venue: VenueState, requestBody: unknown): SwapWish | Answer {
  const body = Body.safeParse(requestBody)
  if (!body.success) return refusePublic(400, 'missing_required_fields', 'userId must be a uuid')
  const fields = body.data
  const wanted = readPublicPair(venue, {
    ...fields,
    from: fields['fromToken'] ?? fields['from'],
    to: fields['toToken'] ?? fields['to'],
  })
  if ('status' in wanted) return wanted
  const slippageBps = slippageFrom(fields['slippageBps'], venue.options.venue)
  const minOutput =
    fields['minOutput'] === undefined ? null : parseTokens(amountText(fields['minOutput']), wanted.pair.to)
  if (slippageBps === null || (minOutput !== null && !minOutput.ok)) {
    return refusePublic(400, 'invalid_amount', 'slippageBps must be 0 to 500 and minOutput a number')
  }
  const { pair, amountIn } = wanted
  return { userId: fields.userId, pair, amountIn, slippageBps, minOutput: minOutput?.value ?? null }
}

/** Settles a taker's swap immediately and reports it as a stream. `onFilled` moves the taker's holdings inside the venue. */
export function performSwap(
  venue: VenueState,
  { userId, ...wish }: SwapWish,
  idempotencyKey: string | null,
  onFilled: (fill: VenueFill) => void,
): Answer {
  const busy = claimWallet(venue, userId, idempotencyKey)
  if (busy !== null) return busy
  const done = executeSwap(venue, { taker: userId, ...wish, maxSpreadBps: null })
  if (!done.ok) return refused(venue, userId, done.error)
  if (idempotencyKey !== null) venue.usedIdempotencyKeys.add(idempotencyKey)
  onFilled(done.value.fill)
  const { inTxHash, outTxHash } = done.value.fill
  return stream(venue, [
    { status: 'CHECKING', message: 'Checking liquidity' },
    { status: 'SENDING', message: 'Sending your tokens to the solver', txHash: inTxHash },
    { status: 'FILLING', message: 'The solver is paying you', txHash: outTxHash },
    { status: 'FILLED', message: 'Done', txHash: outTxHash },
  ])
}

/** A key is used up by a completed swap only: a refusal moved nothing, and the same request may be retried with the key. */
function claimWallet(venue: VenueState, userId: string, key: string | null): Answer | null {
  if (key !== null && venue.usedIdempotencyKeys.has(key)) {
    return refusePublic(409, 'idempotency_key_used', 'this Idempotency-Key was used before')
  }
  if ((venue.swapsInFlight.get(userId) ?? 0) > venue.now) {
    return refusePublic(409, 'transfer_in_flight', 'a swap of this wallet is still running')
  }
  venue.swapsInFlight.set(userId, venue.now + 3 * venue.options.swapStepMs)
  return null
}

function refused(venue: VenueState, userId: string, reason: SwapRefusal): Answer {
  venue.swapsInFlight.delete(userId)
  switch (reason) {
    case 'not-quotable':
      return refusePublic(
        503,
        'rate_stale',
        'the rate is stale; swaps are halted until it is published again',
      )
    case 'below-minimum':
      return refusePublic(409, 'SLIPPAGE_EXCEEDED', 'the price moved below minOutput')
    case 'dust':
      return refusePublic(400, 'invalid_amount', 'the amount is too small to pay anything out')
    case 'no-provider':
    case 'too-wide':
      return stream(venue, [
        { status: 'CHECKING', message: 'Checking liquidity' },
        { status: 'FAILED', error: 'INSUFFICIENT_LIQUIDITY', message: 'no provider covers this swap' },
      ])
  }
}

function stream(venue: VenueState, events: readonly StreamEvent['data'][]): Answer {
  const { swapStepMs } = venue.options
  return {
    status: 200,
    body: null,
    stream: events.map((data, step) => ({ afterMs: step * swapStepMs, data })),
  }
}

type PublicPair = {
  readonly pair: Pair
  readonly amountIn: bigint
  readonly from: string
  readonly to: string
  readonly fromChain: TokenChain
  readonly toChain: TokenChain
}

/** Parses the fields of the public routes: symbols (the shilling under the configured names), chains, an amount. */
export function readPublicPair(
  venue: VenueState,
  fields: Readonly<Record<string, unknown>>,
): PublicPair | Answer {
  const { from, to, amount } = fields
  if (
    typeof from !== 'string' ||
    typeof to !== 'string' ||
    amount === undefined ||
    from === '' ||
    to === ''
  ) {
    return refusePublic(400, 'missing_required_fields', 'from, to and amount are required')
  }
  const fromChain = fields['fromChain'] ?? 'base'
  const toChain = fields['toChain'] ?? 'base'
  if (!isChain(fromChain) || !isChain(toChain)) return refusePublic(400, 'invalid_chain', 'unknown chain')
  const fromAsset = assetOf(lpSymbol(venue, from), fromChain)
  const toAsset = assetOf(lpSymbol(venue, to), toChain)
  const pair = fromAsset === null || toAsset === null ? null : pricedPairOf(fromAsset, toAsset)
  // The partner API swaps USDT on bnb to the token but not back.
  if (pair === null || pair.to === 'USDT.bnb') {
    if (venue.options.venue === 'measured')
      return { status: 400, body: { error: 'Unsupported tokens. Valid: NTZS, USDC, USDT' } }
    return refusePublic(400, 'invalid_token', `${from} to ${to} is not a supported pair`)
  }
  const parsed = parseTokens(amountText(amount), pair.from)
  if (!parsed.ok || parsed.value <= 0n) {
    return refusePublic(400, 'invalid_amount', "amount must be a positive number within the token's decimals")
  }
  return { pair, amountIn: parsed.value, from, to, fromChain, toChain }
}

/** Returns a JSON number or a decimal string as text; empty, which is not an amount, for anything else. */
function amountText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : ''
}

/** Returns our symbol for a public one; null = not a configured shilling name. */
function lpSymbol(venue: VenueState, symbol: string): string {
  const { shillingSymbol } = venue.options
  if (venue.options.venue === 'measured') return symbol
  const names: readonly string[] = typeof shillingSymbol === 'string' ? [shillingSymbol] : shillingSymbol
  if (names.includes(symbol)) return 'NTZS'
  return symbol === 'NTZS' ? 'unknown' : symbol
}

function isChain(value: unknown): value is TokenChain {
  return value === 'base' || value === 'bnb'
}
