import { z } from 'zod'
import { formatTokens } from '../../../base/money/asset.ts'
import { TREASURY_ASSETS } from '../../../treasury/model/place.ts'
import type {
  Plan,
  PlannedIntent,
  TokenBenchmark,
  TokenForecast,
} from '../../../treasury/model/plan-types.ts'
import { decimal, ms, type Shown } from '../fields.ts'
import { amountOrNull, direction, moneySchema, moneyText, place, rule, token } from './treasury-fields.ts'

/** A week; later times are given without a forecast. */
const HOURS_SHOWN = 168

const step = z.object({
  rule,
  asset: token,
  direction,
  route: z.string(),
  destination: z.string(),
  mostSpent: moneySchema,
  leastReceived: moneySchema,
  costTzs: decimal,
  /** The estimated loss from a side that is off until the next opportunity; null = not estimated. */
  worthTzs: decimal.nullable(),
  arrivesAt: ms,
  latestAt: ms,
  /** Share of such intents that are expected to fail, 0..1. */
  failureOdds: z.number(),
  why: z.string(),
  legs: z.array(z.object({ kind: z.string(), from: place, to: place, spend: moneySchema })),
})

const forecast = z.object({
  asset: token,
  /** The holdings at the end of each hour of a week: expected, and exceeded in 95 % of cases. */
  hours: z.array(z.object({ at: ms, p50: decimal, p95: decimal })),
  runsDryAt: ms.nullable(),
  /** The same in the worst of 20 cases. */
  mayRunDryAt: ms.nullable(),
  refillAt: ms.nullable(),
  reorderLevel: decimal,
  orderUpTo: decimal,
  basis: z.enum(['hour-of-week', 'hour-of-day', 'all-hours', 'none']),
  peaks: z.array(z.object({ name: z.string(), at: ms, outflow: decimal })),
  /** The error of one-day forecasts; null = unknown yet. */
  error: z.object({ days: z.int(), bias: decimal, meanAbsolute: decimal, covered: z.number() }).nullable(),
})

const benchmark = z.object({
  asset: token,
  /** Our levels (s,S) with the lead time, and Miller-Orr's for comparison; null = the flow does not vary. */
  reorderLevel: decimal,
  orderUpTo: decimal,
  millerOrr: z.object({ target: decimal, upper: decimal, average: decimal }).nullable(),
  daysCovered: z.number().nullable(),
})

/** The policy's current plan, the steps it rejects with reasons, and its forecast. */
export const planSchema = z.object({
  steps: z.array(step),
  rejected: z.array(z.object({ rule, route: z.string(), asset: token, direction, why: z.string() })),
  forecast: z.array(forecast),
  benchmarks: z.array(benchmark),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
})
type PlanView = Shown<z.infer<typeof planSchema>>

export function planView(plan: Plan): PlanView {
  return {
    steps: plan.steps.map(stepView),
    rejected: plan.rejected.map((one) => ({ ...one })),
    forecast: TREASURY_ASSETS.flatMap((asset) => {
      const one = plan.forecast[asset]
      return one === null || isOfNothing(one) ? [] : [forecastView(one)]
    }),
    benchmarks: plan.benchmarks.map(benchmarkView),
    warnings: plan.warnings.map(({ code, message }) => ({ code, message })),
  }
}

function stepView(planned: PlannedIntent): PlanView['steps'][number] {
  const { cost, worth, spendAsset, mostSpent, receiveAsset, leastReceived, legs, ...rest } = planned
  return {
    ...rest,
    mostSpent: moneyText(mostSpent, spendAsset),
    leastReceived: moneyText(leastReceived, receiveAsset),
    costTzs: formatTokens(cost, 'NTZS'),
    worthTzs: amountOrNull(worth, 'NTZS'),
    legs: legs.map(({ kind, from, to, amount, asset }) => ({
      kind,
      from,
      to,
      spend: moneyText(amount, asset),
    })),
  }
}

/** A token that is neither held nor kept by the policy does not run dry. */
function isOfNothing({ hours, orderUpTo, reorderLevel }: TokenForecast): boolean {
  return orderUpTo === 0n && reorderLevel === 0n && hours.every(({ p50 }) => p50 === 0n)
}

function forecastView(one: TokenForecast): PlanView['forecast'][number] {
  const { asset, error } = one
  const text = (amount: bigint) => formatTokens(amount, asset)
  return {
    ...one,
    hours: one.hours
      .slice(0, HOURS_SHOWN)
      .map(({ at, p50, p95 }) => ({ at, p50: text(p50), p95: text(p95) })),
    reorderLevel: text(one.reorderLevel),
    orderUpTo: text(one.orderUpTo),
    peaks: one.peaks.map(({ outflow, ...peak }) => ({ ...peak, outflow: text(outflow) })),
    error:
      error === null ? null : { ...error, bias: text(error.bias), meanAbsolute: text(error.meanAbsolute) },
  }
}

function benchmarkView(one: TokenBenchmark): PlanView['benchmarks'][number] {
  const text = (amount: bigint) => formatTokens(amount, one.asset)
  const { millerOrr } = one
  return {
    ...one,
    reorderLevel: text(one.reorderLevel),
    orderUpTo: text(one.orderUpTo),
    millerOrr:
      millerOrr === null
        ? null
        : {
            target: text(millerOrr.target),
            upper: text(millerOrr.upper),
            average: text(millerOrr.average),
          },
  }
}
