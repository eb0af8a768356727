import { seededRandom, type Random } from '../../../base/random.ts'
import type { Ms } from '../../../base/time.ts'
import {
  type Amounts,
  type Asset,
  ASSETS,
  type BookAmount,
  toBook,
  type TokenAmount,
  toTokens,
  zeroAmounts,
} from '../../../base/money/asset.ts'
import { BPS } from '../../../base/money/bps.ts'
import { RATE_ONE, type Rate } from '../../../base/money/rate.ts'
import { divide } from '../../../base/money/rounding.ts'

/** How a treasury refills the simulated pool. */
export type RefillSettings = {
  /** Share of its opening balance below which a token is refilled to that balance, in whole basis points. */
  readonly belowBps: number
  /** Delay from the decision to tokens in the pool. */
  readonly delayMs: Ms
  /** Cost of a refill in whole basis points of its value at the fair value. */
  readonly costBps: number
  /** Share of the refills that fail and start again, at the same cost. */
  readonly failure: number
  readonly seed: number
}

/** Totals of all refills. Book amounts; the cost in dollars with 18 decimals. */
export type RefillTotals = {
  readonly arrived: number
  readonly failed: number
  readonly underWay: number
  readonly brought: Amounts
  readonly costUsd18: bigint
}

type Refill = { readonly asset: Asset; readonly amount: TokenAmount; readonly at: Ms }

/**
 * The treasury of a backtest: one refill per token at a time, ordered when the pool falls below its share and delivered
 * after the delay, unless it fails. Checks the pool after each fill, as the policy does with every reading.
 */
export class SimulatedRefills {
  readonly #settings: RefillSettings
  readonly #random: Random
  readonly #underWay: Refill[] = []
  #nextAt: Ms = Infinity
  #arrived = 0
  #failed = 0
  #costUsd18 = 0n
  readonly #brought = zeroAmounts()
  #target = zeroAmounts()

  constructor(settings: RefillSettings) {
    this.#settings = settings
    this.#random = seededRandom(settings.seed, 'refills')
  }

  /** Refills lead back to the pool at the start. */
  open(pool: Readonly<Amounts>): void {
    this.#target = { ...pool }
  }

  /** Returns when the next refill ends; Infinity = none is in flight. */
  nextAt(): Ms {
    return this.#nextAt
  }

  /** Orders what the pool lacks. */
  look(t: Ms, pool: Readonly<Amounts>): void {
    const { belowBps, delayMs } = this.#settings
    for (const asset of ASSETS) {
      const target = this.#target[asset]
      if (pool[asset] * BPS >= target * BigInt(belowBps)) continue
      if (this.#underWay.some((refill) => refill.asset === asset)) continue
      this.#underWay.push({ asset, amount: toTokens(target - pool[asset], asset), at: t + delayMs })
    }
    this.#plan()
  }

  /** Ends the next refill; returns what arrives, or null if it failed. */
  end(fair: Rate): { readonly asset: Asset; readonly amount: TokenAmount; readonly key: string } | null {
    const index = this.#underWay.findIndex(({ at }) => at === this.#nextAt)
    const [refill] = index === -1 ? [] : this.#underWay.splice(index, 1)
    this.#plan()
    if (refill === undefined) return null
    const { asset, amount } = refill
    this.#costUsd18 += divide(
      dollars18(asset, toBook(amount, asset), fair) * BigInt(this.#settings.costBps),
      BPS,
      'up',
    )
    if (this.#random() < this.#settings.failure) {
      this.#failed += 1
      return null
    }
    this.#arrived += 1
    this.#brought[asset] += toBook(amount, asset)
    return { asset, amount, key: `refill-${this.#arrived}` }
  }

  totals(): RefillTotals {
    return {
      arrived: this.#arrived,
      failed: this.#failed,
      underWay: this.#underWay.length,
      brought: { ...this.#brought },
      costUsd18: this.#costUsd18,
    }
  }

  #plan(): void {
    this.#nextAt = this.#underWay.reduce((first, { at }) => Math.min(first, at), Infinity)
  }
}

function dollars18(asset: Asset, amount: BookAmount, fair: Rate): bigint {
  return asset === 'NTZS' ? (amount * RATE_ONE) / fair : amount
}
