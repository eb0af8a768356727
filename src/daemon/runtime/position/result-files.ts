import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { HOUR_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { replaceFile } from '../../../base/files/replace-file.ts'
import { type ChallengerView, challengerSchema } from '../../view/challenger-view.ts'
import type { PositionView } from '../../view/position-view.ts'
import { type RecalibrationView, recalibrationSchema } from '../../view/results/recalibration-view.ts'
import { type RiskView, riskSchema } from '../../view/results/risk-view.ts'
import { type ScorecardView, scorecardSchema } from '../../view/scorecard-view.ts'

// The results that `mizani scorecard --every`, `challenger`, `risk` and `calibrate --judge` save in the store's folder for the daemon to show.

type Results = {
  readonly scorecard: ScorecardView
  readonly challenger: ChallengerView
  readonly risk: RiskView
  readonly recalibration: RecalibrationView
}
type Command = keyof Results

const SCHEMAS = {
  scorecard: scorecardSchema,
  challenger: challengerSchema,
  risk: riskSchema,
  recalibration: recalibrationSchema,
} as const

/** Several times the largest result. */
const MAX_BYTES = 64 * 1_024
/** A command that runs once a day keeps its result fresh. */
const MAX_AGE_MS = 26 * HOUR_MS

type Place = Pick<LoadedConfig, 'core' | 'store'>
/** Why a file has no usable result, as `does not exist`, and when it was written; null = no file. */
type NoResult = { readonly why: string; readonly at: Ms | null }

function pathOf({ store }: Place, command: Command): string {
  return join(store.path, `${command}.json`)
}

/** Replaces the result of a command. The error names the file and why it was not written. */
export async function keepResult<Name extends Command>(
  place: Place,
  command: Name,
  result: Results[Name],
): Promise<Result<null, string>> {
  const path = pathOf(place, command)
  try {
    await replaceFile(path, JSON.stringify({ ...result, position: place.core.name }))
    return ok(null)
  } catch (error) {
    return err(
      `${path} cannot be written (${errorText(error)}): start the daemon once, and repeat this command as its user`,
    )
  }
}

/** Returns the last result of a command, however old; or why its file shows none. */
export function readResult<Name extends Command>(
  place: Place,
  command: Name,
): Result<Results[Name], NoResult> {
  let at: Ms | null = null
  const none = (why: string) => err({ why, at })
  try {
    // Opening a pipe would wait for its writer.
    const file = openSync(pathOf(place, command), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      at = Math.round(stats.mtimeMs)
      if (!stats.isFile()) return none('is not a regular file')
      if (stats.size > MAX_BYTES) return none(`is larger than any result (${stats.size} bytes)`)
      const buffer = Buffer.alloc(stats.size)
      const written = JSON.parse(buffer.toString('utf8', 0, readSync(file, buffer))) as unknown
      const parsed = SCHEMAS[command].safeParse(written)
      if (!parsed.success) return none('is not a result')
      // A daemon of 0.2.0 wrote no name.
      const { position = place.core.name } = written as { readonly position?: unknown }
      return position === place.core.name
        ? ok(parsed.data as Results[Name])
        : none('belongs to another position')
    } finally {
      closeSync(file)
    }
  } catch (error) {
    // The message of a JSON error quotes the file.
    const { code = 'it is not JSON' } = error as NodeJS.ErrnoException
    return none(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`)
  }
}

type ShownResults = Pick<PositionView, Command>
type ResultReader = (config: LoadedConfig, now: Ms) => ShownResults

/** Returns a reader of the commands' latest results; a file is read again when it has changed. */
export function createResultReader(): ResultReader {
  const scorecardOf = readOnChange('scorecard')
  const challengerOf = readOnChange('challenger')
  const riskOf = readOnChange('risk')
  const recalibrationOf = readOnChange('recalibration')
  return (config, now) => {
    const last = recalibrationOf(config)
    return {
      scorecard: config.core.calibration === null ? null : shownScorecard(config, scorecardOf(config), now),
      challenger: config.challenger === null ? null : shownChallenger(config, challengerOf(config), now),
      risk: shownRisk(riskOf(config), now),
      recalibration: last.ok ? last.value : null,
    }
  }
}

function readOnChange<Name extends Command>(
  command: Name,
): (place: Place) => Result<Results[Name], NoResult> {
  let [seen, result] = ['', null as Result<Results[Name], NoResult> | null]
  return (place) => {
    const state = stateOf(pathOf(place, command))
    if (result === null || state !== seen) [seen, result] = [state, readResult(place, command)]
    return result
  }
}

function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path)
    return [ino, size, mtimeMs, ctimeMs].join(' ')
  } catch (error) {
    return errorText(error)
  }
}

function shownScorecard(
  { core }: LoadedConfig,
  read: Result<ScorecardView, NoResult>,
  now: Ms,
): ScorecardView {
  const { from, to } = core.calibration?.learned ?? { from: null, to: null }
  const isOurs = ({ card }: ScorecardView) =>
    card === null || (card.calibratedFrom === from && card.calibratedTo === to)
  const why = whyUnknown(read, now, isOurs, 'calibration')
  if (read.ok && why === null) return read.value
  return { at: writtenAt(read, now), card: null, outsideSince: null, problem: adviceOn('scorecard', why) }
}

function shownChallenger(
  { challenger }: LoadedConfig,
  read: Result<ChallengerView, NoResult>,
  now: Ms,
): ChallengerView {
  const { use, params } = challenger ?? { use: '', params: {} }
  const isOurs = (one: ChallengerView) => one.use === use && isDeepStrictEqual(one.params, params)
  const why = whyUnknown(read, now, isOurs, 'challenger')
  if (read.ok && why === null) return read.value
  const nothing = { fingerprint: '', since: null, compared: null, suspended: null }
  return { use, params, ...nothing, at: writtenAt(read, now), problem: adviceOn('challenger', why) }
}

function shownRisk(read: Result<RiskView, NoResult>, now: Ms): RiskView {
  const why = whyUnknown(read, now, () => true, 'position')
  if (read.ok && why === null) return read.value
  return { at: writtenAt(read, now), measured: null, problem: adviceOn('risk', why) }
}

/** Returns why a result is not shown, as `does not exist`; null = shown. */
function whyUnknown<View extends { readonly at: Ms | null }>(
  read: Result<View, NoResult>,
  now: Ms,
  isOurs: (result: View) => boolean,
  subject: string,
): string | null {
  if (!read.ok) return read.error.why
  const { at } = read.value
  if (!isOurs(read.value)) return `is about a different ${subject} from the configured one`
  if (at === null || at - now > MINUTE_MS) return 'has no time, or one in the future'
  return now - at > MAX_AGE_MS ? `is older than ${MAX_AGE_MS / HOUR_MS} hours` : null
}

function writtenAt(read: Result<{ readonly at: Ms | null }, NoResult>, now: Ms): Ms | null {
  const { at } = read.ok ? read.value : read.error
  return at === null || at > now ? null : at
}

function adviceOn(command: Command, why: string | null): string {
  return `${command}.json in the store's folder ${why ?? ''}; \`mizani ${command} --config FILE --every 1h\` writes a new one`
}
