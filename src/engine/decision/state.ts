import type { Ms } from '../../base/time.ts'
import type { RuleBreach } from '../../risk/rule-breach.ts'
import type { TradingState } from '../model/observation.ts'

/** The latest approved decision and why. */
export type Decision = {
  at: Ms
  tradingState: TradingState
  findings: readonly RuleBreach[]
}
