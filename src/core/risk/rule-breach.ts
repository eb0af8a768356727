import type { RiskRule } from '../alerts/risk-rules.ts'

/**
 * A rule that is breached now. `halt` latches; `safe` moves both sides to the safe quote; `bid-off` and `ask-off` close one
 * side; `reduce` keeps only the side that reduces the inventory imbalance. All but `halt` lift once the condition is gone.
 */
export type RuleBreach = {
  readonly rule: RiskRule
  readonly effect: 'halt' | 'safe' | 'bid-off' | 'ask-off' | 'reduce'
  readonly limit: string
  readonly actual: string
  /** One sentence: the cause, and the condition that lifts it. */
  readonly message: string
}

/** Returns the breach of a rule that halts trading. */
export function halts(rule: RiskRule, limit: string, actual: string, message: string): RuleBreach {
  return { rule, effect: 'halt', limit, actual, message }
}

/** Returns the breach of a rule that moves both sides to the safe quote. */
export function safe(rule: RiskRule, limit: string, actual: string, message: string): RuleBreach {
  return { rule, effect: 'safe', limit, actual, message }
}
