import { type Random, seededRandom } from '../../../base/random.ts'
import type { WorldAccount } from './account.ts'

/** Policy of a treasury that refills our position in a world, instead of the weekly restocking. */
export type RefillPolicy = {
  /** Share of a side's target below which a refill is ordered, 0..1. */
  readonly belowShare: number
  /** Delay from the order until both sides are at their targets. */
  readonly delayHours: number
  /** Cost in basis points of the refilled amount. */
  readonly costBps: number
  /** Share of the refills that fail, 0..1; they cost the same, and the next refill is ordered after them. */
  readonly failure: number
}

/** The treasury of one play: one refill at a time, checked each half hour. Failures are drawn from the seed of the world. */
export class Refills {
  readonly #policy: RefillPolicy
  readonly #random: Random
  /** When the refill in flight arrives; null = no refill. */
  #dueAt: number | null = null

  constructor(policy: RefillPolicy, seed: number) {
    this.#policy = policy
    this.#random = seededRandom(seed, 'refills')
  }

  /** Orders a refill or delivers it. Returns the dollars that arrived (negative: left); null = no arrival. */
  look(hour: number, account: WorldAccount, rateBps: number): number | null {
    const { belowShare, delayHours, costBps, failure } = this.#policy
    if (this.#dueAt === null) {
      if (account.needsRestocking(belowShare)) this.#dueAt = hour + delayHours
      return null
    }
    if (hour < this.#dueAt) return null
    this.#dueAt = null
    if (this.#random() >= failure) return account.restock(rateBps, costBps)
    account.payForRestocking(costBps)
    return null
  }
}
