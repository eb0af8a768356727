import type { StrategyQuote } from '../../strategy/define-strategy.ts'
import type { Transition } from '../transition.ts'

/**
 * Whether two wishes are equal to all who see them, reasons and terms included. Orders count as others: they are wanted in
 * self-custody alone, where no approval stands.
 */
export function isSameQuote(one: StrategyQuote, other: StrategyQuote): boolean {
  if (one.bidBps !== other.bidBps || one.askBps !== other.askBps) return false
  if (one.orders !== undefined || other.orders !== undefined || one.fallback !== other.fallback) return false
  if (one.because.length !== other.because.length) return false
  for (let index = 0; index < one.because.length; index++)
    if (one.because[index] !== other.because[index]) return false
  return hasSameTerms(one.terms, other.terms)
}

function hasSameTerms(one: StrategyQuote['terms'], other: StrategyQuote['terms']): boolean {
  if (one === undefined || other === undefined) return one === other
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) {
    const [a, b] = [one[index]!, other[index]!]
    if (a.name !== b.name || a.bidBps !== b.bidBps || a.askBps !== b.askBps) return false
  }
  return true
}

/** Reports once that the strategy fell back, and once that it does no more. `before`: the fallback of the last wish. */
export function noteFallback({ state, now, emit }: Transition, before: string | undefined): void {
  const fallback = state.strategy.wanted?.fallback
  if (fallback !== before) emit({ type: 'strategyFellBack', t: now, why: fallback ?? null })
}
