import { setTimeout as sleep } from 'node:timers/promises'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { StoreFailure } from '../../../store/failure.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { type Notice, positionNotice } from '../../notify/notice.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { VenuePort } from '../../../venue/port.ts'
import { openVenueClient } from './connect-venue.ts'

const FIRST_PAUSE_MS: Ms = 500
const LONGEST_PAUSE_MS: Ms = 8_000
/** Longer than the minute of a used-up budget (429). */
const PATIENCE_MS: Ms = 75_000
/** Another daemon may soon take over a position in PostgreSQL: a later write would fight its quote. */
export const SHARED_PATIENCE_MS: Ms = 1_000

/** The part of a configuration that the last write reads. */
export type LastWriteConfig = {
  readonly core: LoadedConfig['core']
  readonly store: Pick<LoadedConfig['store'], 'place'>
}

/** See `PositionOutputs`. */
type EndOutputs = {
  readonly notify: (notice: Notice) => void
  readonly fatal: (exitCode: number, message: string) => void
  readonly crashed: (error: unknown) => void
}

type LastWriteParts = {
  readonly client: Pick<VenuePort, 'spread'>
  readonly config: LastWriteConfig
  readonly log: Pick<Log, 'fatal'>
}

/** The outcome of the last write: confirmed, deliberately not sent, or unconfirmed. */
type LastWrite = 'safe' | 'left' | 'unconfirmed'

/** The message about a lost journal waits this long for the outcome of the safe quote. */
const NOTIFY_WITHIN_MS: Ms = 3_000

/**
 * Without a journal nothing is decided: only the safe quote is still sent. A deposed daemon does not send even that, and restarts as a
 * standby; a daemon whose PostgreSQL failed over sends it and restarts to take the position again.
 */
export async function leaveWithoutStore(
  failure: StoreFailure,
  { log, client, config }: LastWriteParts,
  { notify, fatal, crashed }: EndOutputs,
  wait: (ms: Ms) => Promise<unknown> = sleep,
): Promise<void> {
  const { kind, message } = failure
  log.fatal({ kind }, message)
  const ended = widenAfter(failure, client, config, log, wait).then((outcome) =>
    lastWriteText(outcome, config),
  )
  const open = wait(NOTIFY_WITHIN_MS).then(() => 'the venue has not confirmed the safe quote yet')
  notify(positionNotice('store', `${message}; ${await Promise.race([ended, open])}`))
  const text = `${message}; ${await ended}`
  if (kind === 'locked' || kind === 'failed-over') crashed(message)
  else fatal(EXIT_CODE.failed, text)
}

/** Returns the outcome of the last write as a clause, for the messages about the end of a position. */
export function lastWriteText(outcome: LastWrite, { core }: Pick<LastWriteConfig, 'core'>): string {
  if (outcome === 'safe') return `the venue confirmed the safe quote of ${core.quote.safeBps} bps`
  return outcome === 'left' ? 'the quote is left unchanged' : 'the venue did NOT confirm the safe quote'
}

/** After a failure of the store. A deposed daemon sends nothing: another one quotes the position. */
export function widenAfter(
  { kind }: StoreFailure,
  ...parts: Parameters<typeof emergencyWiden>
): Promise<LastWrite> {
  return kind === 'locked' ? Promise.resolve('left') : emergencyWiden(...parts)
}

/** How long the supervisor's thread tries for a stuck position. */
const OUTSIDE_MS: Ms = 8_000

/** Sets the safe quote from another thread than the hung one. With a guard it sends nothing: the guard does it. */
export async function widenFromOutside(config: LoadedConfig, log: Pick<Log, 'fatal'>): Promise<LastWrite> {
  if (config.guard !== null) return 'left'
  const client = openVenueClient(config)
  try {
    return await emergencyWiden(client, config, log, sleep, OUTSIDE_MS)
  } finally {
    await client.close()
  }
}

/**
 * The journal cannot be written, so nothing may be decided, but the venue continues to quote the last spread. The safe quote is the one
 * write that needs no state: it is sent outside the journal, repeated for a minute if the venue does not accept it, and the next start
 * reads back the outcome. If another daemon may take over the position, the minute is a second. After `withinMs` it sends nothing more.
 */
export async function emergencyWiden(
  client: Pick<VenuePort, 'spread'>,
  config: LastWriteConfig,
  log: Pick<Log, 'fatal'>,
  wait: (ms: Ms) => Promise<unknown> = sleep,
  withinMs: Ms | null = typeof config.store.place === 'string' ? null : SHARED_PATIENCE_MS,
): Promise<LastWrite> {
  const { safeBps, onExit, pairs } = config.core.quote
  if (config.core.mode === 'dry-run' || onExit === 'keep') {
    log.fatal('the quote is left unchanged')
    return 'left'
  }
  if (config.core.rfq !== null) {
    log.fatal('signed orders are left to expire: without a journal they cannot be identified')
    return 'left'
  }
  const spread = { bidBps: safeBps, askBps: safeBps, quoteBid: true, quoteAsk: true, quotePairs: pairs }
  const patienceMs = withinMs ?? PATIENCE_MS
  const late = withinMs === null ? new Promise<never>(() => {}) : wait(withinMs).then(() => null)
  let waitedMs = 0
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)) {
    const outcome = await Promise.race([client.spread(spread), late])
    if (outcome === null) break
    if (outcome.ok) {
      log.fatal({ safeBps }, 'the venue confirmed the safe quote')
      return 'safe'
    }
    const { retriable, retryAfterMs } = outcome.error
    const nextMs = Math.max(pauseMs, retryAfterMs ?? 0)
    const isLast = !retriable || waitedMs + nextMs > patienceMs
    const next = isLast ? 'it is not sent again' : `it is sent again in ${Math.ceil(nextMs / 1_000)} s`
    log.fatal(
      { failure: outcome.error },
      `the safe quote was NOT confirmed: the live quote is unknown; ${next}`,
    )
    if (isLast) return 'unconfirmed'
    if ((await Promise.race([wait(nextMs), late])) === null) break
    waitedMs += nextMs
  }
  log.fatal('the safe quote was NOT confirmed in time: the next start of the position sets a new quote')
  return 'unconfirmed'
}
