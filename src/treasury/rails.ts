import { HOUR_MS, type Ms } from '../base/time.ts'
import { backoffMs } from '../base/backoff.ts'
import { TOKEN_UNIT } from '../base/money/asset.ts'
import { RATE_ONE } from '../base/money/rate.ts'
import type { Intent } from './model/intent.ts'
import type { TreasuryAsset } from './model/place.ts'
import { type RailScore, ROUTES } from './model/plan-types.ts'
import type { RailMemory, TreasuryState } from './state.ts'
import type { TreasuryTransition } from './transition.ts'

const REMEMBERED = 100
/** A route pauses after two failures in a row, and longer after each further one. */
const RESTS_AFTER = 2
const LONGEST_REST_MS = 24 * HOUR_MS

/** Records the duration and the cost of an ended intent, or its failure, for its route. */
export function recordOutcome(transition: TreasuryTransition, intent: Intent): void {
  const { state, now } = transition
  const { route, stage, legs } = intent
  const hasFailed = stage === 'refused' || stage === 'reverted' || stage === 'claim' || stage === 'reversed'
  if (stage !== 'settled' && !hasFailed) return
  const rail = (state.rails[route] ??= emptyRail())
  rail.tries += 1
  if (hasFailed) {
    rail.failures += 1
    rail.failuresInARow += 1
    if (rail.failuresInARow < RESTS_AFTER) return
    rail.restedUntil = now + backoffMs(rail.failuresInARow - RESTS_AFTER + 1, HOUR_MS, LONGEST_REST_MS)
    transition.alert(
      'treasury-rail-rested',
      `${route} failed ${rail.failuresInARow} times in a row and pauses: no new intent uses it for now`,
      intent.id,
    )
    return
  }
  rail.failuresInARow = 0
  rail.restedUntil = null
  const sentAt = legs.map((leg) => leg.sentAt).find((at) => at !== null)
  if (sentAt !== undefined && sentAt !== null) rail.durationsMs = last(rail.durationsMs, now - sentAt)
  const costBps = costOf(state, intent)
  if (costBps !== null) rail.costsBps = last(rail.costsBps, costBps)
}

function emptyRail(): RailMemory {
  return { tries: 0, failures: 0, failuresInARow: 0, durationsMs: [], costsBps: [], restedUntil: null }
}

function last(values: readonly number[], value: number): number[] {
  return [...values, value].slice(-REMEMBERED)
}

/** Returns the cost of an intent in bps of the moved value at the mid, a statistic; null = no mid or no cost. */
function costOf({ mid }: TreasuryState, { legs }: Intent): number | null {
  const worth = (asset: TreasuryAsset, amount: bigint): bigint | null => {
    if (asset === 'NTZS') return amount
    return mid === null ? null : (amount * TOKEN_UNIT[asset] * mid) / RATE_ONE
  }
  let lost = 0n
  let moved = 0n
  for (const leg of legs) {
    if (leg.kind === 'lpActivation' || leg.kind === 'lpDeactivation' || leg.received === null) continue
    const spent = worth(leg.asset, leg.quote?.spend ?? leg.amount)
    const received = worth(leg.receiveAsset, leg.received)
    if (spent === null || received === null) return null
    lost += spent - received
    moved = spent > moved ? spent : moved
  }
  return moved === 0n ? null : Number((lost * 1_000_000n) / moved) / 100
}

/** Returns each route's score for the plan. */
export function railScores({ rails, now }: TreasuryState): readonly RailScore[] {
  return ROUTES.map((route) => {
    const { tries, failures, durationsMs, costsBps, restedUntil } = rails[route] ?? emptyRail()
    return {
      route,
      tries,
      failures,
      medianMs: quantile(durationsMs, 0.5),
      p95Ms: quantile(durationsMs, 0.95),
      costBps: quantile(costsBps, 0.5),
      restedUntil: restedUntil !== null && restedUntil > now ? restedUntil : null,
    }
  })
}

/** Returns the quantile by nearest rank; null = there are no values. */
function quantile(values: readonly Ms[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
