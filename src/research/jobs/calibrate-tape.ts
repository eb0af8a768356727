import { err, invariant, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { calibrateTape, type CalibrationSamples } from '../calibration/calibrate.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { DEFAULT_TOLERANCE_BPS } from '../../core/engine/model/config.ts'
import type { Calibration } from '../../core/models/calibration.ts'
import { horizonsOf } from '../../core/models/markouts/horizons.ts'
import type { TapeSource } from '../../store/tape/model/batch.ts'
import { judgeSkipped, tapeProblemTexts, tooManySkippedText } from '../../store/tape/summary/tape-window.ts'

const DEFAULT_SEED = 1
const MAX_SKIPPED_SHARE = 0.01

type CalibrationRequest = {
  readonly from?: Ms
  readonly to?: Ms
  readonly toleranceBps?: number
  readonly seed?: number
  readonly allowSkipped?: boolean
  /** Whether the segments also contain the sizes of fills. */
  readonly bySize?: boolean
}

type Calibrated = { readonly calibration: Calibration; readonly samples: CalibrationSamples }

/**
 * Calibrates takers and the mid from a tape, with the venue's terms from a configuration if given. The error is `empty`
 * if a window of the tape has no rows, else a sentence.
 */
export async function runCalibration(
  source: TapeSource,
  config: Pick<LoadedConfig, 'venue' | 'backtest'> | null,
  request: CalibrationRequest,
): Promise<Result<Calibrated, string>> {
  const learnedFrom: CalibrationSamples[] = []
  const counted = countRows(source)
  const found = await calibrateTape(counted.source, {
    toleranceBps: request.toleranceBps ?? config?.venue.toleranceBps ?? DEFAULT_TOLERANCE_BPS,
    seed: request.seed ?? config?.backtest.seed ?? DEFAULT_SEED,
    bySize: request.bySize === true,
    onSamples: (all) => void learnedFrom.push(all),
    ...(config === null
      ? {}
      : {
          protocolFeeBps: config.venue.protocolFeeBps,
          fairValue: config.backtest.fairValue,
          horizons: horizonsOf(config.backtest),
        }),
  })
  const [samples] = learnedFrom
  invariant(samples !== undefined, 'a calibration returns its samples')
  if (counted.read().rows === 0 && (request.from ?? request.to) !== undefined) return err('empty')
  const problems = source.problems()
  const maxShare = request.allowSkipped === true ? 1 : (config?.backtest.maxSkippedShare ?? MAX_SKIPPED_SHARE)
  const skipped = judgeSkipped(problems, counted.read(), maxShare)
  if (skipped.isTooMany) return err(tooManySkippedText(skipped.warning, maxShare))
  const warnings = [
    ...(skipped.warning === null ? [] : [skipped.warning]),
    ...tapeProblemTexts(problems),
    ...found.warnings,
  ]
  return ok({ calibration: { ...found, warnings }, samples })
}

type Counted = { readonly source: TapeSource; readonly read: () => { rows: number; fills: number } }

/** Counts the rows as they are read. */
function countRows(source: TapeSource): Counted {
  let read = { rows: 0, fills: 0 }
  return {
    read: () => read,
    source: {
      problems: source.problems,
      async *batches() {
        read = { rows: 0, fills: 0 }
        for await (const batch of source.batches()) {
          read.rows += batch.rows
          read.fills += batch.fills.length
          yield batch
        }
      },
    },
  }
}
