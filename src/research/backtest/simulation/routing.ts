import type { Ms } from '../../../base/time.ts'
import { SIDES, type Side } from '../../../base/money/side.ts'
import { type RouterView, shareRoutedToUs } from '../fill-models/fill-model.ts'
import type { RunState } from './state.ts'
import { standingBps } from '../venue/venue.ts'

/** Returns the router's view of a side on which we quote `ownBps`. */
export function routerView({ venue, parts, probes }: RunState, side: Side, ownBps: number): RouterView {
  const { toleranceBps } = parts.settings
  const [otherBps, recordedBps] = [venue.other[side], venue.recorded[side]]
  const tookTurns =
    otherBps !== null && recordedBps !== null && Math.abs(recordedBps - otherBps) <= toleranceBps
  const isCompetitorNext = tookTurns && probes.meaning() === 'picked'
  return { ownBps, otherBps, recordedBps, toleranceBps, routedToCompetitor: isCompetitorNext }
}

/** Reports our new share of the takers to the recorder, after a change of quotes or competition. */
export function recordRouting(run: RunState, t: Ms): void {
  for (const side of SIDES) {
    const ownBps = standingBps(run.venue, side)
    const share = ownBps === null ? 0 : shareRoutedToUs(routerView(run, side, ownBps))
    if (share === run.routed[side]) continue
    run.routed[side] = share
    run.parts.recorder.routed(t, side, share)
  }
}
