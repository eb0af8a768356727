import { TREASURY_ASSETS, type TreasuryAsset } from '../model/place.ts'
import { benchmarkOf } from './benchmark.ts'
import { calendarWarning } from './calendar/bank-hours.ts'
import { needOf, type Need } from './needs.ts'
import { planSkim } from './plan-payout.ts'
import { decideRefill } from './plan-refill.ts'
import type { Plan, PlanInput } from '../model/plan-types.ts'

type Needs = Readonly<Record<TreasuryAsset, Need>>

/**
 * Returns the policy's plan: for each token that would not last until a later refill, the cheapest refill including the
 * cost of delay; and the skim of profits when it is due. Pure. At most one step for each (rule, token, direction); no
 * step while the position is halted.
 */
export function plan(input: PlanInput): Plan {
  const needs: Needs = {
    NTZS: needOf(input, 'NTZS'),
    USDC: needOf(input, 'USDC'),
    USDT: needOf(input, 'USDT'),
  }
  const decisions = TREASURY_ASSETS.map((asset) => decideRefill(input, needs, asset))
  const refills = decisions.flatMap(({ step }) => (step === null ? [] : [step]))
  const skims = planSkim(input, needs, refills)
  // An unread holding is unknown, not 0, and has no forecast.
  const isRead = input.holdings.pool !== null && input.holdings.lpWallet !== null
  const forecastOf = (index: number) => (isRead ? (decisions[index]?.forecast ?? null) : null)
  return {
    steps: [...refills, ...skims.steps],
    rejected: [...decisions.flatMap(({ rejected }) => rejected), ...skims.rejected],
    forecast: { NTZS: forecastOf(0), USDC: forecastOf(1), USDT: forecastOf(2) },
    benchmarks: decisions.flatMap(({ forecast }) => {
      const benchmark = benchmarkOf(input, needs[forecast.asset], forecast.reorderLevel)
      return benchmark === null ? [] : [benchmark]
    }),
    warnings: [...warningsOf(input), ...decisions.flatMap(({ warnings }) => warnings)],
  }
}

function warningsOf({ config, now }: PlanInput): Plan['warnings'] {
  const warning = calendarWarning(config.calendar, now)
  return warning === null ? [] : [warning]
}
