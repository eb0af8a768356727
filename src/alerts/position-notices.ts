import { CORE_ALERTS } from './core-alerts.ts'
import { critical, info, warning, type Entry } from './entry.ts'
import { RISK_RULES } from './risk-rules.ts'
import { TREASURY_ALERTS } from './treasury-alerts.ts'

/** What people hear of that is no alert of the core: steps in the life of the daemon, and what its observations mean. */
export const POSITION_NOTICES = {
  halted: critical('see why in `mizani status`, settle it, then `mizani resume`; a restart does not lift it'),
  withdrawn: warning('if nobody of yours asked for it, rotate the key first'),
  'row-quarantined': warning('look at the row in the log; the balances show what it was worth'),
  operator: info(),
  'orders-blocked': info(),
  'daemon-start': info(),
  'daemon-stop': info(),
  'daily-summary': info(),
  'held-back': info(),
  scorecard: warning(
    'see which measure is outside in the console or with `mizani scorecard`; calibrate again where the market changed, quote wider where takers know more',
  ),
  'challenger-suspended': warning(
    'trading goes on and nothing of it is touched; mend the file or the parameters of `challenger`, or take it out',
  ),
  conformance: warning(
    'ask the venue whether it meant the change; put what holds now into the section venue, and keep a new profile',
  ),
  test: info(),
  'worker-crash': warning('nothing once; read the log if it comes again'),
  'daemon-gone': critical(
    'the quote may still stand at the venue: read the log, mend it and start the daemon again',
  ),
  'crash-loop': critical(
    'read the log of the last starts; until it runs the venue quotes what it quoted last',
  ),
  'exit-unconfirmed': critical(
    'look at the quote in the dashboard of the venue; `mizani deactivate` works without the daemon',
  ),
  store: critical('make room on the disk or mend it, then start the daemon again'),
  'standby-config': warning(
    'mend the file and save it, or restart the standby where it asks for that: until then it would only send the safe quote',
  ),
  'standby-gone': warning('see why the other daemon is gone and start it again; trading goes on'),
  'fleet-folder': critical(
    'mount the folder or put its files back: until then the positions go on as they were and no change is taken over',
  ),
  'fleet-defaults': critical(
    'mend defaults.yaml: until then the positions go on as they were and no change is taken over',
  ),
  'fleet-file': warning('mend the file: until then its position goes on as it was, or does not run'),
  'fleet-limit': critical(
    'look at what the positions come to together; mend it or raise the limit, then `mizani resume --fleet FOLDER`',
  ),
  'fleet-limit-near': warning(
    'look at what the positions come to together before the limit stops all of them',
  ),
  tape: warning('trading goes on; see that the disk of the tape has room, then restart when it suits'),
  'heartbeat-refused': warning(
    'see that the address behind alert.heartbeatUrl is the one of the service; until then nobody outside notices that this daemon is gone',
  ),
  'wallet-unwatched': warning(
    'see that the endpoints of `chain` answer; until then only the balances of the venue show a theft',
  ),
  'guard-fired': critical(
    'find out why the daemon is silent and start it again; `mizani guard status` shows whether the safe quote is confirmed',
  ),
  'guard-latched': critical(
    'find out why the daemon is silent again and again; then `mizani guard release` lets it quote',
  ),
  'guard-unconfirmed': critical(
    'the quote is still NOT known to be safe: make it safe by hand as docs/first-aid.md has it, with the key or in the dashboard of the venue',
  ),
  'guard-safe': info(),
  'guard-powerless': critical(
    'the key is refused and nothing can be sent: make the quote safe in the dashboard of the venue, then exchange the key where the guard reads it',
  ),
  'guard-deactivated': critical('settle why the daemon was silent, start it, then `mizani activate`'),
  'guard-blind': warning(
    'see that the guard has the key of today and reaches the venue: until then it could not act if the daemon died',
  ),
  'guard-drained': warning('start the guard again, or stop it: a drained guard watches nobody'),
  'guard-unwatched': warning(
    'mend the file and send the guard SIGHUP: until then nobody watches its position',
  ),
  'guard-mismatch': warning(
    'look at the quote in the dashboard of the venue: it is another one than the daemon believes',
  ),
  'guard-returned': info(),
} as const satisfies Readonly<Record<string, Entry>>

export type PositionNotice = keyof typeof POSITION_NOTICES

export function isPositionNotice(code: string): code is PositionNotice {
  return Object.hasOwn(POSITION_NOTICES, code)
}

const ENTRIES: Readonly<Record<string, Entry>> = {
  ...CORE_ALERTS,
  ...POSITION_NOTICES,
  ...RISK_RULES,
  ...TREASURY_ALERTS,
}
/** What to do about a code, in one sentence; null = nothing is to be done. */
export function adviceFor(code: string): string | null {
  const entry = Object.hasOwn(ENTRIES, code) ? ENTRIES[code] : undefined
  return entry?.advice ?? null
}
