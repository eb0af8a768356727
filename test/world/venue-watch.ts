import { MINUTE_MS, type Ms } from '../../src/base/time.ts'
import { type Amounts, bookAmounts } from '../../src/base/money/asset.ts'
import type { Spread } from '../../src/core/engine/model/effect.ts'
import type { VenueModel } from '../../src/simulator/sandbox/model.ts'
import { violated } from './step.ts'

/** The venue's truth at the moment it carried out a GET /balances, as book amounts. */
export type ReadingTruth = {
  readonly pool: Amounts
  readonly wallet: Amounts
  readonly isActive: boolean
  readonly fills: number
}

/** An independent eye on the venue: what really stands, what was asked, what was true when. */
export type VenueWatch = {
  /** Counts the changes of the spread that the venue holds for us. */
  version: number
  changedAt: Ms
  /** The version that the answer of a PATCH confirmed, by request. */
  readonly confirmed: Map<number, number>
  readonly readings: Map<number, ReadingTruth>
  /** When something last happened that the daemon can neither know nor prevent. */
  troubleAt: Ms
  /** Requests of the key that have reached the venue in the last minute. */
  readonly arrivals: Ms[]
  requests: number
  /** From now on the venue may hold this one: it is on its way there. */
  readonly expect: (spread: Spread) => void
  readonly noteReading: (request: number) => void
  readonly arrived: (now: Ms) => void
  /** Looks at the venue; call it whenever the venue may have changed. */
  readonly look: (now: Ms) => void
  readonly trouble: (now: Ms) => void
  readonly holds: (spread: Spread) => boolean
}

const KEPT_READINGS = 50

export function createVenueWatch(model: VenueModel, limit: number): VenueWatch {
  const { ours } = model.state
  const known = new Set([keyOf(ours)])
  let seen = { ...ours }
  const watch: VenueWatch = {
    version: 0,
    changedAt: model.state.now,
    confirmed: new Map(),
    readings: new Map(),
    troubleAt: model.state.now,
    arrivals: [],
    requests: 0,
    expect: (spread) => void known.add(keyOf(spread)),
    noteReading(request) {
      const { pool, wallet, isActive, fills } = ours
      const { readings } = watch
      readings.set(request, {
        pool: bookAmounts(pool),
        wallet: bookAmounts(wallet),
        isActive,
        fills: fills.length,
      })
      // Those whose answer was lost are never asked for.
      if (readings.size > KEPT_READINGS) readings.delete(readings.keys().next().value ?? 0)
    },
    arrived(now) {
      const { arrivals } = watch
      watch.requests += 1
      while (arrivals[0] !== undefined && arrivals[0] <= now - MINUTE_MS) arrivals.shift()
      arrivals.push(now)
      if (arrivals.length > limit)
        violated(`${arrivals.length} requests in a minute, the venue allows ${limit}`)
    },
    look(now) {
      if (
        ours.bidBps === seen.bidBps &&
        ours.askBps === seen.askBps &&
        ours.quoteBid === seen.quoteBid &&
        ours.quoteAsk === seen.quoteAsk &&
        ours.quotePairs === seen.quotePairs
      )
        return
      seen = { ...ours }
      watch.version += 1
      watch.changedAt = now
      if (!known.has(keyOf(ours))) violated(`the venue quotes ${keyOf(ours)}, which no one has asked for`)
    },
    trouble(now) {
      watch.troubleAt = Math.max(watch.troubleAt, now)
    },
    holds: (spread) => keyOf(spread) === keyOf(ours),
  }
  return watch
}

function keyOf({ bidBps, askBps, quoteBid, quoteAsk, quotePairs }: Spread): string {
  return `${bidBps}/${askBps} ${quoteBid}/${quoteAsk} ${quotePairs === null ? 'all' : quotePairs.toSorted().join()}`
}
