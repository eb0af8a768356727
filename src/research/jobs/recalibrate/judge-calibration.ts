import { copyFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { replaceFile } from '../../../base/files/replace-file.ts'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { readCalibration } from '../../../daemon/config/load/calibration.ts'
import { loadConfig } from '../../../daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { formatProblem } from '../../../daemon/config/source/problem.ts'
import { loadStrategyHere } from '../../../daemon/config/strategy/load-strategy.ts'
import { keepResult } from '../../../daemon/runtime/position/result-files.ts'
import { strategiesFolder } from '../../../daemon/runtime/position/strategy-registry.ts'
import type { RecalibrationView } from '../../../daemon/view/results/recalibration-view.ts'
import { openTape, rememberTape } from '../../../store/tape/folder/open-tape.ts'
import type { StrategyWatch } from '../apart/watch-strategy.ts'
import { REMEMBERED_ROWS } from '../library.ts'
import { problemsText, strategyPlaces } from '../tournament/participants.ts'
import { type Recalibration, recalibrate } from './recalibrate.ts'

/** `adopt`: the verdict `adopt` replaces the configured calibration. */
type JudgeOrder = Pick<Recalibration, 'weeks' | 'to' | 'observe'> & {
  readonly tape: string
  readonly adopt: boolean
}

/**
 * Judges a new calibration by a replay, writes it next to the configured one and saves the result in the store's folder. With `adopt`
 * a candidate that is better replaces the configured file, which is kept as FILE.before. `candidateFile` is null if no candidate
 * was written. The error is that of a file.
 */
export async function judgeCalibration(
  config: LoadedConfig,
  { tape, adopt, ...order }: JudgeOrder,
  watch: StrategyWatch,
): Promise<Result<{ readonly result: RecalibrationView; readonly candidateFile: string | null }, string>> {
  const { core, changes, allowedCode: allow } = config
  const file = config.calibrationFile ?? join(dirname(resolve(config.file)), 'calibration.json')
  const candidateFile = `${file}.candidate`
  let candidateText = ''
  const verdict = await recalibrate({
    config,
    ...order,
    open(window) {
      const opened = openTape(tape, { window, standing: true })
      return opened.ok ? ok(rememberTape(opened.value, REMEMBERED_ROWS)) : opened
    },
    async coreWith(candidate) {
      candidateText = `${JSON.stringify(candidate, null, 2)}\n`
      const written = await onDisk(() => replaceFile(candidateFile, candidateText))
      if (!written.ok) return written
      const loading = { strategiesFolder: strategiesFolder(), offline: true, skipStrategy: true }
      const changed = { ...changes, calibration: candidateFile }
      const loaded = await loadConfig(config.file, process.env, { ...loading, changes: changed })
      return loaded.ok ? ok(loaded.value.core) : err(loaded.error.map(formatProblem).join('\n'))
    },
    async loadStrategy() {
      const where = { ...strategyPlaces(config.file), allow }
      const loaded = await watch.loading(() => loadStrategyHere(core.strategy, where))
      return loaded.ok ? ok(watch.watched(loaded.value.strategy)) : err(problemsText(loaded.error))
    },
  })
  const adopted = adopt && verdict.verdict === 'adopt'
  const replaced = adopted ? await adoptFile(file, candidateText, core.calibration?.sourceHash) : ok(null)
  if (!replaced.ok) return replaced
  const result = { at: Date.now(), adopted, ...verdict }
  const kept = await keepResult(config, 'recalibration', result)
  return kept.ok ? ok({ result, candidateFile: candidateText === '' ? null : candidateFile }) : kept
}

/** Replaces the configured calibration at once, unless it is no longer the one that was judged. */
async function adoptFile(
  file: string,
  candidateText: string,
  judged?: string,
): Promise<Result<null, string>> {
  const configured = readCalibration(file)
  if (!configured.ok) return configured
  if (configured.value.sourceHash !== judged)
    return err(`${file} has changed since it was read, so it was not replaced: judge the candidate again`)
  return onDisk(async () => {
    await copyFile(file, `${file}.before`)
    await replaceFile(file, candidateText)
  })
}

async function onDisk(work: () => Promise<void>): Promise<Result<null, string>> {
  try {
    await work()
    return ok(null)
  } catch (error) {
    return err(errorText(error))
  }
}
