import { RATE_ONE } from '../../src/money/rate.ts'
import type { PlainRows } from './plain-rows.ts'

export type PlainOutcome = { readonly fills: number; readonly pnlTzs36: bigint }

const BPS = 10_000n
const UNIT = 10n ** 12n

/**
 * What one would write without a core: one loop over the rows, an exact ledger in bigint, the skew inline.
 * No polls, no budget, no risk, no latency. It is here to be held against, not to be used.
 */
export function bigintLoop({ length, kind, value, bps, mids, amounts }: PlainRows): PlainOutcome {
  let mid = 0n
  let [usd, ntzs] = [50_000n * 10n ** 6n, 130_000_000n * 10n ** 18n]
  let [posted, inventory] = [0n, 0n]
  let [bidBps, askBps] = [60, 60]
  let [fills, other] = [0, 500]
  for (let i = 0; i < length; i++) {
    const what = kind[i]!
    if (what === 0) {
      const shown = mids[value[i]!]!
      if (shown !== mid) {
        if (mid > 0n) inventory += usd * UNIT * (shown - mid)
        mid = shown
      }
      continue
    }
    if (what === 1) {
      other = bps[i]!
      continue
    }
    if (what === 2) continue
    const amount = amounts[value[i]!]!
    if (what === 3) {
      const atMid = (amount * UNIT * mid) / RATE_ONE
      if (askBps > bps[i]! || ntzs < atMid) continue
      const gross = (amount * UNIT * mid * (BPS - BigInt(askBps))) / (RATE_ONE * BPS)
      usd += amount
      ntzs -= gross
      posted += amount * UNIT * mid - gross * RATE_ONE
    } else {
      const atMid = (amount * RATE_ONE) / (mid * UNIT)
      if (bidBps > bps[i]! || usd < atMid) continue
      const gross = (amount * RATE_ONE * BPS) / (mid * (BPS + BigInt(bidBps)) * UNIT)
      usd -= gross
      ntzs += amount
      posted += amount * RATE_ONE - gross * UNIT * mid
    }
    fills += 1
    const usdValue = (Number(usd) / 1e6) * (Number(mid) / 1e18)
    const skew = (80 * (usdValue / (usdValue + Number(ntzs) / 1e18) - 0.5)) / 0.5
    bidBps = Math.max(10, Math.round(60 - skew))
    askBps = Math.max(10, Math.round(60 + skew))
  }
  return { fills, pnlTzs36: posted + inventory + BigInt(other) * 0n }
}
