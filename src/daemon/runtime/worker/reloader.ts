import type { OperatorAnswer } from '../../console/position-port.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { formatProblem } from '../../config/source/problem.ts'
import { loadConfig, type StrategyTrial } from '../../config/load/load-config.ts'
import type { AcceptedTexts } from '../../config/load/parse-config.ts'
import { droppedText, overrideTexts, type ReloadedEvent } from '../../../core/engine/model/config-event.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { type Changes, checkChanges, mergeChanges } from '../../config/load/changes.ts'
import { loosenedBy } from '../../config/reload/loosened.ts'
import { watchConfig, type ConfigWatch } from '../../config/reload/watch-config.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import { needsRestart } from './needs-restart.ts'
import { overridden, type Overridden } from '../position/overrides.ts'
import type { RunningPosition } from '../position/run-position.ts'
import { strategiesFolder } from '../position/strategy-registry.ts'
import type { ReloadRequest } from './messages.ts'

export type ReloaderParts = {
  readonly begun: Pick<Overridden, 'config' | 'set'>
  /** The overrides of the file given at the start; operator settings are applied on top. */
  readonly fromStart: Changes
  readonly position: Pick<RunningPosition, 'reloadRefused'> & {
    /** `author` is the token that reloads; null = a file that changed. */
    readonly reload: (next: Overridden, by: ReloadedEvent['by'], author: string | null) => void
  }
  /** Switches to the key of this configuration and resolves with null, or resolves with the reason and keeps the old key. */
  readonly exchangeKey: (config: LoadedConfig) => Promise<string | null>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'reloads'>
  /** How a strategy is tried; tests set a longer limit, and one thread for many trials. */
  readonly probe?: StrategyTrial
}

export type Reloader = {
  /** Reads everything again and applies all of it, or keeps the current configuration and reports why. */
  readonly reload: (cause: string, order?: ReloadRequest, accepted?: AcceptedTexts) => Promise<OperatorAnswer>
  /** The running configuration. */
  readonly current: () => LoadedConfig
  /** The operator settings on top of the file. */
  readonly set: () => Changes
  /** Stops watching; a reload in progress has no effect. */
  readonly close: () => void
}

/**
 * The time limit for importing a new strategy file and asking it once, in a disposable thread. Most of it is the start of the thread, which
 * a busy machine slows down; a refused file is not retried.
 */
export const STRATEGY_TRIAL: StrategyTrial = { timeLimitMs: 5_000 }

/** The position could neither apply the configuration nor journal the refusal. */
const ENDED: OperatorAnswer = { accepted: false, answer: 'not reloaded: the position has ended' }

/**
 * Watches the configuration, its secrets and its strategy's source; reloads on a change or on request. A fleet watches its files in one
 * place for all positions and requests the reloads.
 */
export function createReloader(parts: ReloaderParts): Reloader {
  let { config: current, set } = parts.begun
  let watch = watchOwn(current, onChange)
  let isClosed = false
  let running: Promise<OperatorAnswer> = Promise.resolve({ accepted: true, answer: '' })

  function onChange(changed: readonly string[]): void {
    void reload(`${changed.join(', ')} changed`)
  }

  function reload(...asked: Parameters<Reloader['reload']>): Promise<OperatorAnswer> {
    running = running.then(() => attempt(...asked))
    return running
  }

  async function attempt(...asked: Parameters<Reloader['reload']>): Promise<OperatorAnswer> {
    if (isClosed) return ENDED
    const [cause, order, accepted] = asked
    const refuse = (problem: string) => refused(parts, cause, problem, order)
    const allowed = checkChanges(order?.changes ?? {})
    if (!allowed.ok) return refuse(allowed.error)
    // Later changes are compared with this reading; otherwise a change that is reverted meanwhile would go unnoticed.
    watch?.compareNow()
    const loaded = await readAnew(parts, { config: current, set }, order, accepted)
    if (isClosed) return ENDED
    if (!loaded.ok) return refuse(loaded.error)
    const next = loaded.value
    const keyProblem = await exchangeKeyIfNew(parts, current, next.config)
    if (isClosed) return ENDED
    if (keyProblem !== null) return refuse(keyProblem)
    const watched = current.watchFiles
    current = next.config
    set = next.set
    if (current.watchFiles.join() !== watched.join()) {
      // Start the new watch only now: started earlier, it would take writes made since the file was read as already read.
      watch?.close()
      watch = watchOwn(current, onChange)
    }
    return taken(parts, cause, next, order)
  }

  return {
    reload,
    current: () => current,
    set: () => set,
    close() {
      isClosed = true
      watch?.close()
    },
  }
}

/** Returns null in a fleet, which watches its files elsewhere. */
export function watchOwn(
  { watchFiles, sources }: LoadedConfig,
  onChange: (changed: readonly string[]) => void,
): ConfigWatch | null {
  return sources.defaults === null ? watchConfig(watchFiles, onChange) : null
}

