import { err, ok, type Result } from '../../../base/result.ts'
import { DAY_MS, type Ms } from '../../../base/time.ts'
import { floatText } from '../../../base/text/numbers.ts'
import { dateText } from '../../../base/text/times.ts'
import type { CoreConfig } from '../../../core/engine/model/config.ts'
import { type Calibration, FEWEST_FILLS } from '../../../core/models/calibration.ts'
import { studentQuantile } from '../../../core/models/distributions.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import type { RecalibrationView } from '../../../daemon/view/results/recalibration-view.ts'
import type { TapeSource, TapeWindow } from '../../../store/tape/model/batch.ts'
import { joinPrior } from '../../calibration/join-prior.ts'
import { runCalibration } from '../calibrate-tape.ts'
import { meanOf } from '../../models/statistics/paired-difference.ts'
import { compareShadows } from '../challenger/compare-shadows.ts'

const WEEK_MS: Ms = 7 * DAY_MS
/** Older takers are hardly those of today; what they showed is in the configured calibration. */
const LONGEST_MS: Ms = 12 * WEEK_MS

type Window = Required<TapeWindow>

export type Recalibration = {
  readonly config: Pick<LoadedConfig, 'core' | 'venue' | 'backtest'>
  readonly open: (window: Window) => Result<TapeSource, string>
  /** Returns the core as a reload with this calibration would make it. */
  readonly coreWith: (candidate: Calibration) => Promise<Result<CoreConfig, string>>
  /** Evaluates the strategy anew. */
  readonly loadStrategy: () => Promise<Result<LoadedStrategy, string>>
  /** The last weeks before `to` are replayed. */
  readonly weeks: number
  readonly to: Ms
  /** Called before each replay, with the number of finished ones. */
  readonly observe?: (done: number, total: number) => void
}

type Verdict = Omit<RecalibrationView, 'at' | 'adopted'>

/**
 * Estimates a candidate from rows before the last weeks, with the configured calibration as prior, and replays these weeks with and
 * without it. The verdict is `adopt` only if the lower bound of the daily difference is above 0, and `unknown` without a replay. No row
 * of the replayed weeks is in either calibration.
 */
export async function recalibrate(order: Recalibration): Promise<Verdict> {
  const current = order.config.core.calibration?.learned ?? null
  const replayed = { from: order.to - order.weeks * WEEK_MS, to: order.to }
  const from = Math.max(replayed.from - LONGEST_MS, current === null ? 0 : current.to + 1)
  const estimated = { from: Math.min(from, replayed.from), to: replayed.from }
  const windows = { estimated, replayed, current: current === null ? null : figuresOf(current) }
  const unknown = (reason: string): Verdict => {
    return { verdict: 'unknown', reason, ...windows, candidate: null, difference: null, warnings: [] }
  }
  if (current !== null && current.to >= replayed.from)
    return unknown(
      `the configured calibration was made from rows until ${dateText(current.to)}, and the replay begins on ${dateText(replayed.from)}: it has seen what would judge it; replay fewer weeks, or wait`,
    )
  const found = await calibrated(order, estimated)
  if (!found.ok) return unknown(`no candidate: ${found.error}`)
  const { calibration } = found.value
  const candidate = current === null ? calibration : joinPrior(calibration, current)
  const judged = await replay(order, candidate, replayed)
  if (!judged.ok) return unknown(`no replay: ${judged.error}`)
  const warnings = [...candidate.warnings, ...judged.value.warnings]
  return { ...judged.value, ...windows, candidate: figuresOf(candidate), warnings }
}

async function calibrated({ config, open }: Pick<Recalibration, 'config' | 'open'>, window: Window) {
  const days = `from ${dateText(window.from)} to ${dateText(window.to)}`
  const source = open(window)
  if (!source.ok) return source
  const found = await runCalibration(source.value, config, { ...window, bySize: true })
  if (!found.ok) return err(found.error === 'empty' ? `the tape has no rows ${days}` : found.error)
  const { calibration } = found.value
  const { fills } = calibration.both
  if (fills < FEWEST_FILLS) return err(`${fills} fills ${days}, and ${FEWEST_FILLS} are needed`)
  return ok({ calibration, source: source.value })
}

