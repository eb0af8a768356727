import type { RiskRule } from '../alerts/risk-rules.ts'

/**
 * A rule that is breached now. `halt` latches; `safe` moves both sides to the safe quote; `bid-off` and `ask-off`
 * close a side; `reduce` keeps only the side that reduces the inventory imbalance. All but `halt` lift themselves
 * when the condition is gone.
 */
export type RuleBreach = {
  readonly rule: RiskRule
  readonly effect: 'halt' | 'safe' | 'bid-off' | 'ask-off' | 'reduce'
  readonly limit: string
  readonly actual: string
  /** One sentence: what is wrong and what will lift it. */
  readonly message: string
}
