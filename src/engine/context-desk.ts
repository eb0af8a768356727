import { seededRandom } from '../base/random.ts'
import { fairValue } from '../market/fair-value.ts'
import { midAge } from '../market/mid-age.ts'
import { rateToNumber } from '../money/rate.ts'
import type { Side } from '../money/side.ts'
import { pollInterval } from '../pacing/poll-interval.ts'
import type { Cause, CompetitionOnSide, StrategyContext } from '../strategy/context.ts'
import type { StrategyMemory } from '../strategy/strategy-memory.ts'
import { latestFills } from './count-fill.ts'
import type { InventoryShare } from './inventory-share.ts'
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
  let turn: Turn
  let share: InventoryShare
  let cause: Cause
  let readTime = false
  let changed = false
  let recalled: Recalled | null = null

  const competition = { bid: competitionOn('bid'), ask: competitionOn('ask') }
  const context: StrategyContext = {
    get now() {
      readTime = true
      return turn.now
    },
    get cause() {
      readTime = true
      return cause
    },
    get mid() {
      return share.tzsPerUsd
    },
    get midAgeMs() {
      readTime = true
      return midAge(turn.state.market, turn.now)
    },
    get fairValue() {
      const fair = fairValue(turn.state.market)
      return { tzsPerUsd: fair === null ? share.tzsPerUsd : rateToNumber(fair), errorBps: 0 }
    },
    get inventory() {
      const { ntzs, usd, usdShare, deviation, totalTzs } = share
      return { ntzs, usd, usdShare, target: turn.state.config.inventory.target, deviation, totalTzs }
    },
    get recentFills() {
      return latestFills(turn.state.flow)
    },
    get competition() {
      const { bid, ask } = turn.state.market.competition
      return { bid: bid === null ? null : competition.bid, ask: ask === null ? null : competition.ask }
    },
    get standing() {
      const { belief, confirmed } = turn.state.quoting
      const known = belief === 'known' ? confirmed : null
      return {
        bidBps: known?.quoteBid === true ? known.bidBps : null,
        askBps: known?.quoteAsk === true ? known.askBps : null,
      }
    },
    get protocolFeeBps() {
      return turn.state.market.protocolFeeBps ?? turn.state.config.fees.protocolFeeBps
    },
    get calibration() {
      return turn.state.config.calibration?.learned ?? null
    },
    inWindow(cron, timezone) {
      readTime = true
      return turn.calendar(cron, timezone, turn.now)
    },
    random(label) {
      readTime = true
      return seededRandom(turn.seq, label)
    },
  }

  function competitionOn(side: Side): CompetitionOnSide {
    return {
      get bestBps() {
        return turn.state.market.competition[side]?.bps ?? 0
      },
      get ageMs() {
        readTime = true
        const { state, now, looks } = turn
        const age = now - (state.market.competition[side]?.seenAt ?? now)
        // Looks that a shell has left out for want of news would have kept it young.
        return looks === 'asked'
          ? age
          : age % pollInterval(state.pacing, state.config.pacing, now, 'publicBid')
      },
    }
  }

  return {
    show(now, held, why) {
      turn = now
      share = held
      cause = why
      readTime = false
      changed = true
      recalled = turn.looks === 'given' ? recallMemory(turn.state.strategy.memory) : null
      return context
    },
    close(memory) {
      changed = recalled === null || !recalled.isStill(memory)
    },
    changesWithTime: () => readTime || changed,
  }
}
