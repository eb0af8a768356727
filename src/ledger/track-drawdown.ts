import type { PnlState } from './pnl-state.ts'

/** After each whole posting: a half-posted fill is not a peak. */
export function trackDrawdown(state: PnlState): void {
  if (state.totalTzs > state.peakTzs) state.peakTzs = state.totalTzs
  else if (state.peakTzs - state.totalTzs > state.maxDrawdownTzs) {
    state.maxDrawdownTzs = state.peakTzs - state.totalTzs
  }
}
