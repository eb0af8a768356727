/**
 * The codes of the core's alerts that a person should hear of, with the severities they come with. Each has
 * an entry in docs/runbook.md. The codes of halts are those of the rules of risk that halt.
 */
export const ALERT_CODES: Readonly<Record<string, readonly ('warning' | 'critical')[]>> = {
  auth: ['critical'],
  'solver-changed': ['critical'],
  'cannot-value': ['critical'],
  loss: ['critical'],
  drawdown: ['critical'],
  'unexplained-balance': ['critical'],
  'quote-not-held': ['critical'],
  'fill-price': ['warning', 'critical'],
  'not-active': ['critical'],
  'foreign-hand': ['critical'],
  review: ['warning'],
  mid: ['warning'],
  'mid-adopted': ['warning'],
  'feed-dropped': ['warning'],
  'fill-unexplained': ['warning'],
  'quote-stuck': ['critical'],
  'reload-refused': ['warning'],
  'withdrawal-unknown': ['critical'],
  'partial-deactivation': ['critical'],
  'order-rejected': ['warning', 'critical'],
  'order-unknown': ['critical'],
  'orders-left': ['critical'],
  'promise-over-balance': ['critical'],
  'fill-undone': ['warning'],
  'chain-disagrees': ['warning'],
  'cancel-failed': ['warning'],
}
