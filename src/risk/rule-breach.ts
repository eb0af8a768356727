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

/** Every rule's name, as the metric's label and the runbook have it. */
export type RiskRule =
  | 'operator'
  | 'paused'
  | 'auth'
  | 'solver-changed'
  | 'cannot-value'
  | 'mid-missing'
  | 'mid-age'
  | 'mid-undated'
  | 'mid-step'
  | 'mid-move'
  | 'price-corridor'
  | 'venue-clock'
  | 'mid-invalid'
  | 'not-quotable'
  | 'reference-deviation'
  | 'inventory-limit'
  | 'loss'
  | 'drawdown'
  | 'fills-per-minute'
  | 'volume-per-day'
  | 'error-cycles'
  | 'fills-gap'
  | 'unexplained-balance'
  | 'quote-not-held'
  | 'unasked-pairs'
  | 'foreign-hand'
  | 'foreign-write'
  | 'wallet-changed'
  | 'fill-price'
  | 'review'
  | 'strategy-suspended'
  | 'crossed'
  | 'out-of-range'
  | 'withdrawal'
  | 'shutdown'
