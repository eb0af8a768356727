import type { Ms } from '../base/time.ts'
import { calibrate as calibrateTape } from '../calibration/calibrate.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import type { Calibration } from '../models/calibration.ts'
import { openTape } from '../tape/folder/open-tape.ts'
import { EXIT_CODE } from './exit-code.ts'
import { loadOrExplain } from './load-or-explain.ts'
import { renderCalibration } from './render-calibration.ts'
import { fail, say, type Voice } from './say.ts'
import { tapeProblemTexts } from './tape-problem-texts.ts'
import { tapeProgress } from './tape-progress.ts'
import { writeWhole } from './write-whole.ts'

export type CalibrateOptions = Voice & {
  readonly tape?: string
  readonly config?: string
  readonly out?: string
  readonly from?: Ms
  readonly to?: Ms
  readonly toleranceBps?: number
  readonly seed?: number
}

/** Without a configuration the venue's tolerance is taken to be the one that was seen. */
const DEFAULT_TOLERANCE_BPS = 5
const DEFAULT_SEED = 1

/** What a tape says about takers and the mid, for people, as JSON, and as the file that `calibration:` names. */
export async function calibrate(options: CalibrateOptions): Promise<void> {
  const config = await configOf(options)
  if (config === 'wrong') return
  const tape = options.tape ?? config?.backtest.tape ?? null
  if (tape === null) {
    return fail(options, EXIT_CODE.usage, 'no tape: give --tape PATH, or --config with backtest.tape')
  }
  const { from, to } = options
  const opened = openTape(tape, {
    window: { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
    standing: true,
  })
  if (!opened.ok) return fail(options, EXIT_CODE.failed, opened.error)
  const found = await calibrateTape(tapeProgress(opened.value, tape, process.stderr), {
    toleranceBps: options.toleranceBps ?? config?.venue.toleranceBps ?? DEFAULT_TOLERANCE_BPS,
    seed: options.seed ?? config?.backtest.seed ?? DEFAULT_SEED,
    ...(config === null
      ? {}
      : { protocolFeeBps: config.venue.protocolFeeBps, fairValue: config.backtest.fairValue }),
  })
  const calibration: Calibration = {
    ...found,
    warnings: [...tapeProblemTexts(opened.value.problems()), ...found.warnings],
  }
  if (options.out !== undefined) {
    const written = await writeWhole(options.out, `${JSON.stringify(calibration, null, 2)}\n`)
    if (!written.ok) return fail(options, EXIT_CODE.failed, written.error)
  }
  say(options, [renderCalibration(calibration), ...writtenText(options)].join('\n'), calibration)
}

/** The calibration that a configuration names may be the very one that is to be made, so it is not read. */
async function configOf(options: CalibrateOptions): Promise<LoadedConfig | null | 'wrong'> {
  if (options.config === undefined) return null
  const changes = { calibration: null }
  return (await loadOrExplain(options.config, options, { offline: true, changes })) ?? 'wrong'
}

function writtenText({ out }: CalibrateOptions): readonly string[] {
  if (out === undefined) return []
  return ['', `Written to ${out}. Strategies read it where the configuration has calibration: ${out}`]
}
