import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { buildView, type PositionView } from '../../view/position-view.ts'
import { readLockState } from '../../store/store-lock.ts'
import { openReader, type StoreReader } from '../../store/open-reader.ts'
import { guardText } from '../guard/ask.ts'
import { daemonView } from '../operator/daemon-client.ts'
import { contactOf, daemonUrl } from '../operator/find-daemon.ts'
import { EXIT_CODE } from '../../text/exit-code.ts'
import type { EngineState } from '../../engine/model/state.ts'
import { createResultReader } from '../../runtime/position/result-files.ts'
import { recoverPosition } from '../../runtime/position/recover.ts'
import { createStrategyRegistry, strategyLoader } from '../../runtime/position/strategy-registry.ts'
import { timeText } from '../../text/times.ts'
import { placeText } from '../../store/place.ts'

/** `note` states that the figures are the store's, and their time; null = the daemon's own. */
export type PositionRead = {
  readonly view: PositionView
  readonly note: string | null
  /** What may be live at the venue while no daemon runs, and what the guard does; absent while one runs. */
  readonly unwatched?: readonly string[]
}
export type PositionUnavailable = { readonly exitCode: number; readonly why: string }

/** A position as its running daemon shows it, otherwise as its store remembers it. Throws StoreReadError. */
export async function readPosition(config: LoadedConfig): Promise<PositionRead | PositionUnavailable> {
  const answer = await daemonView(contactOf(config))
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
    return { view, note: `${who ?? 'DAEMON NOT RUNNING'}, as of ${timeText(view.now)}`, unwatched }
  } finally {
    reader.value.close()
  }
}

/** Why the daemon shows no state: it starts, hangs or stands by for another one. */
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

/** What the store remembers of a position, as it would show itself. Null where nothing was ever journalled. */
export async function storedView(config: LoadedConfig, reader: StoreReader): Promise<PositionView | null> {
  const stored = await storedPosition(config, reader)
  if (stored === null) return null
  return { ...buildView(stored.state, stored.state.now, stored), ...createResultReader()(config, Date.now()) }
}

type StoredPosition = { readonly state: EngineState; readonly seq: number; readonly digest: string }

/**
 * The core's state as the store remembers it, as of the last event on disk: the latest snapshot and the
 * journal after it. Null where nothing was ever journalled. Throws StoreReadError.
 */
export async function storedPosition(
  config: LoadedConfig,
  reader: StoreReader,
): Promise<StoredPosition | null> {
  const { engine, seq, digest } = await recoverPosition({
    from: reader.recover(),
    strategies: createStrategyRegistry(config),
    loadStrategy: strategyLoader(config),
  })
  const state = engine.state()
  return state === null ? null : { state, seq, digest }
}
