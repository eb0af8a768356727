import type { Ms } from '../base/time.ts'
import type { Event } from '../engine/model/event.ts'
import { SIDES, type Side } from '../money/side.ts'
import { bestBps } from './best-bps.ts'
import type { LookKind } from './looks.ts'
import type { RunState } from './run-state.ts'

/** The probe of the public endpoint; its size does not matter here, the tape says who was best. */
const PROBE = 100n

/**
 * What the first answers of the venue say to a daemon that takes over a position in the market.
 * The references of a tape are taken as they are: what a tape leaves out, a feed that goes silent say, cannot be judged.
 */
export function openingEvents(run: RunState, t: Ms): readonly Event[] {
  const { parts, venue } = run
  const fills = { type: 'fills', t, sentAt: t, fills: [], quarantined: [], repeated: 0 } as const
  const { protocolFeeBps, bidFormula } = parts.core.fees
  const { fair, fairSource: source } = venue
  const isProbed = parts.core.pacing.publicRequestsPerMinute > 0
  return [
    { type: 'started', t, version: 'backtest', config: { ...parts.core, mode: 'live', feeds: [] } },
    { type: 'account', t, request: 0, isActive: true, walletAddress: null },
    rateEvent(run, t),
    ...(source === null ? [] : [{ type: 'reference', t, source, mid: fair } as const]),
    ...(isProbed ? SIDES.map((side) => publicEvent(run, t, side)) : []),
    { ...fills, request: 0, windowFull: false },
    { type: 'balances', t, request: 0, sentAt: t, amounts: { ...venue.pool }, source: 'pool' },
    { ...fills, request: 0, windowFull: false },
    ...SIDES.map((side): Event => ({
      type: 'quoteRead',
      t,
      request: 0,
      side,
      spreadBps: side === 'bid' ? venue.own.bidBps : venue.own.askBps,
      mid: venue.mid,
      protocolFeeBps,
      formula: bidFormula,
    })),
  ]
}

/** What the venue shows to a look of that kind now, for when the answer arrives. Fills are shown once. */
export function lookedAt(run: RunState, kind: LookKind, t: Ms, sentAt: Ms): Event {
  if (kind === 'rate') return rateEvent(run, t)
  if (kind !== 'fills') return publicEvent(run, t, kind === 'publicBid' ? 'bid' : 'ask')
  const fills = run.unseen
  run.unseen = []
  return { type: 'fills', t, request: 0, sentAt, fills, quarantined: [], repeated: 1, windowFull: false }
}

function rateEvent({ venue }: RunState, t: Ms): Event {
  const { mid, rateUpdatedAt, quotable } = venue
  return { type: 'rate', t, request: 0, mid, problem: null, rateUpdatedAt, quotable, venueTime: t }
}

function publicEvent({ venue, parts }: RunState, t: Ms, side: Side): Event {
  return {
    type: 'publicRate',
    t,
    request: 0,
    side,
    probe: PROBE,
    mid: venue.mid,
    bestBps: bestBps(venue, side),
    protocolFeeBps: parts.core.fees.protocolFeeBps,
    lowLiquidity: false,
  }
}
