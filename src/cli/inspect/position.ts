import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Learned } from '../../research/diagnosis/check/sources.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { readSavedStops } from '../../daemon/runtime/position/saved-stops.ts'
import { storedView } from '../../daemon/runtime/position/stored-position.ts'
import type { PositionView } from '../../daemon/view/position-view.ts'
import { readLockState } from '../../store/store-lock.ts'
import { openReader } from '../../store/open-reader.ts'
import { guardText } from '../guard/ask.ts'
import { daemonView } from '../operator/daemon-client.ts'
import { type Contact, contactOf, daemonUrl, readContact } from '../../daemon/config/load/contact.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { timeText } from '../../base/text/times.ts'
import { placeText } from '../../store/place.ts'

/** `note` states that the figures come from the store, and their time; null = they come from the daemon. */
export type PositionRead = {
  readonly view: PositionView
  readonly note: string | null
  /**
   * Risks while no daemon runs: quotes that may be live, the state of the guard, and stops that wait for the next start.
   * Absent while a daemon runs.
   */
  readonly unwatched?: readonly string[]
}
export type PositionUnavailable = { readonly exitCode: number; readonly why: string }

/** Reads a position from its running daemon, otherwise from its store. Throws StoreReadError. */
export async function readPosition(
  config: LoadedConfig,
  contact: Contact = contactOf(config),
): Promise<PositionRead | PositionUnavailable> {
  const answer = await daemonView(contact)
  if (answer?.status === 200) return { view: answer.body as PositionView, note: null }
  if (answer?.status === 401 || answer?.status === 403) {
    const { message } = answer.body as { readonly message?: string }
    return {
      exitCode: EXIT_CODE.usage,
      why: `the daemon rejects the request: ${message ?? 'check http.token'}`,
    }
  }
  const reader = openReader(config.store.place)
  if (!reader.ok)
    return {
      exitCode: EXIT_CODE.failed,
      why: `no daemon answers at ${daemonUrl(config)}, and ${reader.error.message}`,
    }
  try {
    const view = await storedView(config, reader.value)
    if (view === null)
      return {
        exitCode: EXIT_CODE.failed,
        why: `the store in ${placeText(config.store.place)} has no events yet`,
      }
    const who = (answer?.status === 503 ? messageOf(answer) : null) ?? whoRuns(config)
    const unwatched = who === null && view.mode === 'live' ? await unwatchedLines(config, view) : []
    const above = [...unwatched, ...keptStopLines(config)]
    return { view, note: `${who ?? 'DAEMON NOT RUNNING'}, as of ${timeText(view.now)}`, unwatched: above }
  } finally {
    reader.value.close()
  }
}

/** Like `readPosition`, for a configuration that was loaded offline: of its secrets only the token is read. */
export function readOffline(config: LoadedConfig): Promise<PositionRead | PositionUnavailable> {
  return readPosition(config, { ...readContact(config.file, process.env), name: config.core.name })
}

function keptStopLines({ store }: LoadedConfig): readonly string[] {
  return readSavedStops(store.path).map(
    ({ command, who, why }) =>
      `${command.name} by ${who} (${why}) is kept, and takes effect when the position starts`,
  )
}

/** Returns why the daemon shows no state: it starts, hangs or is a standby. */
function messageOf({ body }: { readonly body: unknown }): string | null {
  const { message } = (body ?? {}) as { readonly message?: unknown }
  return typeof message === 'string' ? `${message}; from the store` : null
}

async function unwatchedLines(
  { file, core }: LoadedConfig,
  { quote }: PositionView,
): Promise<readonly string[]> {
  const side = (bps: number | null, isOn: boolean | null) => (isOn === false ? 'off' : (bps ?? 'unknown'))
  const last = `${side(quote.bidBps, quote.quoteBid)}/${side(quote.askBps, quote.quoteAsk)}`
  return [
    `what is live at the venue now is unknown; the daemon last saw ${last} bps (${quote.status})`,
    await guardText(file, core.name),
  ]
}

/** Null = no process holds the store. */
function whoRuns(config: LoadedConfig): string | null {
  const lock = readLockState(config.store.path)
  if (!lock.ok || !lock.value.held) return null
  const { holder } = lock.value
  const who = holder === null ? 'a process' : `process ${holder.pid}`
  return `${who} holds the store but does not answer at ${daemonUrl(config)}; from the store`
}

/** Returns what the daemon has learned of the venue up to its latest event; the error names the unreadable file. */
export async function readLearned(config: LoadedConfig): Promise<Result<Learned, string>> {
  try {
    const read = await readPosition(config)
    // A missing or unreadable store is a separate finding.
    if ('why' in read) return ok({ at: 0, known: [] })
    const { now, capabilities } = read.view
    return ok({ at: now, known: capabilities.filter(({ value }) => value !== null) })
  } catch (error) {
    return err(`the store cannot be read: ${errorText(error)}`)
  }
}
