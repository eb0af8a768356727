import type { Cause, StrategyContext } from '../strategy/context.ts'
import type { StrategyMemory } from '../strategy/strategy-memory.ts'
import type { InventoryShare } from './inventory-share.ts'
import { contextOf, type Question } from './context-of.ts'
import { recallMemory, type Recalled } from './recall-memory.ts'
import type { Turn } from './turn.ts'

/**
 * Shows a strategy all that it may know, one and the same object every time, valid during the call. It
 * notes whether the strategy looked at anything that changes with time alone. If it did not, and left its
 * own memory as it was, then asking again before the next news would bring the same answer: that is what
 * lets a backtest skip quiet time without changing one decision.
 */
export type ContextDesk = {
  /** The context of this turn; asking begins. */
  readonly show: (turn: Turn, share: InventoryShare, cause: Cause) => StrategyContext
  /** Asking has ended. */
  readonly close: (memory: StrategyMemory) => void
  /** Whether the answer to the last question may be another one though nothing happens. */
  readonly changesWithTime: () => boolean
}

export function createContextDesk(): ContextDesk {
  const question: Question = { turn: null, share: null, cause: 'start', readTime: false }
  const context = contextOf(question)
  let changed = false
  let recalled: Recalled | null = null
  return {
    show(turn, share, cause) {
      question.turn = turn
      question.share = share
      question.cause = cause
      question.readTime = false
      changed = true
      recalled = turn.looks === 'given' ? recallMemory(turn.state.strategy.memory) : null
      return context
    },
    close(memory) {
      question.turn = null
      question.share = null
      changed = recalled === null || !recalled.isStill(memory)
    },
    changesWithTime: () => question.readTime || changed,
  }
}
