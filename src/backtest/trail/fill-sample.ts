import type { Ms } from '../../base/time.ts'
import type { TrailSeries } from './trail-series.ts'

/** Fills to draw: all of them, or every so-manieth. */
export type FillSample = {
  readonly add: (t: Ms, price: number, usd: number, bid: boolean, synthetic: boolean) => void
  readonly fills: () => TrailSeries['fills']
}

const CAPACITY = 20_000

/** Keeps every fill until there are `capacity`, then every second one, every fourth and so on. */
export function createFillSample(capacity = CAPACITY): FillSample {
  const times = new Float64Array(capacity)
  const prices = new Float64Array(capacity)
  const sizes = new Float64Array(capacity)
  const bids = new Uint8Array(capacity)
  const synthetics = new Uint8Array(capacity)
  let length = 0
  let every = 1
  let seen = 0

  const thin = (): void => {
    for (const column of [times, prices, sizes, bids, synthetics]) {
      for (let i = 0; 2 * i < length; i++) column[i] = column[2 * i]!
    }
    length = Math.ceil(length / 2)
    every *= 2
  }

  return {
    add(t, price, usd, bid, synthetic) {
      if (seen++ % every !== 0) return
      if (length === capacity) {
        thin()
        if ((seen - 1) % every !== 0) return
      }
      times[length] = t
      prices[length] = price
      sizes[length] = usd
      bids[length] = bid ? 1 : 0
      synthetics[length] = synthetic ? 1 : 0
      length += 1
    },
    fills: () => ({
      t: times.slice(0, length),
      price: prices.slice(0, length),
      usd: sizes.slice(0, length),
      bid: bids.slice(0, length),
      synthetic: synthetics.slice(0, length),
      leftOut: seen - length,
    }),
  }
}
