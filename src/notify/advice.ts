/** What to do about each code, in one sentence; a code without an entry asks for nothing. */
export const ADVICE: Readonly<Record<string, string>> = {
  halted: 'see why in `mizani status`, settle it, then `mizani resume`; a restart does not lift it',
  'solver-changed':
    'ask the venue; then stop the daemon, confirm the new solver with `mizani custody enable --solver ADDRESS`, start it and resume',
  'fills-gap':
    'wait a minute; if it stays, find out what differs and say so with `mizani resume --book deposit|withdrawal|adjustment`',
  'foreign-hand':
    'exchange the key at the venue first; then find out where the funds went and book them with `mizani resume --book withdrawal`',
  'strategy-suspended': 'mend the strategy and save it, or `mizani resume` to try it as it is',
  'error-cycles': 'nothing if the venue is down; otherwise `mizani check` says what it answers',
  'mid-missing': '`mizani check` shows what the venue sends',
  'mid-age': 'nothing over a weekend; on a working day ask the venue, or raise risk.maxMidAgeMs knowingly',
  'mid-undated': 'tell the venue if it stays',
  'mid-invalid': 'tell the venue if it stays',
  'mid-step':
    'compare the mid with another source; `mizani resume --accept-mid VALUE` adopts the one that waits',
  'mid-move':
    'compare the mid with another source; `mizani resume --accept-mid VALUE` adopts the one that waits',
  'mid-adopted': 'if nobody of yours named it and no feed shows it, `mizani halt` first',
  'price-corridor':
    'somebody lies or the market has left your corridor: compare with another source before risk.priceCorridor.min or .max is moved, which needs a restart',
  'clock-jump': 'mend the clock of the machine; a restart of the daemon begins with it',
  'venue-clock': 'compare the clock of this machine with another one, then ask the venue',
  mid: 'compare the mid with another source',
  'reference-deviation':
    'compare the mid and the feeds with a third source before anything else: one of them is wrong',
  'feed-dropped': 'look at the source: `mizani status` shows each feed with its reason',
  'not-quotable': 'nothing: it lifts when the venue quotes again',
  'inventory-limit': 'bring tokens, or wait for fills of the other side',
  'fills-per-minute': 'compare your spread with the best one: you may be the cheapest by mistake',
  'volume-per-day': 'nothing, or raise risk.maxVolumePerDayUsd knowingly',
  crossed: "mend the strategy's parameters",
  withdrawal: 'if nobody of yours asked for a withdrawal, rotate the key first',
  withdrawn: 'if nobody of yours asked for it, rotate the key first',
  'withdrawal-unknown': 'look at the wallet and at the venue before anybody sends it again',
  review: 'look at the fills, then `mizani resume`',
  'unasked-pairs': 'ask the venue; `quote.pairs: null` takes all pairs knowingly',
  'withdrawal-requested':
    'if nobody of yours requested it, `mizani withdrawal cancel`, and change that token; it leaves only when another token approves',
  'withdrawal-approved': 'if it is not meant to leave, `mizani withdrawal cancel` within the cool-off',
  'withdrawal-cancelled': 'nothing: request it again with a new key if it was meant to leave',
  'withdrawal-ended': 'the text has the reason; mend it and request it again with a new key',
  'withdraw-widened': 'if nobody of yours changed the file, take it back and look who could write it',
  'foreign-write':
    'if it was nobody of yours, exchange the key first; then `mizani activate`, or `mizani resume` after a spread',
  'not-active': 'the text has the cause; `mizani check` shows what the venue answers',
  'quote-stuck':
    'look at the quote in the dashboard of the venue; `mizani deactivate` takes the position out',
  'reload-refused': 'mend the file and save it; `mizani check` reads it without a daemon',
  'partial-deactivation': 'look at the balances in the dashboard of the venue',
  'fill-unexplained': 'compare venue.protocolFeeBps and venue.bidFormula with what the venue says',
  'shared-key':
    'find the other program and stop it, or give it a key of its own; whoever has the key can withdraw',
  'fee-changed': 'ask the venue which protocol fee holds; put it into venue.protocolFeeBps',
  'chain-decided': 'nothing: the ledger follows the balances; ask the venue to name the chain in its rows',
  'row-quarantined': 'look at the row in the log; the balances show what it was worth',
  'order-rejected': 'the text names the setting or the clock that is wrong',
  'order-unknown':
    'somebody else may sign with this key: stop it, or move the funds; `mizani rfq cancel-all` first',
  'fill-undone': 'nothing: the ledger follows the chain',
  'orders-left': 'put the former rfq section back until they have ended, or let them expire',
  'promise-over-balance':
    'do not take tokens out of the wallet while orders stand; they are being cancelled down',
  'cancel-failed': 'see that the wallet has ether for gas; orders expire by themselves',
  'chain-disagrees': 'compare the endpoints in rfq.rpc.urls with a block explorer',
  'worker-crash': 'nothing once; read the log if it comes again',
  'daemon-gone': 'the quote may still stand at the venue: read the log, mend it and start the daemon again',
  'crash-loop': 'read the log of the last starts; until it runs the venue quotes what it quoted last',
  'exit-unconfirmed':
    'look at the quote in the dashboard of the venue; `mizani deactivate` works without the daemon',
  store: 'make room on the disk or mend it, then start the daemon again',
  tape: 'trading goes on; see that the disk of the tape has room, then restart when it suits',
}

/** Null = nothing is to be done. */
export function adviceFor(code: string): string | null {
  return Object.hasOwn(ADVICE, code) ? (ADVICE[code] ?? null) : null
}
