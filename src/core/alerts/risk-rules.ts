import { critical, info, warning, type Entry } from './entry.ts'

/** A rule that halts trading. Its breach is critical and is notified as the halt. */
type Halting = Entry & { readonly halts: true }

function halting(title: string, advice: string): Halting {
  return { severity: 'critical', title, advice, halts: true }
}

const COMPARE_THE_MID =
  '`mizani status` shows the mid in force and the one that waits; compare both with another source; if the new one is right, `mizani resume --accept-mid VALUE`'
const ASK_ABOUT_MID = '`mizani check` shows what the venue sends; ask the venue if it stays'
const SETTLE_LOSS =
  '`mizani status` shows the PnL by component; then raise the limit in the file, or stop trading: `mizani deactivate`; `mizani resume` once the limit is no longer exceeded'

/** Every risk rule with the severity of its breach and the steps to take. The metric's label and the runbook use the names. */
export const RISK_RULES = {
  operator: halting('An operator halted trading', '`mizani resume` when the cause is settled'),
  paused: info('An operator paused trading', '`mizani resume` when the cause is settled'),
  // The alert guard-lost notifies operators of it.
  guard: info('The lease at the guard is not held', '`mizani guard status` shows what the guard does'),
  auth: halting(
    'The venue refuses the key',
    '`mizani check` shows whether the key or its permissions are refused; set the spread or deactivate in the dashboard of the venue; put a new key in place, then `mizani reload` and `mizani resume`',
  ),
  'solver-changed': halting(
    'The venue names a different solver from the confirmed one',
    'ask the venue through another channel; if it confirms the new solver, stop the daemon and run `mizani custody enable --solver ADDRESS`; start it, then `mizani resume`',
  ),
  'cannot-value': halting(
    'The position cannot be valued while a loss limit is set',
    '`mizani check` shows why there is no mid; `mizani resume` once there is one',
  ),
  'mid-missing': warning('The venue has sent no usable mid', ASK_ABOUT_MID),
  'mid-age': warning(
    'The mid is too old',
    'wait over a weekend or a holiday; on a working day ask the venue; `mizani status` shows the age of the mid',
  ),
  'mid-undated': warning('The venue no longer dates its mid', ASK_ABOUT_MID),
  'mid-step': warning('The mid moved too far at once', COMPARE_THE_MID),
  'mid-move': critical('The mid moved too far within its window', COMPARE_THE_MID),
  'price-corridor': critical(
    'The mid is outside of the price corridor',
    'compare the mid with another source; if it is wrong, `mizani deactivate`; if the market has left the corridor, change risk.priceCorridor and restart',
  ),
  'venue-clock': critical(
    'The clock of the venue and ours are too far apart',
    'compare the clock of this machine with another one and correct it; if it is right, ask the venue; `mizani check` shows the difference',
    'mids from such answers are not adopted',
  ),
  'mid-invalid': warning('The venue sent an invalid mid', ASK_ABOUT_MID),
  'not-quotable': warning(
    'The venue reports that its rate is not quotable',
    'no step is needed; `mizani status` shows when it is quotable again',
  ),
  'reference-deviation': critical(
    'The mid of the venue and the reference feeds disagree',
    '`mizani status` shows each feed; compare with a third source; if the venue is wrong, `mizani deactivate`; if a feed is wrong, remove it from feeds and restart',
  ),
  'inventory-limit': warning(
    'A token is at its inventory limit',
    'add tokens, or wait for fills of the other side; `mizani status` shows the holdings',
    'the side that would increase the imbalance is off',
  ),
  loss: halting('The loss limit is exceeded', SETTLE_LOSS),
  drawdown: halting('The drawdown limit is exceeded', SETTLE_LOSS),
  'fills-per-minute': warning(
    'There are more fills per minute than the limit allows',
    '`mizani quote` compares our spread with the best one; widen the strategy if it is the cheapest by mistake',
  ),
  'volume-per-day': warning(
    'A side has reached its daily volume limit',
    'wait, or raise risk.maxVolumePerDayUsd; `mizani status` shows the volume',
    'that side is off',
  ),
  'error-cycles': warning(
    'Requests to the venue fail in a row',
    'wait if the venue is down; `mizani check` shows what it answers',
  ),
  'fills-gap': warning(
    'Fills may be missing, or the balances differ from the ledger',
    'wait a minute for a late fill; `mizani status` shows the difference of each token; once its cause is known, book it: `mizani resume --book deposit` for tokens that came in, `mizani resume --book withdrawal` for tokens that left, `mizani resume --book adjustment` for both, as after a fill that the venue lost',
  ),
  'unexplained-balance': halting(
    'The balances differ from the ledger and no fill explains it',
    '`mizani status` shows the difference of each token; find its cause; then book it: `mizani resume --book deposit` for tokens that came in, `mizani resume --book withdrawal` for tokens that left, `mizani resume --book adjustment` for both, as after a fill that the venue lost',
  ),
  'quote-not-held': halting(
    'The venue holds another spread than the safe one',
    '`mizani quote` shows what the venue quotes; if it is still live, `mizani deactivate`; replace the key if another program writes with it; then `mizani resume`',
  ),
  // The first reading raises the alert; the halt after the second one is notified separately.
  'foreign-hand': critical(
    'Funds left, and no fill at our quotes explains it',
    'replace the key at the venue first; `mizani deactivate` brings the rest home; `mizani status` shows the missing amount; book it with `mizani resume --book withdrawal`',
  ),
  unreadable: critical(
    'The venue returns a figure that cannot be read',
    '`mizani status` lists the routes and fields; ask the venue; once the balances match, `mizani resume` accepts the unreadable rows of fills',
    'nothing is reconciled until it can be read',
  ),
  'fill-price': halting(
    'A fill cost more than any of our quotes allows',
    '`mizani export --what fills` has the fill; ask the venue at which mid it was executed; then `mizani resume`',
  ),
  'foreign-write': critical(
    'Another writer changed the position at the venue',
    'if you did not set it, replace the key at the venue first; after a deactivation `mizani activate`; after a spread or a transfer `mizani resume`',
  ),
  'wallet-changed': halting(
    'The venue names a different wallet from before',
    'do not deactivate: tokens that leave the pool go to that wallet; contact the venue outside its dashboard; once the wallet is confirmed, `mizani resume`',
  ),
  'unasked-pairs': warning(
    'The venue may fill pairs that were not requested',
    'ask the venue to keep to the list of pairs; set quote.pairs to null to accept all of them',
  ),
  review: warning('A review of the fills is due', 'look at the fills: `mizani status`; then `mizani resume`'),
  'strategy-suspended': warning(
    'The strategy is suspended',
    'correct the strategy and save it, or `mizani resume` to try it unchanged',
  ),
  crossed: warning(
    'The strategy wanted to buy above its selling price',
    "correct the strategy's parameters; `mizani status` shows them",
  ),
  'out-of-range': info('The strategy wanted a spread out of range'),
  withdrawal: warning(
    'A withdrawal was refused',
    'if you did not ask for it, replace the key and the token; `mizani audit` shows who asked',
    'nothing was sent',
  ),
  shutdown: info('The daemon is stopping'),
  deactivating: info('A deactivation is in progress'),
} as const satisfies Readonly<Record<string, Entry | Halting>>

export type RiskRule = keyof typeof RISK_RULES
export const RISK_RULE_NAMES = Object.keys(RISK_RULES) as readonly RiskRule[]

export function isRiskRule(code: string): code is RiskRule {
  return Object.hasOwn(RISK_RULES, code)
}

export function isHalting(rule: RiskRule): boolean {
  return 'halts' in RISK_RULES[rule]
}