/** Switches to the new configuration's key if it differs. Resolves with null if the key is in use, otherwise with the reason it is not. */
export async function exchangeKeyIfNew(
  parts: Pick<ReloaderParts, 'exchangeKey' | 'log'>,
  before: LoadedConfig,
  after: LoadedConfig,
): Promise<string | null> {
  if (before.apiKey.reveal() === after.apiKey.reveal()) return null
  const problem = await parts.exchangeKey(after)
  if (problem === null) parts.log.warn('the venue key was replaced')
  return problem
}

/** Reads the files with the overrides that stay and the new ones. The error is why that configuration cannot run here. */
async function readAnew(
  { fromStart, probe = STRATEGY_TRIAL }: Pick<ReloaderParts, 'fromStart' | 'probe'>,
  before: Pick<Overridden, 'config' | 'set'>,
  order: ReloadRequest | undefined,
  accepted: AcceptedTexts | undefined,
): Promise<Result<Overridden, string>> {
  const { file } = before.config
  const tried = accepted === undefined ? { probe } : { texts: accepted }
  async function load(set: Changes): Promise<Result<LoadedConfig, string>> {
    const options = {
      strategiesFolder: strategiesFolder(),
      changes: { ...fromStart, ...set },
      forTrading: true,
    }
    const loaded = await loadConfig(file, process.env, { ...options, ...tried })
    if (!loaded.ok) return err(loaded.error.map(formatProblem).join('\n'))
    const fixed = fixedProblem(before.config, loaded.value)
    return fixed === null ? loaded : err(fixed)
  }
  const { changes = {}, fromFile = false } = order ?? {}
  const kept = fromFile ? {} : before.set
  if (Object.keys(changes).length === 0) {
    const alone = await load({})
    return alone.ok ? ok(await overridden(alone.value, kept, tried.probe)) : alone
  }
  const set = mergeChanges(kept, changes)
  const loaded = await load(set)
  if (!loaded.ok) return loaded
  const why = await loosenedBy({
    file,
    strategiesFolder: strategiesFolder(),
    before: { ...fromStart, ...kept },
    changes,
    running: before.config.core,
    after: loaded.value.core,
  })
  return why === null ? ok({ config: loaded.value, set, dropped: [] }) : err(why)
}

/** Returns a sentence about changed keys that need a restart; null = none has changed. */
export function fixedProblem(before: LoadedConfig, after: LoadedConfig): string | null {
  const fixed = needsRestart(before, after)
  return fixed.length === 0 ? null : `${fixed.join(', ')} cannot change while running; restart the daemon`
}

function refused(
  { position, metrics, log }: ReloaderParts,
  cause: string,
  why: string,
  order: ReloadRequest | undefined,
): OperatorAnswer {
  position.reloadRefused(why, order === undefined ? undefined : askedBy(order))
  metrics.reloads.inc({ outcome: 'refused' })
  log.error({ cause, why }, 'configuration not reloaded; the old one is kept')
  return { accepted: false, answer: `not reloaded, the old configuration is kept: ${why}` }
}

function taken(
  { position, metrics, log }: ReloaderParts,
  cause: string,
  next: Overridden,
  order: ReloadRequest | undefined,
): OperatorAnswer {
  position.reload(next, order === undefined ? undefined : byWhom(order), order?.by ?? null)
  metrics.reloads.inc({ outcome: 'taken' })
  log.info({ cause }, 'configuration reloaded as a whole')
  return { accepted: true, answer: takenText(next) }
}

function takenText({ set, dropped }: Overridden): string {
  const settings = overrideTexts(set)
  const kept =
    settings.length === 0 ? '' : `set over HTTP, on top of the file: ${settings.join(', ')}; all else of `
  const but =
    dropped.length === 0 ? '' : `; dropped because they conflict with the file: ${droppedText(dropped)}`
  const verb = settings.length === 0 ? 'are' : 'is'
  return `reloaded: ${kept}strategy, risk, quote, inventory and pacing ${verb} as in the file${but}`
}

/** Leaves out the values: a refused setting may be a secret. */
function askedBy({ who, why, changes, fromFile }: ReloadRequest): ReloadedEvent['by'] {
  const paths = [...(fromFile ? ['the file'] : []), ...Object.keys(changes)]
  return { who, why, what: paths.join(', ') || 'the file' }
}

function byWhom({ who, why, changes, fromFile }: ReloadRequest): ReloadedEvent['by'] {
  const set = overrideTexts(changes)
  const what = [...(fromFile ? ['the settings made over HTTP were discarded'] : []), ...set]
  return { who, why, what: what.length === 0 ? 'the file was read again' : what.join(', ') }
}
