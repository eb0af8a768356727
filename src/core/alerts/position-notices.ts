import { CORE_ALERTS } from './core-alerts.ts'
import { critical, info, warning, type Entry } from './entry.ts'
import { RISK_RULES } from './risk-rules.ts'
import { TREASURY_ALERTS } from './treasury-alerts.ts'

const MEND_DEFAULTS = 'the positions keep their current settings, and no change is applied'

/** Notices that are not alerts of the core: steps in the life of the daemon, and the meaning of its observations. */
export const POSITION_NOTICES = {
  halted: critical(
    'Trading is halted',
    '`mizani status` shows why, and whether the quote is down; settle the cause; then `mizani resume`; a restart does not lift a halt',
  ),
  withdrawn: warning(
    'Tokens left the wallet by a withdrawal',
    'if you did not ask for it, replace the key at the venue first; `mizani audit` shows who asked',
  ),
  'row-quarantined': warning(
    'A row of fills cannot be booked',
    '`mizani status` shows whether the balances agree; the row is in the log; ask the venue about it',
    'the row is quarantined and not booked',
  ),
  operator: info('An operator gave a command'),
  'orders-blocked': info('No order is signed'),
  'daemon-start': info('The daemon runs'),
  'daemon-stop': info('The daemon stopped'),
  'daily-summary': info('Daily summary'),
  'held-back': info('Messages were held back'),
  scorecard: warning(
    'The last week is outside the range that the calibration expects',
    '`mizani scorecard` shows which measure is outside; calibrate again if the market changed; quote wider if takers are better informed',
    'the quote does not change',
  ),
  'challenger-suspended': warning(
    'The challenger is suspended',
    'correct the file or the parameters of `challenger`, or remove it from the configuration',
    'trading is not affected',
  ),
  conformance: warning(
    'The venue behaves differently than before',
    'ask the venue whether it meant the change; update the venue section to match; save a new profile: `mizani conformance --out venue.json`',
  ),
  test: info('A test'),
  'worker-crash': warning(
    'The thread of the position ended',
    'no step is needed the first time; read the log if it happens again; `mizani status` shows whether it runs',
    'the position is started again from its journal',
  ),
  'daemon-gone': critical(
    'The position ended for good',
    'take the position out of the market if its quote is still live: `mizani deactivate`; read the log and repair the cause; start the daemon again',
    'it is not started again, and the quote stays as it is',
  ),
  'crash-loop': critical(
    'The daemon restarts repeatedly',
    'read the log of the last starts; until it runs, take the position out of the market: `mizani deactivate`',
  ),
  'exit-unconfirmed': critical(
    'The daemon stopped without a confirmed quote',
    'look at the quote in the dashboard of the venue; if it is live, `mizani deactivate`, which works without the daemon',
    'the quote for the exit was sent; the venue did not confirm it',
  ),
  store: critical(
    'The journal cannot be written',
    'make room on the disk, or repair it; start the daemon again; until then `mizani deactivate` takes the position out of the market',
    'the safe quote is sent once, and the position ends',
  ),
  'disk-low': warning(
    'The disk is nearly full',
    'make room on the disk, or use a larger volume; store.keepJournalDays bounds the journal, and record.path moves the tape',
    'nothing yet: without room for the journal the safe quote is sent once, and the position ends',
  ),
  'standby-config': warning(
    'The configuration of the standby is wrong',
    '`mizani check` shows what is wrong; correct the file and save it, or restart the standby if the message asks for that',
    'if the standby took over now, it would only send the safe quote',
  ),
  'standby-gone': warning(
    'The other daemon of the pair is gone',
    'find out why it is gone; start it again',
    'the daemon that holds the position is not affected',
  ),
  'fleet-folder': critical(
    'The folder of the fleet cannot be read',
    'mount the folder, or put its files back; `mizani fleet FOLDER --check` shows what is missing',
    MEND_DEFAULTS,
  ),
  'fleet-defaults': critical(
    'The defaults of the fleet are wrong',
    'correct defaults.yaml; `mizani fleet FOLDER --check` names line and column',
    MEND_DEFAULTS,
  ),
  'fleet-file': warning(
    'A file of the fleet is wrong',
    'correct the file; `mizani fleet FOLDER --check` names line and column',
    'the position keeps its current settings, or does not run',
  ),
  'fleet-limit': critical(
    'All positions together exceed a limit of the fleet',
    '`mizani status --fleet FOLDER` shows the part of each; remove the cause, or raise the limit in defaults.yaml; then `mizani resume --fleet FOLDER`',
    'a loss halts every position, other limits pause them',
  ),
  'fleet-limit-near': warning(
    'All positions together are near a limit of the fleet',
    '`mizani status --fleet FOLDER` shows the part of each; reduce it, or raise the limit in defaults.yaml before all of them stop',
  ),
  tape: warning(
    'The tape is not recorded',
    'free space on the disk of the tape; restart the daemon when convenient: it completes the tape from its journal',
    'trading is not affected',
  ),
  'heartbeat-refused': warning(
    'The external monitoring service does not accept heartbeats',
    'compare the address behind alert.heartbeatUrl with the address of the service',
    'the heartbeat is sent again; until it is accepted, no external service notices if this daemon fails',
  ),
  'channel-failing': warning(
    'A channel does not accept notifications',
    'do what its last answer asks for, or correct the section notify and restart; `mizani notify test` sends a message to each channel',
    'messages to it are sent again, and waiting messages are combined into a summary',
  ),
  'wallet-unwatched': warning(
    'The wallet cannot be watched on chain',
    'replace the endpoints of `chain` that do not answer; `mizani check` tests each of them',
    'until then only the balances of the venue can reveal a theft',
  ),
  'guard-fired': critical(
    'The daemon is silent, and the guard acts',
    'find out why the daemon is silent; start it again; `mizani guard status` shows whether the safe quote is confirmed',
    'the guard acts as the first line shows, and repeats the request until the venue confirms it',
  ),
  'guard-latched': critical(
    'The daemon was repeatedly silent, and the guard keeps the position',
    'find out why the daemon is repeatedly silent; then `mizani guard release` lets it quote again',
    'the guard keeps its current settings for the position and grants no lease',
  ),
  'guard-unconfirmed': critical(
    'The guard cannot confirm the safe quote',
    '`mizani deactivate`, or make the quote safe in the dashboard of the venue as described in docs/first-aid.md; `mizani guard status` shows when it is confirmed',
    'the guard sends the safe quote again',
  ),
  'guard-safe': info('The guard has confirmed the safe quote'),
  'guard-powerless': critical(
    'The venue refuses the key of the guard',
    'make the quote safe in the dashboard of the venue; replace the key where the guard reads it; `mizani guard status` shows when it is accepted',
    'the guard cannot change anything until the key is accepted',
  ),
  'guard-deactivated': critical(
    'The guard took the position out of the market',
    'find out why the daemon was silent; start it; then `mizani activate`',
    'the guard deactivated the position; only a person can activate it again',
  ),
  'guard-blind': warning(
    'The guard could not act if the daemon died now',
    'give the guard the current key; check that it reaches the venue: `mizani guard status`',
  ),
  'guard-drained': warning(
    'The guard is drained and watches no position',
    'start the guard again, or stop it for good',
  ),
  'guard-unwatched': warning(
    'The guard cannot read the file of a position',
    'correct the file: `mizani check`; send the guard SIGHUP',
    'the guard does not watch that position',
  ),
  'guard-mismatch': warning(
    'The venue has a different quote from the one that the daemon confirmed',
    '`mizani quote` shows what is live; if you did not set it, replace the key at the venue',
  ),
  'guard-returned': info('The daemon is back'),
} as const satisfies Readonly<Record<string, Entry>>

