import type { CommandAnswer } from '../../console/position-port.ts'
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
  /** The overrides of the file since the start; what operators set comes on top. */
  readonly fromStart: Changes
  readonly position: Pick<RunningPosition, 'reload' | 'reloadRefused'>
  /** Uses the key of this configuration from now on; else returns the reason, and the old key stays. */
  readonly exchangeKey: (config: LoadedConfig) => Promise<string | null>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'reloads'>
  /** How a strategy is tried; tests set more patience, and one thread for many trials. */
  readonly probe?: StrategyTrial
}

export type Reloader = {
  /** Reads everything again and applies it as a whole, or keeps what was and reports why. */
  readonly reload: (cause: string, order?: ReloadRequest, accepted?: AcceptedTexts) => Promise<CommandAnswer>
  /** What runs now. */
  readonly current: () => LoadedConfig
  /** What operators set on top of the file. */
  readonly set: () => Changes
  /** Ends the watch; a reload under way changes nothing any longer. */
  readonly close: () => void
}

/**
 * A new strategy file gets this long to be imported and asked once, in a thread that may be thrown away.
 * Most of it is the thread's own start, which a busy machine draws out; a refused file is not tried again.
 */
export const STRATEGY_TRIAL: StrategyTrial = { timeLimitMs: 5_000 }

/** The position could neither apply the configuration nor journal the refusal. */
const ENDED: CommandAnswer = { accepted: false, answer: 'not reloaded: the position has ended' }

/**
 * Watches the configuration, its secrets and its strategy's source; reloads on a change or when asked to. The files of
 * a fleet are watched in one place for all positions, which asks.
 */
export function createReloader(parts: ReloaderParts): Reloader {
  let { config: current, set } = parts.begun
  let watch = watchOwn(current, onChange)
  let isClosed = false
  let running: Promise<CommandAnswer> = Promise.resolve({ accepted: true, answer: '' })

  function onChange(changed: readonly string[]): void {
    void reload(`${changed.join(', ')} changed`)
  }

  function reload(...asked: Parameters<Reloader['reload']>): Promise<CommandAnswer> {
    running = running.then(() => attempt(...asked))
    return running
  }

  async function attempt(...asked: Parameters<Reloader['reload']>): Promise<CommandAnswer> {
    if (isClosed) return ENDED
    const [cause, order, accepted] = asked
    const refuse = (problem: string) => refused(parts, cause, problem, order)
    const allowed = checkChanges(order?.changes ?? {})
    if (!allowed.ok) return refuse(allowed.error)
    // What is read now is what a later change is compared with: one that is taken back would go unnoticed else.
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
      // Only then: a new watch would take what was written since the file was read for what was read.
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

/** Null in a fleet. */
export function watchOwn(
  { watchFiles, sources }: LoadedConfig,
  onChange: (changed: readonly string[]) => void,
): ConfigWatch | null {
  return sources.defaults === null ? watchConfig(watchFiles, onChange) : null
}

/** The key of the new configuration, where it is another one; null once it is in use, else why it is not. */
export async function exchangeKeyIfNew(
  parts: Pick<ReloaderParts, 'exchangeKey' | 'log'>,
  before: LoadedConfig,
  after: LoadedConfig,
): Promise<string | null> {
  if (before.apiKey.reveal() === after.apiKey.reveal()) return null
  const problem = await parts.exchangeKey(after)
  if (problem === null) parts.log.warn('the key of the venue was exchanged')
  return problem
}

/** The configuration as its files are now, with what stays set and what is set anew; or why it cannot run here. */
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

/** A sentence about what cannot change while a daemon runs; null = nothing of it has. */
export function fixedProblem(before: LoadedConfig, after: LoadedConfig): string | null {
  const fixed = needsRestart(before, after)
  return fixed.length === 0 ? null : `${fixed.join(', ')} cannot change while running; restart the daemon`
}

function refused(
  { position, metrics, log }: ReloaderParts,
  cause: string,
  why: string,
  order: ReloadRequest | undefined,
): CommandAnswer {
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
): CommandAnswer {
  position.reload(next, order === undefined ? undefined : byWhom(order))
  metrics.reloads.inc({ outcome: 'taken' })
  log.info({ cause }, 'configuration reloaded as a whole')
  return { accepted: true, answer: takenText(next) }
}

function takenText({ set, dropped }: Overridden): string {
  const paths = Object.keys(set)
  const kept = paths.length === 0 ? '' : `, but for what was set over HTTP: ${paths.join(', ')}`
  const but =
    dropped.length === 0 ? kept : `${kept}; dropped, as it does not fit the file: ${droppedText(dropped)}`
  return `reloaded: strategy, risk, quote, inventory and pacing are as in the file${but}`
}

/** Without the values: what may not be set may be a secret. */
function askedBy({ who, why, changes, fromFile }: ReloadRequest): ReloadedEvent['by'] {
  const paths = [...(fromFile ? ['the file'] : []), ...Object.keys(changes)]
  return { who, why, what: paths.join(', ') || 'the file' }
}

function byWhom({ who, why, changes, fromFile }: ReloadRequest): ReloadedEvent['by'] {
  const set = overrideTexts(changes)
  const what = [...(fromFile ? ['what was set over HTTP is forgotten'] : []), ...set]
  return { who, why, what: what.length === 0 ? 'the file was read again' : what.join(', ') }
}
