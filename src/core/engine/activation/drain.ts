import { type Ms, SECOND_MS } from '../../../base/time.ts'
import { MAX_SPREAD_BPS } from '../../../base/money/bps.ts'
import type { QuotingState } from '../../quoting/quote-state.ts'
import type { Target } from '../../risk/approval.ts'
import type { EngineState } from '../model/state.ts'
import type { Transition } from '../transition.ts'
import type { Drain, Leaving } from '../model/activation-state.ts'

const CONFIRM_WITHIN_MS = 5 * SECOND_MS
const QUIET_MS = 10 * SECOND_MS

/** Returns the wait before a deactivation; null = no wait, because the position is inactive or the configuration has no wait. */
export function beginDrain({ config, activation }: EngineState, now: Ms): Drain | null {
  const { drainMs } = config.quote
  if (drainMs === null || drainMs === 0 || config.rfq !== null || activation.isActive === false) return null
  return { until: now + drainMs, confirmBy: now + CONFIRM_WITHIN_MS, quietSince: null, polledFrom: now }
}

/** A new process has to read back and widen the quote again; the end of the wait is kept. */
export function restartDrain({ leaving }: EngineState['activation'], now: Ms): void {
  if (leaving?.drain) Object.assign(leaving.drain, { confirmBy: now + CONFIRM_WITHIN_MS, quietSince: null })
}

/**
 * Returns whether both sides keep the widest quote until the ordered deactivation has ended: after a wait, or after a partial
 * return. A halt has its own target.
 */
export function isWidenedToLeave({ activation, latch }: EngineState): boolean {
  const { leaving } = activation
  if (activation.wanted !== false || leaving === null || latch.halted !== null) return false
  return leaving.drain !== undefined || (leaving.attempts > 0 && leaving.doneAt === null)
}

/** Returns until when an ordered deactivation waits; `now` or earlier = it is sent now. */
export function drainsUntil({ state, now, expedite }: Transition, target: Target): Ms {
  const { leaving, isActive } = state.activation
  const drain = leaving?.drain ?? null
  if (!leaving || drain === null) return now
  const isHurried = target.kind === 'deactivate' || state.latch.halted !== null || state.exiting
  const isWide = isQuoteWide(state.quoting)
  drain.quietSince = isWide ? (drain.quietSince ?? now) : null
  const due = drain.quietSince === null ? drain.confirmBy : drain.quietSince + QUIET_MS
  const isQuiet = now >= due && (!isWide || drain.polledFrom >= due)
  if (isHurried || isActive === false || isQuiet || now >= drain.until) {
    leaving.drain = null
    return now
  }
  // Only a poll sent after the quiet time proves that there was no fill.
  if (now >= due) expedite('fills')
  return now >= due ? drain.until : Math.min(due, drain.until)
}

function isQuoteWide({ status, confirmed }: QuotingState): boolean {
  if (status !== 'confirmed' || confirmed === null) return false
  const { quoteBid, bidBps, quoteAsk, askBps } = confirmed
  return (!quoteBid || bidBps >= MAX_SPREAD_BPS) && (!quoteAsk || askBps >= MAX_SPREAD_BPS)
}

/** Returns a sentence about why the deactivation is not sent yet; null = it does not wait. */
export function whyDraining({ config }: EngineState, { drain }: Leaving): string | null {
  if (!drain) return null
  const most = `${(config.quote.drainMs ?? 0) / SECOND_MS} s at most (quote.drainMs)`
  return drain.quietSince === null
    ? `both sides are being widened to ${MAX_SPREAD_BPS} bps before the deactivation is sent, ${most}`
    : `both sides are widened to ${MAX_SPREAD_BPS} bps, and the deactivation waits until ${QUIET_MS / SECOND_MS} s have passed without a fill, ${most}`
}
