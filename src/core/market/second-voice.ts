import { MINUTE_MS, type Ms } from '../../base/time.ts'
import type { LiveFeed } from './feed-estimate.ts'
import type { MarketState } from './market-state.ts'
import { rateStepBps } from '../../base/money/rate.ts'

/** How long an independent feed must agree with a step, from its first such reading to its latest. */
const AGREES_MS = 10 * MINUTE_MS

/**
 * Compares the live feeds with the pending mid. A feed agrees while each of its readings is within half of the step bound of
 * that mid. A disagreement or a gap in its readings restarts its time.
 */
export function recordVoices(
  market: MarketState,
  voices: readonly LiveFeed[],
  maxStepBps: number | null,
): void {
  const { pending } = market
  if (pending === null || maxStepBps === null) return
  const before = pending.agreed ?? {}
  const agreed: Record<string, Ms> = {}
  for (const { name, mid, readAt } of voices) {
    if (Math.abs(rateStepBps(pending.mid, mid)) > maxStepBps / 2) continue
    // A reading from before the step does not count.
    agreed[name] = Object.hasOwn(before, name) ? before[name]! : Math.max(readAt, pending.since)
  }
  pending.agreed = agreed
}

/** Returns the feed that has agreed with the step for long enough, or null. A drift needs an operator. */
export function confirmingFeed(market: MarketState, voices: readonly LiveFeed[]): string | null {
  const { pending } = market
  if (pending === null || pending.kind === 'move') return null
  const agreed = pending.agreed ?? {}
  const one = voices.find(
    ({ name, readAt }) => Object.hasOwn(agreed, name) && readAt - agreed[name]! >= AGREES_MS,
  )
  return one?.name ?? null
}
