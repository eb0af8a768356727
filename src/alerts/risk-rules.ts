import { critical, info, warning, type Entry } from './entry.ts'

/** A rule that halts trading. Its breach is critical, and people hear of it as the halt itself, which has the advice. */
type Halting = Entry & { readonly halts: true }
const halts: Halting = { severity: 'critical', advice: null, halts: true }

const COMPARE_THE_MID =
  'compare the mid with another source; `mizani resume --accept-mid VALUE` adopts the one that waits'

/** Every rule of risk: how grave its breach is and what to do about it. The metric's label and the runbook have the names. */
export const RISK_RULES = {
  operator: halts,
  paused: info(),
  // People hear of it by the alert guard-lost.
  guard: info(),
  auth: halts,
  'solver-changed': {
    ...halts,
    advice:
      'ask the venue; then stop the daemon, confirm the new solver with `mizani custody enable --solver ADDRESS`, start it and resume',
  },
  'cannot-value': halts,
  'mid-missing': warning('`mizani check` shows what the venue sends'),
  'mid-age': warning(
    'nothing over a weekend; on a working day ask the venue, or raise risk.maxMidAgeMs knowingly',
  ),
  'mid-undated': warning('ask the venue if it stays'),
  'mid-step': warning(COMPARE_THE_MID),
  'mid-move': critical(COMPARE_THE_MID),
  'price-corridor': critical(
    'either a source is wrong or the market has left your corridor: compare with another source before risk.priceCorridor.min or .max is moved, which needs a restart',
  ),
  'venue-clock': critical('compare the clock of this machine with another one, then ask the venue'),
  'mid-invalid': warning('ask the venue if it stays'),
  'not-quotable': warning('nothing: it lifts when the venue quotes again'),
  'reference-deviation': critical(
    'compare the mid and the feeds with a third source before anything else: one of them is wrong',
  ),
  'inventory-limit': warning('bring tokens, or wait for fills of the other side'),
  loss: halts,
  drawdown: halts,
  'fills-per-minute': warning('compare your spread with the best one: you may be the cheapest by mistake'),
  'volume-per-day': warning('nothing, or raise risk.maxVolumePerDayUsd knowingly'),
  'error-cycles': warning('nothing if the venue is down; otherwise `mizani check` shows what it answers'),
  'fills-gap': warning(
    'wait a minute; if it stays, find out what differs and book it with `mizani resume --book deposit|withdrawal|adjustment`',
  ),
  'unexplained-balance': halts,
  'quote-not-held': halts,
  // People hear of it at the first reading; the halt after the second one is a halt of its own.
  'foreign-hand': critical(
    'exchange the key at the venue first; then find out where the funds went and book them with `mizani resume --book withdrawal`',
  ),
  unreadable: critical(
    'the text has the route and the field: ask the venue; `mizani resume` accepts a row of fills once the balances match',
  ),
  'fill-price': halts,
  'foreign-write': critical(
    'if it was nobody of yours, exchange the key first; then `mizani activate`, or `mizani resume` after a spread',
  ),
  'wallet-changed': halts,
  'unasked-pairs': warning('ask the venue; `quote.pairs: null` takes all pairs knowingly'),
  review: warning('look at the fills, then `mizani resume`'),
  'strategy-suspended': warning('mend the strategy and save it, or `mizani resume` to try it as it is'),
  crossed: warning("mend the strategy's parameters"),
  'out-of-range': info(),
  withdrawal: warning('if nobody of yours asked for a withdrawal, rotate the key first'),
  shutdown: info(),
  deactivating: info(),
} as const satisfies Readonly<Record<string, Entry | Halting>>

export type RiskRule = keyof typeof RISK_RULES
export const RISK_RULE_NAMES = Object.keys(RISK_RULES) as readonly RiskRule[]

export function isRiskRule(code: string): code is RiskRule {
  return Object.hasOwn(RISK_RULES, code)
}

export function isHalting(rule: RiskRule): boolean {
  return 'halts' in RISK_RULES[rule]
}
