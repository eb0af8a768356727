import type { Ms } from '../../../../base/time.ts'
import type { BacktestSeries } from '../series.ts'

/** A value sampled at even intervals. */
const EVEN_SAMPLES = 4096

/** Starts with `stepMs` at `from`; at `capacity` drops every other sample and doubles the step. */
export function createEvenSamples(from: Ms, stepMs: Ms, capacity = EVEN_SAMPLES) {
  const samples = new Float64Array(capacity)
  let length = 0
  let step = stepMs
  let nextAt = from
  return {
    /** The value was this until `t`, exclusive. */
    until(t: Ms, value: number): void {
      while (nextAt < t) {
        if (length === capacity) {
          length = capacity / 2
          for (let i = 0; i < length; i++) samples[i] = samples[2 * i]!
          step *= 2
          // The last dropped sample was one old step ago, the last kept one two.
          nextAt = from + length * step
          continue
        }
        samples[length] = value
        length += 1
        nextAt += step
      }
    },
    values: (): Float64Array => samples.slice(0, length),
    stepMs: (): Ms => step,
  }
}

/** Fills to draw: all of them, or every n-th. */
const SAMPLED_FILLS = 20_000

/** Keeps every fill up to `capacity`, then every second one, every fourth and so on. */
export function createFillSample(capacity = SAMPLED_FILLS) {
  const times = new Float64Array(capacity)
  const prices = new Float64Array(capacity)
  const sizes = new Float64Array(capacity)
  const edges = new Float64Array(capacity)
  const bids = new Uint8Array(capacity)
  const synthetics = new Uint8Array(capacity)
  let length = 0
  let every = 1
  let seen = 0

  const thin = (): void => {
    for (const column of [times, prices, sizes, edges, bids, synthetics]) {
      for (let i = 0; 2 * i < length; i++) column[i] = column[2 * i]!
    }
    length = Math.ceil(length / 2)
    every *= 2
  }

  return {
    add(t: Ms, price: number, usd: number, edgeBps: number, bid: boolean, synthetic: boolean): void {
      if (seen++ % every !== 0) return
      if (length === capacity) {
        thin()
        if ((seen - 1) % every !== 0) return
      }
      times[length] = t
      prices[length] = price
      sizes[length] = usd
      edges[length] = edgeBps
      bids[length] = bid ? 1 : 0
      synthetics[length] = synthetic ? 1 : 0
      length += 1
    },
    fills: (): BacktestSeries['fills'] => ({
      t: times.slice(0, length),
      price: prices.slice(0, length),
      usd: sizes.slice(0, length),
      edgeBps: edges.slice(0, length),
      bid: bids.slice(0, length),
      synthetic: synthetics.slice(0, length),
      leftOut: seen - length,
    }),
  }
}

/** The median of the sizes so far, to about 6 percent. */
type MedianSize = {
  readonly add: (size: number) => void
  /** 0 = no sizes yet. */
  readonly value: number
}

const BINS = 512
/** Exponent and first three bits of a double minus this are its bin: eight per doubling, from 2^-20 to 2^44. */
const FIRST = (1023 - 20) * 8
const SHIFT = 17

/** Counts sizes in bins with a pointer to the middle. Reads a size's bits, because a logarithm costs ten times as much. */
export function createMedianSize(): MedianSize {
  const median = { value: 0, add }
  const counts = new Uint32Array(BINS)
  const bits = new DataView(new ArrayBuffer(8))
  let seen = 0
  let below = 0
  let middle = 0

  function add(size: number): void {
    bits.setFloat64(0, size)
    const bin = Math.min(BINS - 1, Math.max(0, (bits.getUint32(0) >>> SHIFT) - FIRST))
    counts[bin]! += 1
    seen += 1
    if (bin < middle) below += 1
    while (2 * below > seen) {
      middle -= 1
      below -= counts[middle]!
    }
    while (2 * (below + counts[middle]!) < seen) {
      below += counts[middle]!
      middle += 1
    }
    // The middle of its bin.
    bits.setUint32(0, ((middle + FIRST) << SHIFT) | (1 << (SHIFT - 1)))
    bits.setUint32(4, 0)
    median.value = bits.getFloat64(0)
  }

  return median
}
