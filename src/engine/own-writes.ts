import { HOUR_MS, type Ms } from '../base/time.ts'
import { SIDES, type Side } from '../money/side.ts'
import type { QuotedSpread } from '../quoting/quoting-state.ts'
import type { EngineState } from './engine-state.ts'

/**
 * What went out with this key: by this process, by the one before it, by a command that ran without a daemon. A
 * request without an answer may take effect late, so it counts for an hour.
 */
export type OwnWrites = {
  /** When each spread was last sent, by side and bps. */
  spreads: Record<Side, Record<string, Ms>>
  /** Deactivations without a clear answer yet, by request. */
  deactivations: Record<string, Ms>
}

const KEPT_MS = HOUR_MS

/** Begun where there are none. */
function ownWrites(state: EngineState): OwnWrites {
  return (state.ownWrites ??= { spreads: { bid: {}, ask: {} }, deactivations: {} })
}

export function noteOwnSpread(state: EngineState, { bidBps, askBps }: QuotedSpread): void {
  const { spreads } = ownWrites(state)
  spreads.bid[bidBps] = state.now
  spreads.ask[askBps] = state.now
  for (const side of SIDES) forgetOld(spreads[side], state.now)
}

export function noteOwnDeactivation(state: EngineState, request: number): void {
  const { deactivations } = ownWrites(state)
  deactivations[request] = state.now
  forgetOld(deactivations, state.now)
}

/** It was answered, or certainly did not happen: nothing of it comes later. */
export function settleOwnDeactivation({ ownWrites: own }: EngineState, request: number): void {
  if (own !== undefined) delete own.deactivations[request]
}

/** Whether a spread that stands on a side can be ours: sent within the hour, confirmed last, or the safe quote. */
export function isOwnSpread(
  { ownWrites: own, quoting, config, now }: EngineState,
  side: Side,
  bps: number,
): boolean {
  const { confirmed } = quoting
  if (bps === config.quote.safeBps) return true
  if (confirmed !== null && bps === (side === 'bid' ? confirmed.bidBps : confirmed.askBps)) return true
  const at = own?.spreads[side][bps]
  return at !== undefined && now - at <= KEPT_MS
}

/** Whether a deactivation of ours may still take effect. */
export function mayDeactivateLate({ ownWrites: own, now }: EngineState): boolean {
  return Object.values(own?.deactivations ?? {}).some((at) => now - at <= KEPT_MS)
}

function forgetOld(times: Record<string, Ms>, now: Ms): void {
  for (const [key, at] of Object.entries(times)) if (now - at > KEPT_MS) delete times[key]
}
