import type { Rate } from '../../money/rate.ts'
import type { TrailState } from './trail-state.ts'

/** S and M are now these. */
export function setRates(state: TrailState, mid: Rate, fair: Rate): void {
  if (mid !== state.midRate) {
    state.midRate = mid
    state.mid = Number(mid) / 1e18
  }
  if (fair !== state.fairRate) {
    state.fairRate = fair
    state.fair = Number(fair) / 1e18
  }
  if (mid !== fair) state.hasFair = true
}