function figuresOf({ from, to, both: { fills, a, k } }: Calibration): Verdict['current'] {
  return { from, to, fills, a, k }
}

/** Each draws other takers from the posterior of their calibration: by chance A and k of the replayed weeks are not exactly these. */
const REPLAYS = 8
const PROBABILITY = 0.95

type Judged = Pick<Verdict, 'verdict' | 'reason' | 'difference' | 'warnings'>

/** Replays a window in pairs, with takers that are calibrated on it, so that neither configuration has seen them. */
async function replay(
  { coreWith, loadStrategy, observe, ...order }: Recalibration,
  candidate: Calibration,
  window: Window,
): Promise<Result<Judged, string>> {
  const takers = await calibrated(order, window)
  if (!takers.ok) return takers
  if (takers.value.calibration.both.priorOnly?.includes('k') === true)
    return err('the spreads varied too little to show how takers respond to them; set quote.ditherBps')
  const changed = await coreWith(candidate)
  if (!changed.ok) return changed
  const { core, venue, backtest } = order.config
  const market = { core, ...takers.value, toleranceBps: venue.toleranceBps, draws: true }
  const replays: (readonly number[])[] = []
  let warnings: readonly string[] = []
  for (let replay = 0; replay < REPLAYS; replay++) {
    observe?.(replay, REPLAYS)
    const settings = { ...backtest, seed: backtest.seed + replay }
    const [ours, theirs] = [await loadStrategy(), await loadStrategy()]
    if (!ours.ok) return ours
    if (!theirs.ok) return theirs
    const both = await compareShadows({ ...market, settings }, ours.value, theirs.value, changed.value)
    if (!both.ok) return err(named(both.error))
    const { compared, suspension } = both.value
    if (suspension !== null) return err(`the candidate was suspended: ${suspension.why}`)
    replays.push(compared.days.map(({ championUsd, challengerUsd }) => challengerUsd - championUsd))
    warnings = compared.warnings.map(named)
  }
  return judged(replays, warnings)
}

/** Its variance is that of whole days, of which each is the mean of all replays, and that between replays. */
function judged(
  replays: readonly (readonly number[])[],
  warnings: readonly string[],
): Result<Judged, string> {
  const days = replays[0]!.map((_, day) => meanOf(replays.map((one) => one[day]!)).mean)
  if (days.length < 2) return err('fewer than two days')
  const { mean, se } = meanOf(days)
  const { sd } = meanOf(replays.map((one) => meanOf(one).mean))
  const reach = studentQuantile(PROBABILITY, Math.min(days.length, REPLAYS) - 1) * Math.hypot(se, sd)
  const [low, high] = [mean - reach, mean + reach]
  const [of, from, to] = [mean, low, high].map((usd) => floatText(usd, 2, 'plus'))
  const isBetter = low > 0
  const earned = `in ${days.length} days the candidate earned ${of} USD a day against the configuration as it is (90 % interval ${from} to ${to})`
  const isAlike = replays.every((one) => one.every((usd) => usd === 0))
  return ok({
    verdict: isBetter ? 'adopt' : 'keep',
    reason: isAlike
      ? `in ${days.length} days the strategy earned exactly the same with both calibrations: it may not read them`
      : `${earned}: the lower bound is ${isBetter ? '' : 'not '}above 0`,
    difference: { days: days.length, replays: REPLAYS, meanUsd: mean, lowUsd: low, highUsd: high },
    warnings,
  })
}

/** Both run the same strategy. */
function named(text: string): string {
  return text.replace(/^(the )?champion/, '$1configured calibration').replace(/^challenger/, 'candidate')
}
