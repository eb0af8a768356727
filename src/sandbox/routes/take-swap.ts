import { z } from 'zod'
import { parseAmount } from '../../money/amount.ts'
import { executeSwap, type SwapRefusal } from '../execute-swap.ts'
import { refusePublic } from '../venue-error.ts'
import type { VenueState } from '../venue-state.ts'
import type { Answer, StreamEvent } from '../venue-request.ts'
import type { Handler } from './handler.ts'
import { amountText, readPublicPair } from './public-pair.ts'
import { slippageFrom } from './read-quote.ts'

const Body = z.looseObject({ userId: z.uuid() })

/** POST /api/v1/swap: a taker's swap, settled when asked for and told as a stream. */
export const takeSwap: Handler = (venue, request) => {
  const { partnerKey } = venue.options
  if (partnerKey !== null && request.authorization !== `Bearer ${partnerKey}`) {
    return { status: 401, body: { error: 'A valid API key is required' } }
  }
  const body = Body.safeParse(request.body)
  if (!body.success) return refusePublic(400, 'missing_required_fields', 'userId must be a uuid')
  const fields = body.data
  const wanted = readPublicPair(venue, {
    ...fields,
    from: fields['fromToken'] ?? fields['from'],
    to: fields['toToken'] ?? fields['to'],
  })
  if ('status' in wanted) return wanted
  const slippageBps = slippageFrom(fields['slippageBps'])
  const minOutput =
    fields['minOutput'] === undefined ? null : parseAmount(amountText(fields['minOutput']), wanted.pair.to)
  if (slippageBps === null || (minOutput !== null && !minOutput.ok)) {
    return refusePublic(400, 'invalid_amount', 'slippageBps must be 0 to 500 and minOutput a number')
  }
  const busy = claimWallet(venue, fields.userId, request.idempotencyKey ?? null)
  if (busy !== null) return busy
  const { pair, amountIn } = wanted
  const done = executeSwap(venue, {
    taker: fields.userId,
    pair,
    amountIn,
    slippageBps,
    maxSpreadBps: null,
    minOutput: minOutput?.value ?? null,
  })
  if (!done.ok) return refused(venue, fields.userId, done.error)
  if (request.idempotencyKey !== undefined && request.idempotencyKey !== null)
    venue.usedIdempotencyKeys.add(request.idempotencyKey)
  const { inTxHash, outTxHash } = done.value.fill
  return stream(venue, [
    { status: 'CHECKING', message: 'Checking liquidity' },
    { status: 'SENDING', message: 'Sending your tokens to the solver', txHash: inTxHash },
    { status: 'FILLING', message: 'The solver is paying you', txHash: outTxHash },
    { status: 'FILLED', message: 'Done', txHash: outTxHash },
  ])
}

/** A key is used by a swap that took place: a refusal moved nothing, and the same request may come again under it. */
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
