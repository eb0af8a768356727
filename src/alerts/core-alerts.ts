import { critical, warning, type Entry, type Severity } from './entry.ts'
import { isHalting, RISK_RULE_NAMES, RISK_RULES } from './risk-rules.ts'

const AGREE_WITH_VENUE = 'the text names the setting or the clock that is wrong'

/**
 * What the core raises beside the halts. An alert has one severity: where one code is told with two, they are two
 * alerts, and `code` is what both are written, counted and looked up by.
 */
export const CORE_ALERTS = {
  'quote-stuck': critical(
    'look at the quote in the dashboard of the venue; `mizani deactivate` takes the position out',
  ),
  'not-active': critical('the text has the cause; `mizani check` shows what the venue answers'),
  'not-routed': warning(
    'ask the venue whether the position is suspended; `mizani quote` compares our quote with the public rate',
  ),
  'foreign-hand': RISK_RULES['foreign-hand'],
  'foreign-write': RISK_RULES['foreign-write'],
  'unreadable-answer': { ...warning(RISK_RULES.unreadable.advice ?? ''), code: 'unreadable' },
  'foreign-write-at-start': { ...warning(RISK_RULES['foreign-write'].advice ?? ''), code: 'foreign-write' },
  'unpolled-fill-price': { severity: 'warning', advice: null, code: 'fill-price' },
  review: RISK_RULES.review,
  mid: warning('compare the mid with another source'),
  'execution-mid': warning(
    'compare both mids with another source, and ask the venue why GET /rate differs from the mid of its swaps',
  ),
  'mid-adopted': warning('if nobody of yours named it and no feed shows it, `mizani halt` first'),
  'guard-lost': critical(
    'see that the guard runs and that both machines reach each other; `mizani guard status` shows what it does',
  ),
  'clock-jump': critical(
    'compare `date -u` with another machine and correct the clock; the message names when a restart helps',
  ),
  'feed-dropped': warning('look at the source: `mizani status` shows each feed with its reason'),
  'fill-unexplained': warning('compare venue.protocolFeeBps and venue.bidFormula with what the venue names'),
  'fee-changed': warning('ask the venue which protocol fee holds; put it into venue.protocolFeeBps'),
  'chain-decided': warning(
    'nothing: the ledger follows the balances; ask the venue to name the chain in its rows',
  ),
  'reload-refused': warning('mend the file and save it; `mizani check` reads it without a daemon'),
  'override-dropped': warning('look at what the file has now, and set it again where it is still wanted'),
  'shared-key': warning(
    'find the other program and stop it, or give it a key of its own; whoever has the key can withdraw',
  ),
  'withdrawal-unknown': critical('look at the wallet and at the venue before anybody sends it again'),
  'withdrawal-requested': critical(
    'if nobody of yours requested it, `mizani withdrawal cancel`, and change that token; it leaves only when another token approves',
  ),
  'withdrawal-approved': critical(
    'if it is not meant to leave, `mizani withdrawal cancel` within the cool-off',
  ),
  'withdrawal-cancelled': warning('nothing: request it again with a new key if it was meant to leave'),
  'withdrawal-ended': warning('the text has the reason; mend it and request it again with a new key'),
  'withdraw-widened': critical(
    'if nobody of yours changed the file, take it back and look who could write it',
  ),
  'void-fills': warning(
    'nothing if the balances agree afterwards; ask the venue whether the takers were paid, and deactivate without `--now`',
  ),
  'partial-deactivation': critical('look at the balances in the dashboard of the venue'),
  'order-rejected': critical(AGREE_WITH_VENUE),
  'order-rejected-passing': { ...warning(AGREE_WITH_VENUE), code: 'order-rejected' },
  'order-unknown': critical(
    'somebody else may sign with this key: stop it, or move the funds; `mizani rfq cancel-all` first',
  ),
  'orders-left': critical('put the former rfq section back until they have ended, or let them expire'),
  'promise-over-balance': critical(
    'do not take tokens out of the wallet while orders are open; they are being cancelled down',
  ),
  'fill-undone': warning('nothing: the ledger follows the chain'),
  'chain-disagrees': warning('compare the endpoints in rfq.rpc.urls with a block explorer'),
  'cancel-failed': warning('see that the wallet has ether for gas; orders expire by themselves'),
} as const satisfies Readonly<Record<string, Entry & { readonly code?: string }>>

export type CoreAlert = keyof typeof CORE_ALERTS

/** The code that an alert is written and counted by, and its severity. */
export function coreAlert(name: CoreAlert): { readonly severity: Severity; readonly code: string } {
  const entry: Entry & { readonly code?: string } = CORE_ALERTS[name]
  return { severity: entry.severity, code: entry.code ?? name }
}

/** Every code that a position raises, with its severities: those of the halts are those of the rules that halt. */
export function raisedCodes(): ReadonlyMap<string, readonly Severity[]> {
  const codes = new Map<string, readonly Severity[]>()
  const add = (code: string, severity: Severity) => codes.set(code, [...(codes.get(code) ?? []), severity])
  for (const name of Object.keys(CORE_ALERTS) as CoreAlert[]) {
    const { code, severity } = coreAlert(name)
    add(code, severity)
  }
  // An operator's own halt is answered, and raises no alert.
  for (const rule of RISK_RULE_NAMES)
    if (isHalting(rule) && rule !== 'operator') add(rule, RISK_RULES[rule].severity)
  return codes
}
