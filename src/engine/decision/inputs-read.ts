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
  fairValue: 4,
  inventory: 8,
  fills: 16,
  competition: 32,
  standing: 64,
  fee: 128,
  promisable: 256,
  markouts: 512,
} as const
export type InputName = keyof typeof INPUTS
export const INPUT_NAMES = Object.keys(INPUTS) as InputName[]

/** Why a strategy is asked again: an input that it read, or what no input shows. A bit each too; 0 = nothing. */
export const CHANGES = { ...INPUTS, memory: 1_024, configuration: 2_048, first: 4_096 } as const
export type ChangeName = keyof typeof CHANGES

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
  /** The latest settled ones of each side: they are replaced, never changed. */
  #bidMarkouts: unknown
  #askMarkouts: unknown

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
    const read = this.#read
    const { market, flow } = state
    this.#config = state.config
    this.#memory = state.strategy.memory
    // What was not read is not compared either.
    if ((read & INPUTS.mid) !== 0) this.#mid = market.mid
    if ((read & INPUTS.inventory) !== 0) this.#held = share.held
    if ((read & INPUTS.fills) !== 0) {
      this.#latestFill = flow.recent[0]
      this.#fills = flow.recent.length
    }
    if ((read & INPUTS.fairValue) !== 0) {
      this.#fair = fairValue(market)
      this.#errorBps = market.estimate?.errorBps ?? 0
    }
    if ((read & INPUTS.competition) !== 0) {
      this.#bid = bestOf(market.competition.bid)
      this.#ask = bestOf(market.competition.ask)
    }
    if ((read & INPUTS.standing) !== 0) this.#confirmed = confirmedIn(state)
    if ((read & INPUTS.fee) !== 0) this.#feeBps = market.protocolFeeBps
    if ((read & INPUTS.markouts) !== 0) {
      this.#bidMarkouts = flow.markouts?.settled.bid.at(-1)
      this.#askMarkouts = flow.markouts?.settled.ask.at(-1)
    }
  }

  /** The first of what is another one than it was, or may be: one of CHANGES; 0 = all that was read is as it was. */
  firstChange(state: EngineState, share: Positioned): number {
    const read = this.#read
    const { market, flow } = state
    if (state.config !== this.#config) return CHANGES.configuration
    if (state.strategy.memory !== this.#memory) return CHANGES.memory
    if ((read & INPUTS.time) !== 0) return INPUTS.time
    if ((read & INPUTS.mid) !== 0 && market.mid !== this.#mid) return INPUTS.mid
    if ((read & INPUTS.inventory) !== 0) {
      const { held } = share
      if (held === undefined || held !== this.#held) return INPUTS.inventory
    }
    if (
      (read & INPUTS.fills) !== 0 &&
      (flow.recent[0] !== this.#latestFill || flow.recent.length !== this.#fills)
    )
      return INPUTS.fills
    if ((read & INPUTS.fairValue) !== 0) {
      if (fairValue(market) !== this.#fair || (market.estimate?.errorBps ?? 0) !== this.#errorBps)
        return INPUTS.fairValue
    }
    if ((read & INPUTS.competition) !== 0) {
      const { bid, ask } = market.competition
      if (bestOf(bid) !== this.#bid || bestOf(ask) !== this.#ask) return INPUTS.competition
    }
    if ((read & INPUTS.standing) !== 0 && confirmedIn(state) !== this.#confirmed) return INPUTS.standing
    if ((read & INPUTS.fee) !== 0 && market.protocolFeeBps !== this.#feeBps) return INPUTS.fee
    if ((read & INPUTS.markouts) !== 0) {
      const { bid, ask } = flow.markouts?.settled ?? {}
      if (bid?.at(-1) !== this.#bidMarkouts || ask?.at(-1) !== this.#askMarkouts) return INPUTS.markouts
    }
    // Wallet, allowance and open orders in self-custody: compared with nothing, so another one.
    return (read & INPUTS.promisable) !== 0 && state.config.rfq !== null ? INPUTS.promisable : 0
  }
}

/** The quote that stands as the venue confirmed it; null = nobody knows. */
function confirmedIn({ quoting }: EngineState): QuotedSpread | null {
  return quoting.belief === 'known' ? quoting.confirmed : null
}

function bestOf(competition: Competition | null): number | null {
  return competition === null ? null : competition.bps
}
