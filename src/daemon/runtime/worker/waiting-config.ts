import type { OperatorAnswer } from '../../console/position-port.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { AcceptedTexts } from '../../config/load/parse-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { ConfigWatch } from '../../config/reload/watch-config.ts'
import { formatProblem, type ConfigProblem } from '../../config/source/problem.ts'
import { liftedNotice, positionNotice } from '../../notify/notice.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import type { PositionInit } from './messages.ts'
import type { PositionOutputs } from './answer-calls.ts'
import { exchangeKeyIfNew, fixedProblem, STRATEGY_TRIAL, type ReloaderParts, watchOwn } from './reloader.ts'
import { loadConfig, type LoadConfigOptions } from '../../config/load/load-config.ts'
import { strategiesFolder } from '../position/strategy-registry.ts'

/**
 * The configuration of a position that does not run yet. A standby may wait for weeks: it takes over with the files' content at that time,
 * and a wrong file is reported while there is time to fix it.
 */
export type WaitingConfig = {
  /** The position stands by from now on: its files are tried immediately, and after every change. */
  readonly standBy: (parts: StandingParts) => void
  /** Tries the files again, or in a fleet the accepted texts. */
  readonly reload: (cause: string, accepted?: AcceptedTexts) => Promise<OperatorAnswer>
  /** Returns the configuration to start with, now that this daemon holds the position; the error is why it must not start. */
  readonly granted: () => Promise<Result<LoadedConfig, WrongConfig>>
  /** Stops watching and returns whether files have changed since they were read. */
  readonly end: () => boolean
}

/** `mayStartAgain`: a restart of the daemon could use the current files. */
export type WrongConfig = { readonly message: string; readonly mayStartAgain: boolean }

type StandingParts = Pick<ReloaderParts, 'exchangeKey' | 'log' | 'probe'> & {
  readonly notify: PositionOutputs['notify']
  readonly metrics: Pick<Metrics, 'reloads'>
}

const UNCHANGED: OperatorAnswer = { accepted: true, answer: 'the position starts with its current files' }
const TAKEN: OperatorAnswer = {
  accepted: true,
  answer: 'read again and valid: a take-over uses it; until then another daemon holds the position',
}

type Waiting = {
  current: LoadedConfig
  texts: AcceptedTexts | undefined
  wrong: WrongConfig | null
  /** Files have changed since they were last read. */
  isUnread: boolean
  /** Null = the position is not standing by. */
  standing: StandingParts | null
  watch: ConfigWatch | null
  readonly onChange: (changed: readonly string[]) => void
}

/**
 * Creates the configuration of a waiting position. A fleet watches its files in one place for all positions and passes what it accepted to
 * `reload`.
 */
export function createWaitingConfig(init: PositionInit, first: LoadedConfig): WaitingConfig {
  const { texts } = init
  const begun = { current: first, texts, wrong: null, isUnread: false, standing: null }
  const waiting: Waiting = { ...begun, watch: watchOwn(first, onChange), onChange }
  let running: Promise<OperatorAnswer> = Promise.resolve(UNCHANGED)

  function onChange(changed: readonly string[]): void {
    waiting.isUnread = true
    if (waiting.standing !== null) void reload(`${changed.join(', ')} changed`)
  }

  function reload(cause: string, accepted?: AcceptedTexts): Promise<OperatorAnswer> {
    running = running.then(async () => {
      const { standing } = waiting
      if (standing === null) return UNCHANGED
      waiting.texts = accepted ?? waiting.texts
      const before = waiting.wrong
      waiting.wrong = await readAnew(init, first, waiting, standing)
      report(standing, cause, before, waiting.wrong)
      return waiting.wrong === null
        ? TAKEN
        : { accepted: false, answer: `not taken: ${waiting.wrong.message}` }
    })
    return running
  }

  return {
    standBy(parts) {
      if (waiting.standing !== null) return
      waiting.standing = parts
      if (waiting.watch !== null) void reload('standby begins')
    },
    reload,
    async granted() {
      if (waiting.standing === null) return ok(waiting.current)
      await running
      if (hasChanged(waiting) || waiting.wrong !== null) await reload('take-over of the position')
      waiting.standing = null
      return waiting.wrong === null ? ok(waiting.current) : err(waiting.wrong)
    },
    end() {
      const isUnread = hasChanged(waiting)
      waiting.standing = null
      waiting.watch?.close()
      return isUnread
    },
  }
}

function hasChanged({ watch, isUnread }: Waiting): boolean {
  return isUnread || (watch?.compareNow().length ?? 0) > 0
}

/** Reads the files for a take-over. Returns why they are refused; `current` stays unchanged then. */
async function readAnew(
  init: PositionInit,
  first: LoadedConfig,
  waiting: Waiting,
  standing: StandingParts,
): Promise<WrongConfig | null> {
  const { texts, watch, current } = waiting
  // Later changes are compared with this reading; otherwise a change that is reverted meanwhile would go unnoticed.
  watch?.compareNow()
  waiting.isUnread = false
  const [more, probe] = texts === undefined ? [{}, standing.probe ?? STRATEGY_TRIAL] : [{ texts }, undefined]
  const loaded = await loadInitialConfig({ ...init, ...more }, probe)
  if (!loaded.ok) return { message: loaded.error.map(formatProblem).join('\n'), mayStartAgain: false }
  const fixed = fixedProblem(first, loaded.value)
  if (fixed !== null) return { message: fixed, mayStartAgain: true }
  const ofKey = await exchangeKeyIfNew(standing, current, loaded.value)
  if (ofKey !== null) return { message: ofKey, mayStartAgain: true }
  waiting.current = loaded.value
  if (waiting.standing === null) return null
  if (loaded.value.watchFiles.join() === current.watchFiles.join()) return null
  watch?.close()
  waiting.watch = watchOwn(loaded.value, waiting.onChange)
  // Catch changes between reading a file and watching it.
  return readAnew(init, first, waiting, standing)
}

const CODE = 'standby-config'

/** Reports a problem once, until it changes or ends. */
function report(
  { log, notify, metrics }: StandingParts,
  cause: string,
  before: WrongConfig | null,
  now: WrongConfig | null,
): void {
  metrics.reloads.inc({ outcome: now === null ? 'taken' : 'refused' })
  if (now === null) log.info({ cause }, 'configuration read again; a take-over uses it')
  else
    log.error(
      { cause, why: now.message },
      'configuration rejected: after a take-over this daemon would not trade',
    )
  if (before?.message === now?.message) return
  if (now !== null) notify(positionNotice(CODE, standbyText(now)))
  else notify(liftedNotice(Date.now(), CODE, 'the configuration of this standby is valid again'))
}

function standbyText({ message }: WrongConfig): string {
  return `this standby daemon would not trade after a take-over: ${message}`
}

/** Loads the configuration that a worker starts with, before its journal is read. With `probe` the strategy is first tried in isolation. */
export async function loadInitialConfig(
  { configFile, changes = {}, texts }: Pick<PositionInit, 'configFile' | 'changes' | 'texts'>,
  probe?: LoadConfigOptions['probe'],
): Promise<Result<LoadedConfig, readonly ConfigProblem[]>> {
  return loadConfig(configFile, process.env, {
    strategiesFolder: strategiesFolder(),
    changes,
    forTrading: true,
    ...(texts === undefined ? {} : { texts }),
    ...(probe === undefined ? {} : { probe }),
  })
}
