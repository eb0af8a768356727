import type { Ms } from '../../base/time.ts'
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
    const share = ownBps === null ? 0 : routedShare(routerView(run, side, ownBps))
    if (share === run.routed[side]) continue
    run.routed[side] = share
    run.parts.recorder.routed(t, side, share)
  }
}

/**
 * Share of the takers of a side whom the venue's router sends to us (venue.md, Routing): all where we are
 * better than the other provider by more than the tolerance, none where he is; within it turns are taken,
 * which is a half, or whoever the tape names where it names who is picked.
 */
function routedShare({
  ownBps,
  otherBps,
  toleranceBps,
  routedToCompetitor: isTheirTurn,
}: RouterView): 0 | 0.5 | 1 {
  if (otherBps === null || isAlone(ownBps, otherBps, toleranceBps)) return 1
  if (ownBps > otherBps + toleranceBps || isTheirTurn) return 0
  return 0.5
}

/** Whether a spread is better than another provider's by more than the tolerance: then there are no turns. */
export function isAlone(bps: number, otherBps: number, toleranceBps: number): boolean {
  return bps < otherBps - toleranceBps
}

/**
 * Whether the venue's router would pick us for this taker. Where turns are taken that is an even chance,
 * drawn from the taker's name so that every strategy meets the same luck.
 */
export function isRoutedToUs(taker: Taker, standing: RouterView, seed: number): boolean {
  const share = routedShare(standing)
  return share === 0.5 ? seededRandom(seed, `turn ${taker.id}`)() < 0.5 : share === 1
}
