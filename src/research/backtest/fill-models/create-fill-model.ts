import { drawExponential, seededRandom } from '../../../base/random.ts'
import { routedShare } from '../../../core/market/routing.ts'
import { SIDES, type Side } from '../../../base/money/side.ts'
import type { Calibration } from '../../../core/models/calibration.ts'
import { drawIntensity } from '../../models/intensity-posterior.ts'
import type { FillModelName } from '../../../core/models/fill-models.ts'
import { type FillModel, isRoutedToUs, type RouterView, type Taker } from './fill-model.ts'
import { drawnTakers, intensityOf, type TakerLaw } from './drawn-takers.ts'

type FillModelChoice = {
  readonly name: FillModelName
  readonly seed: number
  /** Estimates of takers for `thinned` and `simulated`; other models ignore it. */
  readonly calibration: Calibration | null
  /** Draws A and k from their posterior with the seed, for replicates; false = uses their point estimates. */
  readonly draws: boolean
}

/** Returns whether the model needs a calibration. */
export function needsCalibration(name: FillModelName): boolean {
  return name === 'thinned' || name === 'simulated'
}

/** Returns the fill model with that name. Throws InvariantError if it needs a calibration and has none. */
export function createFillModel(choice: FillModelChoice): FillModel {
  const { name, seed, calibration } = choice
  if (name === 'recorded') return createRecorded()
  if (name === 'routed') return createRouted()
  if (calibration === null) throw new Error(`the fill model ${name} needs a calibration`)
  const law = lawOf(calibration, choice)
  return name === 'thinned' ? createThinned(law, seed) : createSimulated(law, seed)
}

function lawOf(calibration: Calibration, { seed, draws }: FillModelChoice): TakerLaw {
  const { sizesUsd } = calibration
  if (!draws) return { intensity: intensityOf(calibration), sizesUsd }
  const intensity = {} as Record<Side, { a: number; k: number }>
  // Both sides use the same stream, so that a shared estimate errs equally on both.
  for (const side of SIDES)
    intensity[side] = drawIntensity(calibration[side] ?? calibration.both, seededRandom(seed, 'intensity'))
  return { intensity, sizesUsd }
}

/**
 * Only recorded fills that our quote would certainly have won: a fill at spread d0 shows that its taker accepts d0 and
 * nothing about a wider one. A narrower quote adds no taker. The most conservative model, and the default.
 */
export function createRecorded(): FillModel {
  return {
    name: 'recorded',
    usesRecorded: true,
    takes: ({ recordedBps }, { ownBps }) => recordedBps === null || ownBps <= recordedBps,
  }
}

/**
 * Reruns the venue's router (venue.md, Routing): recorded takers go to the lowest spread, ours or the best recorded
 * other one, and within the tolerance to the least recently filled provider. Takers ignore the price. If the recording
 * rotated, a recorded fill was our turn and is again. If the others are unknown, a quote wider than the recorded one
 * loses the fill.
 */
function createRouted(): FillModel {
  let lastWasOurs = false
  const goesTo = (ours: boolean): boolean => {
    lastWasOurs = ours
    return ours
  }
  return {
    name: 'routed',
    usesRecorded: true,
    takes({ recordedBps }, { ownBps, otherBps, toleranceBps }) {
      if (otherBps === null) return goesTo(recordedBps === null || ownBps <= recordedBps)
      const share = routedShare(ownBps, otherBps, toleranceBps)
      if (share !== 0.5) return goesTo(share === 1)
      const wasOurTurn = recordedBps !== null && Math.abs(recordedBps - otherBps) <= toleranceBps
      return goesTo(wasOurTurn || !lastWasOurs)
    },
  }
}

/**
 * Ignores the recorded fills and draws all takers from calibrated intensities, against the recorded mid and
 * competition. The result is only as good as the calibration, and every fill is synthetic.
 */
function createSimulated(law: TakerLaw, seed: number): FillModel {
  return {
    name: 'simulated',
    usesRecorded: false,
    takes: (taker, standing) =>
      taker.reservationBps !== null &&
      taker.reservationBps >= standing.ownBps &&
      isRoutedToUs(taker, standing, seed),
    takers: (from) => drawnTakers(law, seed, from),
  }
}

/**
 * A recorded fill at spread d0 shows only that its taker's reservation spread R is at least d0. Under exponential
 * intensity R = d0 + E/k with E ~ Exp(1), one E per fill for every strategy. At d > d0 the fill is kept iff R >= d,
 * which is exact thinning; if a competitor is then within the tolerance, the round-robin is drawn too. At d < d0 the
 * fill is kept and takers with d <= R < d0 are added, Poisson(lambda(d) - lambda(d0)), flagged as synthetic. If the
 * recorded quote was off or is unknown, no taker is added. Source: quant.md section 5.
 */
function createThinned(law: TakerLaw, seed: number): FillModel {
  return {
    name: 'thinned',
    usesRecorded: true,
    takes: (taker, standing) =>
      taker.synthetic ? isAdded(taker, standing, seed) : isKept(taker, standing, law, seed),
    takers: (from) => drawnTakers(law, seed, from),
  }
}

function isKept(taker: Taker, standing: RouterView, law: TakerLaw, seed: number): boolean {
  const { ownBps, otherBps, toleranceBps } = standing
  const { recordedBps, side, id } = taker
  // Our quote is at least as good as the recorded one, so every recorded taker still comes.
  if (recordedBps === null || ownBps <= recordedBps) return true
  if (otherBps !== null) {
    if (routedShare(ownBps, otherBps, toleranceBps) === 0) return false
    // A provider that shared the rotation then and now gets this taker; one that was alone now gets every second one.
    const wasAlone = routedShare(recordedBps, otherBps, toleranceBps) === 1
    if (wasAlone && !isRoutedToUs(taker, standing, seed)) return false
  }
  const e = drawExponential(seededRandom(seed, `taker ${id}`))
  return recordedBps + e / law.intensity[side].k >= ownBps
}

function isAdded(taker: Taker, standing: RouterView, seed: number): boolean {
  const { reservationBps } = taker
  const { ownBps, recordedBps } = standing
  if (reservationBps === null || recordedBps === null) return false
  return reservationBps >= ownBps && reservationBps < recordedBps && isRoutedToUs(taker, standing, seed)
}
