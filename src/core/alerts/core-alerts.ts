import { critical, warning, type Entry, type Severity } from './entry.ts'
import { isHalting, RISK_RULE_NAMES, RISK_RULES } from './risk-rules.ts'

const ORDER_REJECTED = 'Orders are not signed or not accepted'
const AGREE_WITH_VENUE =
  'correct the setting or the clock that the first line names; `mizani rfq list` shows what is still outstanding'

/** The entry of a rule as a warning, for an alert with the same code and a lower severity. */
function warningOf(rule: 'unreadable' | 'foreign-write'): Entry {
  return { ...RISK_RULES[rule], severity: 'warning' }
}

/**
 * The alerts that the core raises besides the halts. An alert has one severity: a code that needs two is split into two alerts.
 * `code` is the key under which an alert is logged, counted and looked up.
 */
export const CORE_ALERTS = {
  'quote-stuck': critical(
    'Changes of the quote fail in a row',
    '`mizani quote` shows what is live; if it is a bad quote, `mizani deactivate`, or set the spread in the dashboard of the venue',
    'each change is sent again',
  ),
  'not-active': critical(
    'The position is out of the market without an order to leave it',
    '`mizani check` shows what the venue answers; repair that cause; `mizani deactivate` ends the attempts',
    'the activation is sent again',
  ),
  'not-routed': warning(
    'The venue routes no trade to our quote',
    '`mizani quote` compares our quote with the public rate; ask the venue whether the position is suspended',
  ),
  'foreign-hand': RISK_RULES['foreign-hand'],
  'foreign-write': RISK_RULES['foreign-write'],
  'unreadable-answer': { ...warningOf('unreadable'), code: 'unreadable' },
  'foreign-write-at-start': { ...warningOf('foreign-write'), code: 'foreign-write' },
  'unpolled-fill-price': {
    severity: 'warning',
    title: 'A fill from a time without polling cost more than our quotes allow',
    advice: '`mizani export --what fills` has the fill; ask the venue at which mid it was executed',
    code: 'fill-price',
  },
  review: RISK_RULES.review,
  mid: warning(
    'A rate of the venue is not adopted',
    '`mizani status` shows the mid that waits; compare it with another source',
    'the last valid mid stays in force',
  ),
  'execution-mid': warning(
    'The venue fills at another mid than it publishes',
    '`mizani status` shows both mids; compare them with another source; ask the venue why the rate that it publishes differs from the mid of its swaps',
    'quotes, fills and markouts of that pair use the mid of its swaps',
  ),
  'public-rate': warning(
    'The public rate of the venue fails',
    '`mizani check` shows what it answers; repair the network or venue.publicUrl; ask the venue if it stays',
    'its last mid is used for at most 3 minutes, then the rate that it publishes for the key; a fill that no known mid explains is booked without a mid',
  ),
  'mid-adopted': warning(
    'A mid beyond the limits was adopted',
    'if no feed shows this mid and you did not name it, `mizani halt`',
    'the mid is in force',
  ),
  'guard-lost': critical(
    'The daemon has lost its lease at the guard',
    '`mizani guard status` shows what the guard does; start the guard, or repair the network between both machines',
    'after the safe quote nothing is written until the lease is granted again',
  ),
  'clock-jump': critical(
    'The clock of the machine jumped',
    'compare `date -u` with another machine and correct the clock; the first line names when a restart helps',
  ),
  'feed-dropped': warning(
    'A reference feed is not used',
    '`mizani status` shows each feed with its reason; look at the source of that feed',
    'the feed is left out of every comparison until it recovers',
  ),
  'fill-unexplained': warning(
    'No pricing formula explains what a fill paid',
    '`mizani check` shows which fee and formula the venue uses; set venue.protocolFeeBps and venue.bidFormula to them',
    'the fill is booked with its amounts',
  ),
  'fee-changed': warning(
    'The protocol fee is another one than before',
    'ask the venue which protocol fee applies; set venue.protocolFeeBps to it',
    'the ledger follows the balances',
  ),
  'chain-decided': warning(
    'A fill row named USDT without its chain',
    'ask the venue to name the chain in its rows',
    'the ledger follows the balances',
  ),
  'reload-refused': warning(
    'A changed configuration is rejected',
    '`mizani check` shows what is wrong in the file; correct it and save it',
    'the former configuration stays in force',
  ),
  'override-dropped': warning(
    'A value that was set by hand no longer applies',
    '`mizani status` shows what is in force; set the value again where it is still wanted',
    'the file is in force',
  ),
  'shared-key': warning(
    'Another program uses the same key',
    'find that program and stop it, or give it a key of its own; if you do not know it, replace the key at the venue, for it can withdraw',
  ),
  'withdrawal-unknown': critical(
    'The outcome of a withdrawal is unknown',
    '`mizani status` shows the balances; look at the wallet on chain; send it again only if it certainly did not leave',
    'the withdrawal is not sent again',
  ),
  'withdrawal-requested': critical(
    'A withdrawal waits for its approval',
    'if it is intended, another person runs `mizani withdrawal approve --key KEY`; if not, `mizani withdrawal cancel --key KEY`, then replace the token that requested it',
    'nothing has left; it leaves only when another token approves it',
  ),
  'withdrawal-approved': critical(
    'A withdrawal is approved and leaves after its cool-off',
    'if it is not intended, `mizani withdrawal cancel --key KEY`, then replace both tokens',
    'nothing has left yet',
  ),
  'withdrawal-cancelled': warning(
    'A withdrawal was cancelled',
    'no step is needed; to send it after all, request it again with a new key',
    'the withdrawal is not sent',
  ),
  'withdrawal-ended': warning(
    'A withdrawal ended without being sent',
    'settle the reason in the first line; request it again with a new key',
    'the withdrawal is not sent',
  ),
  'withdraw-widened': critical(
    'This start permits larger withdrawals than the one before',
    'if you did not make the change, restart with the former file; find out who can write the file',
    'new destinations wait for 24 hours',
  ),
  'void-fills': warning(
    'Fills came during a deactivation and may be void',
    '`mizani status` shows whether the balances agree; ask the venue whether the takers were paid; where `--now` was given, leave it out next time',
  ),
  'partial-deactivation': critical(
    'Only some of the tokens came back from the pool',
    '`mizani status` shows what is in the pool and in the wallet; ask the venue if a token does not return',
    'the deactivation is sent again',
  ),
  'not-left': critical(
    'The end of the deactivation is not proven',
    "`mizani status` shows what is missing; compare the wallet with the venue's page; ask the venue about tokens that did not return; `mizani activate` brings the position back",
    'both sides stay wide, and the deactivation is sent again until its end is proven',
  ),
  'order-rejected': critical(ORDER_REJECTED, AGREE_WITH_VENUE),
  'order-rejected-passing': { ...warning(ORDER_REJECTED, AGREE_WITH_VENUE), code: 'order-rejected' },
  'order-unknown': critical(
    'An order that mizani does not know was filled',
    '`mizani rfq cancel-all` ends every known order; find who else signs with this key and stop it, or move the funds',
  ),
  'orders-left': critical(
    'Orders of a former configuration are still outstanding',
    'put the former rfq section back until they have ended, or wait until they expire; `mizani rfq list` shows them',
  ),
  'promise-over-balance': critical(
    'Open orders commit more than is available',
    '`mizani rfq list` shows them; take no tokens out of the wallet; if they are not cancelled within a minute, `mizani rfq cancel-all`',
    'orders are cancelled until the rest is covered',
  ),
  'fill-undone': warning(
    'A reorganisation of the chain removed a fill',
    'no step is needed; `mizani rfq list` shows the order',
    'the ledger follows the chain',
  ),
  'chain-disagrees': warning(
    'The endpoints of the chain disagree',
    'compare the endpoints of rfq.rpc.urls with a block explorer; replace the wrong one',
  ),
  'cancel-failed': warning(
    'A cancellation on chain failed',
    'send ether for gas to the wallet if it has too little; `mizani rfq list` shows what is still open',
    'the cancellation is sent again, and orders expire',
  ),
} as const satisfies Readonly<Record<string, Entry & { readonly code?: string }>>

export type CoreAlert = keyof typeof CORE_ALERTS

/** The code that an alert is written and counted by, and its severity. */
export function coreAlert(name: CoreAlert): { readonly severity: Severity; readonly code: string } {
  const entry: Entry & { readonly code?: string } = CORE_ALERTS[name]
  return { severity: entry.severity, code: entry.code ?? name }
}

/** Returns every code that a position raises, with its severities. */
export function raisedCodes(): ReadonlyMap<string, readonly Severity[]> {
  const codes = new Map<string, readonly Severity[]>()
  const add = (code: string, severity: Severity) => codes.set(code, [...(codes.get(code) ?? []), severity])
  for (const name of Object.keys(CORE_ALERTS) as CoreAlert[]) {
    const { code, severity } = coreAlert(name)
    add(code, severity)
  }
  // A halt by an operator raises no alert.
  for (const rule of RISK_RULE_NAMES)
    if (isHalting(rule) && rule !== 'operator') add(rule, RISK_RULES[rule].severity)
  return codes
}