export type PositionNotice = keyof typeof POSITION_NOTICES

export function isPositionNotice(code: string): code is PositionNotice {
  return Object.hasOwn(POSITION_NOTICES, code)
}

/** The live quote as far as the guard knows; the guard has no view of the position. */
export const LIVE_BY_GUARD: Partial<Record<PositionNotice, string>> = {
  'guard-fired': 'unknown until the guard has read back the safe quote',
  'guard-latched': 'the quote that the guard confirmed last',
  'guard-unconfirmed': 'unknown: the venue has not confirmed the safe quote',
  'guard-safe': 'the safe quote, or nothing, as read back from the venue',
  'guard-powerless': 'the last quote of the daemon; it cannot be changed with this key',
  'guard-deactivated': 'nothing, as the venue confirmed to the guard',
  'guard-mismatch': 'the quote in the first line, as the guard read it',
  'guard-returned': 'the quote that the guard left; the daemon quotes again from here',
}

const ENTRIES: Readonly<Record<string, Entry>> = {
  ...CORE_ALERTS,
  ...RISK_RULES,
  // `operator` is both a rule (a halt) and a notice (any command).
  ...POSITION_NOTICES,
  ...TREASURY_ALERTS,
}

/** The entry of a code; null = no such code. */
export function alertEntry(code: string): Entry | null {
  return (Object.hasOwn(ENTRIES, code) ? ENTRIES[code] : undefined) ?? null
}

/** Returns the steps to take for a code; null = no step. */
export function adviceFor(code: string): string | null {
  return alertEntry(code)?.advice ?? null
}
