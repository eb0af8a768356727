import { fairValue } from '../../market/fair-value.ts'
import type { Competition } from '../../market/market-state.ts'
import type { Amounts } from '../../money/asset.ts'
import type { Rate } from '../../money/rate.ts'
import type { QuotedSpread } from '../../quoting/quote-state.ts'
import type { RecentFill } from '../../strategy/context.ts'
import type { StrategyMemory } from '../../strategy/memory.ts'
import type { CoreConfig } from '../model/config.ts'
import type { EngineState } from '../model/state.ts'

/** What a strategy can read of its context, a bit each. What the configuration fixes (target, calibration) has none. */
export const INPUTS = {
  /** The clock, the calendar, ages, random numbers, the cause: another one at every question. */
  time: 1,
  mid: 2,
  'fair value': 4,
  inventory: 8,
  fills: 16,
  competition: 32,
  standing: 64,
  fee: 128,
  promisable: 256,
} as const

/** While no unit moves this is one and the same object; absent = nobody knows. */
type Positioned = { readonly held?: Readonly<Amounts> }

/**
 * Which inputs the strategy read when it was asked last, and what they were. Values are compared and no versions are
 * kept, so that no handler can forget to count one up.
 */
export class InputsRead {
  #read = 0
  #config: CoreConfig | null = null
  #memory: StrategyMemory | null = null
  #mid: Rate | null = null
  #fair: Rate | null = null
  #errorBps = 0
  #held: Readonly<Amounts> | undefined
  #latestFill: RecentFill | undefined
  #fills = 0
  #bid: number | null = null
  #ask: number | null = null
  #confirmed: QuotedSpread | null = null
  #feeBps: number | null = null

  /** The strategy is about to be asked: nothing has been read. */
  begin(): void {
    this.#read = 0
  }

  note(input: number): void {
    this.#read |= input
  }

  has(input: number): boolean {
    return (this.#read & input) !== 0
  }

  /** The strategy has answered: what it was asked from is remembered. */
  keep(state: EngineState, share: Positioned): void {
    const { market, flow } = state
    this.#config = state.config
    this.#memory = state.strategy.memory
    this.#mid = market.mid
    this.#fair = fairValue(market)
    this.#errorBps = market.estimate?.errorBps ?? 0
    this.#held = this.has(INPUTS.inventory) ? share.held : undefined
    this.#latestFill = flow.recent[0]
    this.#fills = flow.recent.length
    this.#bid = bestOf(market.competition.bid)
    this.#ask = bestOf(market.competition.ask)
    this.#confirmed = confirmedIn(state)
    this.#feeBps = market.protocolFeeBps
  }

  /** Whether an input that was read is another one than it was, or may be. */
  haveChanged(state: EngineState, share: Positioned): boolean {
    const read = this.#read
    const { market, flow } = state
    if (state.config !== this.#config || state.strategy.memory !== this.#memory) return true
    if ((read & INPUTS.time) !== 0) return true
    if ((read & INPUTS.mid) !== 0 && market.mid !== this.#mid) return true
    if ((read & INPUTS.inventory) !== 0) {
      const { held } = share
      if (held === undefined || held !== this.#held) return true
    }
    if (
      (read & INPUTS.fills) !== 0 &&
      (flow.recent[0] !== this.#latestFill || flow.recent.length !== this.#fills)
    )
      return true
    if ((read & INPUTS['fair value']) !== 0) {
      if (fairValue(market) !== this.#fair || (market.estimate?.errorBps ?? 0) !== this.#errorBps) return true
    }
    if ((read & INPUTS.competition) !== 0) {
      const { bid, ask } = market.competition
      if (bestOf(bid) !== this.#bid || bestOf(ask) !== this.#ask) return true
    }
    if ((read & INPUTS.standing) !== 0 && confirmedIn(state) !== this.#confirmed) return true
    if ((read & INPUTS.fee) !== 0 && market.protocolFeeBps !== this.#feeBps) return true
    // Wallet, allowance and open orders in self-custody: compared with nothing, so another one.
    return (read & INPUTS.promisable) !== 0 && state.config.rfq !== null
  }
}

/** The quote that stands as the venue confirmed it; null = nobody knows. */
function confirmedIn({ quoting }: EngineState): QuotedSpread | null {
  return quoting.belief === 'known' ? quoting.confirmed : null
}

function bestOf(competition: Competition | null): number | null {
  return competition === null ? null : competition.bps
}
