import { ok, type Result } from '../../../base/result.ts'
import { floatText } from '../../../base/text/numbers.ts'
import type { CoreConfig } from '../../../core/engine/model/config.ts'
import { takerLaw } from '../../../core/models/calibration.ts'
import type { RiskMeasured, RiskTail } from '../../../daemon/view/results/risk-view.ts'
import { prepareScenario } from '../../scenarios/draw/world.ts'
import { changedScenario, SCENARIO_NAMES, type Scenario } from '../../scenarios/scenario.ts'
import { adverseMarkets, readScenarios } from '../read-scenarios.ts'
import { measureRisk, type RiskDraws } from './measure-risk.ts'
import type { RiskPosition } from './risk-position.ts'
import { stressTable } from './stress-table.ts'

/** The result with the tails of every market; a view has those of the model and of the worst market in each currency. */
export type RiskReport = RiskMeasured & { readonly markets: readonly RiskTail[] }
type Core = Pick<CoreConfig, 'fairValue' | 'calibration' | 'risk'>

const WORLD_DAYS = 90

/**
 * Measures the position in the calibrated model, with a quarter of its worlds in each shipped market, and in the stresses;
 * `onWorld` shows progress.
 */
export async function reportRisk(
  core: Core,
  position: RiskPosition,
  draws: RiskDraws,
  onWorld: (done: number, total: number) => void,
): Promise<Result<RiskReport, string>> {
  const read = readScenarios([...SCENARIO_NAMES, ...adverseMarkets()], '.')
  if (!read.ok) return read
  const markets = [modelMarket(core, read.value[0]!, position.otherBps), ...read.value]
  const fewer = Math.ceil(draws.worlds / 4)
  let [done, gapBps] = [0, 0]
  const tails: RiskTail[] = []
  for (const [at, market] of markets.entries()) {
    const prepared = prepareScenario(market, WORLD_DAYS)
    if (at === 0) gapBps = prepared.gapBps
    const kinds = at === 0 ? (['held', 'quoted'] as const) : (['quoted'] as const)
    const each = at === 0 ? draws : { ...draws, worlds: fewer }
    const next = () => onWorld(++done, draws.worlds + fewer * read.value.length)
    tails.push(...(await measureRisk(position, prepared, kinds, each, next)))
  }
  const [model, others] = [tails.slice(0, 4), tails.slice(4)]
  const falling = worstFirst(others, 'usd')
  const worst = [1, 7].flatMap((days) =>
    [falling, worstFirst(others, 'tzs')].flatMap((all) => all.find((tail) => tail.days === days) ?? []),
  )
  return ok({
    ...draws,
    position,
    isCalibrated: core.calibration !== null,
    tails: [...model, ...new Set(worst)],
    stress: stressTable(position, core.fairValue.sigmaBps, gapBps, core.risk),
    notes: notesOf(core, position),
    markets: falling,
  })
}

export function worstFirst(tails: readonly RiskTail[], currency: 'usd' | 'tzs'): readonly RiskTail[] {
  return tails.toSorted((a, b) => b[currency].es99.value - a[currency].es99.value)
}

/**
 * Returns the market of the calibrated model: the rate of the daemon's filter, and the takers of the calibration beside the
 * best other provider. It has no jumps, which no calibration estimates, and the informed takers of `normal`; without a
 * calibration, all takers of `normal`.
 */
export function modelMarket(
  { fairValue, calibration }: Core,
  normal: Scenario,
  otherBps: number | null,
): Scenario {
  const { sigmaBps, driftSdBpsPerDay, driftHalfLifeDays, followShare, publicationNoiseBps } = fairValue
  const moving = {
    rate: { sigmaBps, driftSdBpsPerDay, driftHalfLifeDays, movesAtWeekends: fairValue.weekendMovement > 0 },
    publication: { kappa: followShare, noiseBps: publicationNoiseBps },
  }
  if (calibration === null) return changedScenario('model', normal, moving)
  const { both, bid, ask } = calibration.learned
  const k = both.k.value
  const perDay = (side: typeof bid) => Math.min(2_000, takerLaw(side ?? both, k).a)
  const reservationBps = Math.min(1_000, Math.max(1, 1 / k))
  return changedScenario('model', normal, {
    ...moving,
    retail: { bidPerDay: perDay(bid), askPerDay: perDay(ask), reservationBps },
    rivals: { followBps: [], staticBps: otherBps === null ? [] : [otherBps] },
  })
}

function notesOf({ fairValue, calibration }: Core, position: RiskPosition): readonly string[] {
  const { bidBps, askBps, source, payable } = position
  const [sigma, drift] = [floatText(fairValue.sigmaBps, 1), floatText(fairValue.driftSdBpsPerDay, 1)]
  const notes = [
    `moves: the true rate (sigma ${sigma} bps per root of a working day, drift of sd ${drift} bps a day, no jumps in the model), the mid that follows it, takers`,
    `held: the quote ${bidBps ?? 'off'}/${askBps ?? 'off'} bps from the mid; no one restocks, requotes or halts`,
  ]
  if (calibration === null) notes.unshift('NOT CALIBRATED: takers of the scenario normal, rate of fairValue')
  if (source === 'store') notes.push('no daemon answers: these are the last figures, and no limit acts')
  if (payable.bid + payable.ask === 0) notes.push('nothing is in the pool, so no taker trades')
  return notes
}
