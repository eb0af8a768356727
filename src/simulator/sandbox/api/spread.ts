import { z } from 'zod'
import { isSpreadBps, MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { happens } from '../market/fill-rows.ts'
import { isoTime, strikes, type VenueState } from '../state.ts'
import { answer, type Answer, type Handler, refusal, type SimulatedRefusal } from './request.ts'

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

/** PATCH /spread: idempotent, takes effect at once unless a fault makes it slow or loses it. */
export const writeSpread: Handler = (venue, { body }) => {
  const asked = readSpread(body)
  if ('code' in asked) return asked
  const spread = venue.faults.ignoresPairs ? { ...asked, quotePairs: null } : asked
  return storeSpread(venue, spread)
}

/** Takes a spread that is in order, and repeats its fields in the answer. */
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
