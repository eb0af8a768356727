import type { Ms } from '../../base/time.ts'
import { routedShare, type RoutedShare } from '../../market/routing.ts'
import { SIDES, type Side } from '../../money/side.ts'
import type { RouterView, Taker } from '../fill-models/fill-model.ts'
import type { RunState } from '../simulation/state.ts'
import { standingBps } from './venue.ts'
import { seededRandom } from '../../base/random.ts'

/** What the router sees on a side where we quote `ownBps`. */
export function routerView({ venue, parts, probes }: RunState, side: Side, ownBps: number): RouterView {
  const { toleranceBps } = parts.settings
  const [otherBps, recordedBps] = [venue.other[side], venue.recorded[side]]
  const tookTurns =
    otherBps !== null && recordedBps !== null && Math.abs(recordedBps - otherBps) <= toleranceBps
  const isTheirTurn = tookTurns && probes.meaning() === 'picked'
  return { ownBps, otherBps, recordedBps, toleranceBps, routedToCompetitor: isTheirTurn }
}

/** Something of what stands has changed: tells the trail whom the router sends to us from now on. */
export function recordRouting(run: RunState, t: Ms): void {
  for (const side of SIDES) {
    const ownBps = standingBps(run.venue, side)
    const share = ownBps === null ? 0 : shareOf(routerView(run, side, ownBps))
    if (share === run.routed[side]) continue
    run.routed[side] = share
    run.parts.recorder.routed(t, side, share)
  }
}

/** The share that the router sends to us, which is none where the tape names the other one as picked. */
function shareOf({ ownBps, otherBps, toleranceBps, routedToCompetitor }: RouterView): RoutedShare {
  const share = routedShare(ownBps, otherBps, toleranceBps)
  return share === 0.5 && routedToCompetitor ? 0 : share
}

/**
 * Whether the venue's router would pick us for this taker. Where turns are taken that is an even chance,
 * drawn from the taker's name so that every strategy meets the same luck.
 */
export function isRoutedToUs(taker: Taker, standing: RouterView, seed: number): boolean {
  const share = shareOf(standing)
  return share === 0.5 ? seededRandom(seed, `turn ${taker.id}`)() < 0.5 : share === 1
}
