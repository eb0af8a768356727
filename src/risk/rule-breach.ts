/**
 * What one rule has to say now. `halt` latches; `safe` pulls both sides to the safe quote; `bid-off`,
 * `ask-off` close a side; `reduce` keeps only the side that brings the inventory back. All but `halt`
 * lift themselves when the condition is gone.
 */
export type RuleBreach = {
  readonly rule: RiskRule
  readonly effect: 'halt' | 'safe' | 'bid-off' | 'ask-off' | 'reduce'
  readonly limit: string
  readonly actual: string
  /** One sentence: what is wrong and what will lift it. */
  readonly message: string
}

/** Every rule's name: the vocabulary of the metric's label and of the runbook. */
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
