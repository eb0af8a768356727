import type { DrawnTape } from './draw-tape.ts'

/** What the position holds before the first mid. */
export const OPENING = { usd: 50_000n, shillings: 130_000_000n }
export const HALF_SPREAD_BPS = 60
/** For every lot that is held over or under the opening. */
export const SKEW_BPS = 2
export const LOT_USD = 100n
/** Shillings are counted in ten-thousandths: a lot at a whole mid and whole bps is a whole number of them. */
export const SHILLING = 10_000n

/** What `lot-skew` earns on a tape when every taker finds its quote in place. */
export type ExactOutcome = {
  readonly fills: number
  /** Lots of 100 dollars held over the opening. */
  readonly lots: number
  /** Shillings received less shillings paid, in ten-thousandths. */
  readonly cash: bigint
  /** PnL since the opening at the last mid, the opening's own dollars included, in ten-thousandths of a shilling. */
  readonly pnl: bigint
  /** Our half-spread on the side that each taker met. */
  readonly ownBps: Int16Array
}

/**
 * The judge of every engine: the strategy in whole numbers, taker by taker, with nothing of any engine in it. It sells
 * dollars at mid * (1 + (60 - 2 * lots) bps), buys them at mid * (1 - (60 + 2 * lots) bps), 100 at a time.
 */
export function recompute({ mids, takers }: DrawnTape): ExactOutcome {
  let fills = 0
  let lots = 0
  let cash = 0n
  const ownBps = new Int16Array(takers.length)
  for (let i = 0; i < takers.length; i++) {
    const side = takers.side[i]!
    const own = HALF_SPREAD_BPS + SKEW_BPS * lots * side
    ownBps[i] = own
    if (own > takers.bps[i]!) continue
    const price = BigInt(mids[takers.mid[i]!]!) * (SHILLING - BigInt(side * own))
    cash -= BigInt(side) * LOT_USD * price
    lots += side
    fills += 1
  }
  const first = BigInt(mids[0] ?? 0)
  const last = BigInt(mids.at(-1) ?? 0)
  const held = BigInt(lots) * LOT_USD * last + OPENING.usd * (last - first)
  return { fills, lots, cash, pnl: cash + held * SHILLING, ownBps }
}
