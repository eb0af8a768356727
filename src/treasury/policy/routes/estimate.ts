import { HOUR_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'
import { nextTransferWindow } from '../calendar/bank-hours.ts'
import type { PlanInput, PlannedIntent, RouteName } from '../../model/plan-types.ts'
import { SHILLING, bpsOfAmount } from '../units.ts'

/**
 * Assumptions about a route until outcomes are known: fees from published tariffs and the contract's examples, times
 * from the contract. `fixedTzs` per payment, `bps` of the moved value.
 */
type Tariff = {
  readonly fixedTzs: bigint
  readonly bps: number
  readonly medianMs: Ms
  readonly p95Ms: Ms
  readonly failureOdds: number
  /** Bound to the banks' transfer hours. */
  readonly isBankHours: boolean
}

const TARIFFS: Readonly<Record<RouteName, Tariff>> = {
  'bank-deposit': {
    fixedTzs: 2_500n,
    bps: 0,
    medianMs: 2 * HOUR_MS,
    p95Ms: 6 * HOUR_MS,
    failureOdds: 0.02,
    isBankHours: true,
  },
  rebalance: {
    fixedTzs: 0n,
    bps: 0,
    medianMs: 2 * MINUTE_MS,
    p95Ms: 10 * MINUTE_MS,
    failureOdds: 0.005,
    isBankHours: false,
  },
  swap: {
    fixedTzs: 0n,
    bps: 70,
    medianMs: 3 * MINUTE_MS,
    p95Ms: 15 * MINUTE_MS,
    failureOdds: 0.1,
    isBankHours: false,
  },
  onramp: {
    fixedTzs: 500n,
    bps: 100,
    medianMs: 5 * MINUTE_MS,
    p95Ms: 30 * MINUTE_MS,
    failureOdds: 0.05,
    isBankHours: false,
  },
  offramp: {
    fixedTzs: 500n,
    bps: 100,
    medianMs: 5 * MINUTE_MS,
    p95Ms: 30 * MINUTE_MS,
    failureOdds: 0.05,
    isBankHours: false,
  },
  payout: {
    fixedTzs: 2_000n,
    bps: 50,
    medianMs: 10 * MINUTE_MS,
    p95Ms: 2 * HOUR_MS,
    failureOdds: 0.03,
    isBankHours: false,
  },
}

/** An assumption weighs as much as this many outcomes. */
const PRIOR_TRIES = 4
/** The cost of a failure in a person's time, in addition to the fees. */
const FAILURE_COST = 10_000n * SHILLING
/** Taking tokens out of the pool needs a deactivation, an approval that the venue honours, and a transfer. */
const OUT_OF_POOL_MS = 10 * MINUTE_MS

type Estimate = Pick<PlannedIntent, 'cost' | 'arrivesAt' | 'latestAt' | 'failureOdds'>

export type Journey = {
  readonly route: RouteName
  /** The moved value in base units of NTZS, and its number of payments. */
  readonly value: bigint
  readonly payments: number
  readonly isOutOfPool: boolean
}

/** Returns cost, time and odds of a journey that starts at `start`: the tariff, corrected by outcomes. */
export function estimate({ rails, config }: PlanInput, journey: Journey, start: Ms): Estimate {
  const tariff = TARIFFS[journey.route]
  const rail = rails.find(({ route }) => route === journey.route)
  const tries = rail?.tries ?? 0
  const share = tries / (tries + PRIOR_TRIES)
  const expected =
    tariff.fixedTzs * SHILLING * BigInt(journey.payments) + bpsOfAmount(journey.value, tariff.bps)
  const seen = typeof rail?.costBps === 'number' ? bpsOfAmount(journey.value, rail.costBps) : expected
  const odds = ((rail?.failures ?? 0) + tariff.failureOdds * PRIOR_TRIES) / (tries + PRIOR_TRIES)
  const fees = blend(expected, seen, share)
  const failing = bpsOfAmount(FAILURE_COST + fees, odds * 10_000)
  const lead = config.policy.leadTimeMs
  const [priorMedian, priorP95] = tariff.isBankHours
    ? [Math.min(tariff.medianMs, lead), lead]
    : [Math.min(tariff.medianMs, lead), Math.min(tariff.p95Ms, lead)]
  const median = weigh(priorMedian, rail?.medianMs ?? priorMedian, share)
  const p95 = Math.max(median, weigh(priorP95, rail?.p95Ms ?? priorP95, share))
  const opens = tariff.isBankHours ? nextTransferWindow(config.calendar, start) : start
  const before = opens + (journey.isOutOfPool ? OUT_OF_POOL_MS : 0)
  return { cost: fees + failing, arrivesAt: before + median, latestAt: before + p95, failureOdds: odds }
}

/** Returns the highest cost of a payment within its envelope, in base units of NTZS. */
export function mostFee(route: RouteName, value: bigint): bigint {
  const { fixedTzs, bps } = TARIFFS[route]
  const likely = fixedTzs * SHILLING + bpsOfAmount(value, bps)
  return 2n * (likely - (likely % SHILLING))
}

/** Returns a route's cost in bps, from assumption and outcomes. */
export function expectedBps({ rails }: PlanInput, route: RouteName): number {
  const rail = rails.find((one) => one.route === route)
  const tries = rail?.tries ?? 0
  return weigh(TARIFFS[route].bps, rail?.costBps ?? TARIFFS[route].bps, tries / (tries + PRIOR_TRIES))
}

function weigh(prior: number, seen: number, share: number): number {
  return prior + share * (seen - prior)
}

function blend(prior: bigint, seen: bigint, share: number): bigint {
  return prior + ((seen - prior) * BigInt(Math.round(share * 10_000))) / 10_000n
}
