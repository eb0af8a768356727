import type { Rate } from '../money/rate.ts'
import type { Side } from '../money/side.ts'
import type { EngineState } from './engine-state.ts'

/** A fill is seen within seconds; more than this many changes back it was not priced. */
const KEPT = 8

/** A mid that fills may be priced from, from now on. */
export function rememberMid({ history }: EngineState, mid: Rate): void {
  if (history.mids[0] === mid) return
  history.mids.unshift(mid)
  if (history.mids.length > KEPT) history.mids.pop()
}

/** A spread of ours that fills may be priced from. */
export function rememberSpread({ history }: EngineState, spread: { bidBps: number; askBps: number }): void {
  const { bidBps, askBps } = spread
  if (history.spreads[0]?.bidBps === bidBps && history.spreads[0].askBps === askBps) return
  history.spreads.unshift({ bidBps, askBps })
  if (history.spreads.length > KEPT) history.spreads.pop()
}

/** One side of ours as it was read back; the other is as it was known before. */
export function rememberSide(state: EngineState, side: Side, bps: number): void {
  const last = state.history.spreads[0] ?? { bidBps: bps, askBps: bps }
  rememberSpread(state, side === 'bid' ? { ...last, bidBps: bps } : { ...last, askBps: bps })
}
