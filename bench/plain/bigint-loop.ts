import { RATE_ONE } from '../../src/base/money/rate.ts'
import { OPENING } from '../tape/recompute.ts'
import type { PlainRows } from './plain-rows.ts'

export type PlainOutcome = {
  readonly fills: number
  /** Shillings at 36 decimals, since the first mid. */
  readonly pnlTzs36: bigint
}

const BPS = 10_000n
/** The smallest step of a payout in dollars. */
const GRAIN = 10n ** 12n
const LOT = 10n ** 20n

/**
 * What one would write without a core: one loop over the rows, an exact ledger in bigint, the skew of `lot-skew`
 * inline. No polls, no budget, no risk, no latency. It is here to be held against, not to be used.
 */
export function bigintLoop({ length, kind, value, bps, mids, amounts }: PlainRows): PlainOutcome {
  let mid = 0n
  const opening = OPENING.usd * 10n ** 18n
  let usd = opening
  let ntzs = OPENING.shillings * 10n ** 18n
  let [edge, inventory] = [0n, 0n]
  let [bidBps, askBps] = [60, 60]
  let fills = 0
  for (let i = 0; i < length; i++) {
    const what = kind[i]!
    if (what === 0) {
      const shown = mids[value[i]!]!
      if (shown !== mid) {
        if (mid > 0n) inventory += usd * (shown - mid)
        mid = shown
      }
      continue
    }
    const amount = amounts[value[i]!]!
    if (what === 1) {
      const atMid = amount * mid
      if (askBps > bps[i]! || ntzs * RATE_ONE < atMid) continue
      const paid = (atMid * (BPS - BigInt(askBps))) / (RATE_ONE * BPS)
      usd += amount
      ntzs -= paid
      edge += atMid - paid * RATE_ONE
    } else {
      if (bidBps > bps[i]! || usd * mid < amount * RATE_ONE) continue
      const paid = ((amount * RATE_ONE * BPS) / (mid * (BPS + BigInt(bidBps)) * GRAIN)) * GRAIN
      usd -= paid
      ntzs += amount
      edge += amount * RATE_ONE - paid * mid
    }
    fills += 1
    const skew = 2 * Number((usd - opening) / LOT)
    bidBps = 60 - skew
    askBps = 60 + skew
  }
  return { fills, pnlTzs36: edge + inventory }
}
