import type { TakerSide } from '../draw/takers.ts'
import type { WorldResult } from './participant.ts'

export const STOCK_USD = 15_000
/** After a full ticket only the spread remains; a side with less counts as empty. */
export const EMPTY_USD = 500
export const RESTOCK_BELOW_SHARE = 0.2
export const RESTOCK_COST_BPS = 50
const BPS = 10_000

/** What each side can pay, dollars' worth: `bid` in dollars, `ask` in shillings. */
export type Stock = Readonly<Record<TakerSide, number>>

/**
 * Our position in a world and what it earned, to first order: a dollar is worth 1 + x/10,000 where x is the log bps of the
 * rate, and shillings are counted at the opening mid. PnL is against holding the opening.
 */
export class WorldAccount {
  /** Dollars in addition to the opening dollars. */
  #dollars = 0
  /** Additional shillings, as bps of dollars: paid and received because of the rate's distance from the opening. */
  #cashBps = 0
  #retailBps = 0
  #informedBps = 0
  #restockingBps = 0
  #traded = 0
  #restockings = 0
  readonly #fills = { retail: 0, informed: 0 }
  #peakBps = 0
  #drawdownBps = 0
  #marks = 0
  #emptyMarks = 0
  #inventorySum = 0
  readonly #daily: number[] = []
  #yesterday = 0
  readonly #opening: Stock

  constructor(opening: Stock = { bid: STOCK_USD, ask: STOCK_USD }) {
    this.#opening = opening
  }

  /** Returns what a side can pay: dollars on the bid, shillings in dollars' worth on the ask. */
  stock(side: TakerSide): number {
    return this.#opening[side] + (side === 'bid' ? this.#dollars : -this.#dollars)
  }

  /** Books a trade at `bps` from the mid while the true rate is `rateBps`. */
  fill(
    side: TakerSide,
    usd: number,
    bps: number,
    midBps: number,
    rateBps: number,
    by: 'retail' | 'informed',
  ): void {
    const sign = side === 'ask' ? 1 : -1
    const priceBps = midBps - sign * bps
    this.#dollars += sign * usd
    this.#cashBps -= sign * usd * priceBps
    const edge = sign * usd * (rateBps - priceBps)
    if (by === 'retail') this.#retailBps += edge
    else this.#informedBps += edge
    this.#fills[by] += 1
    this.#traded += usd
  }

  needsRestocking(belowShare = RESTOCK_BELOW_SHARE): boolean {
    return Math.min(this.stock('bid'), this.stock('ask')) < belowShare * STOCK_USD
  }

  /** Returns both sides to their targets at the true rate, at a cost. Returns the dollars received. */
  restock(rateBps: number, costBps = RESTOCK_COST_BPS): number {
    const moved = -this.#dollars
    this.#cashBps -= moved * rateBps
    this.payForRestocking(costBps)
    this.#dollars = 0
    this.#restockings += 1
    return moved
  }

  /** Pays for one attempt to return to target, successful or not. */
  payForRestocking(costBps: number): void {
    const cost = Math.abs(this.#dollars) * costBps
    this.#cashBps -= cost
    this.#restockingBps -= cost
  }

  /** Marks the position after a half hour. */
  mark(rateBps: number): void {
    const value = this.#valueBps(rateBps)
    this.#peakBps = Math.max(this.#peakBps, value)
    this.#drawdownBps = Math.max(this.#drawdownBps, this.#peakBps - value)
    this.#marks += 1
    if (Math.min(this.stock('bid'), this.stock('ask')) <= EMPTY_USD) this.#emptyMarks += 1
    this.#inventorySum += Math.abs(this.#dollars)
  }

  endDay(rateBps: number): void {
    const value = this.#valueBps(rateBps)
    this.#daily.push((value - this.#yesterday) / BPS)
    this.#yesterday = value
  }

  result(rateBps: number): WorldResult {
    const pnl = millionths(this.#valueBps(rateBps))
    const retail = millionths(this.#retailBps)
    const informed = millionths(this.#informedBps)
    const restocking = millionths(this.#restockingBps)
    const marks = Math.max(1, this.#marks)
    return {
      pnlUsd: pnl / 1e6,
      retailUsd: retail / 1e6,
      informedUsd: informed / 1e6,
      restockingUsd: restocking / 1e6,
      carryUsd: (pnl - retail - informed - restocking) / 1e6,
      dailyUsd: this.#daily,
      drawdownUsd: this.#drawdownBps / BPS,
      emptyShare: this.#emptyMarks / marks,
      inventoryUsd: this.#inventorySum / marks,
      fills: { ...this.#fills },
      tradedUsd: this.#traded,
      restockings: this.#restockings,
    }
  }

  #valueBps(rateBps: number): number {
    return this.#cashBps + this.#dollars * rateBps
  }
}

/** Converts bps of dollars to whole millionths of a dollar, so that parts sum exactly. */
function millionths(bpsOfUsd: number): number {
  return Math.round(bpsOfUsd * 100)
}
