import { HOUR_MS, MINUTE_MS, type Ms } from '../../base/time.ts'
import { type ClusterSums, createClusterSums } from './bounded/sums.ts'

/** What fills were worth some hours later, for when the fair value moves within the day. */
export type TimedMarkouts = {
  /** `cluster` is the print the fill came after; dU, dN in whole units and |dU| M. */
  readonly fill: (t: Ms, cluster: number, dollars: number, shillings: number, weight: number) => void
  /** The fair value was `fair` up to `t`. */
  readonly until: (t: Ms, fair: number) => void
  readonly horizons: readonly HorizonSums[]
}

type Horizon = HorizonSums & Pick<TimedMarkouts, 'fill' | 'until'>

/**
 * Markouts after 1 h and 4 h. Fills of one minute are looked at together, when the first of them has its
 * age: the horizon is met to the minute, and memory holds minutes instead of fills.
 */
export function createTimedMarkouts(): TimedMarkouts {
  const oneHour = horizonOf('1 h', HOUR_MS)
  const fourHours = horizonOf('4 h', 4 * HOUR_MS)
  return {
    fill(t, cluster, dollars, shillings, weight) {
      oneHour.fill(t, cluster, dollars, shillings, weight)
      fourHours.fill(t, cluster, dollars, shillings, weight)
    },
    until(t, fair) {
      oneHour.until(t, fair)
      fourHours.until(t, fair)
    },
    horizons: [oneHour, fourHours],
  }
}

const COLUMNS = ['dueAt', 'cluster', 'dollars', 'shillings', 'weight', 'fills'] as const

function horizonOf(horizon: string, after: Ms): Horizon {
  const sums = createClusterSums()
  const ring = createRing(after)
  const { dueAt, cluster, dollars, shillings, weight, fills } = ring.columns
  return {
    horizon,
    sums,
    fill(t, print, u, n, w) {
      let slot = ring.newest()
      if (slot === -1 || t >= dueAt[slot]! - after + MINUTE_MS) {
        slot = ring.push()
        dueAt[slot] = t + after
        cluster[slot] = print
      }
      dollars[slot]! += u
      shillings[slot]! += n
      weight[slot]! += w
      fills[slot]! += 1
    },
    until(t, fair) {
      for (let slot = ring.oldest(); slot !== -1 && dueAt[slot]! <= t; slot = ring.oldest()) {
        sums.add(cluster[slot]!, shillings[slot]! + dollars[slot]! * fair, weight[slot]!, fills[slot]!)
        ring.drop()
      }
    },
  }
}

type Ring = {
  readonly columns: Readonly<Record<(typeof COLUMNS)[number], Float64Array>>
  /** Slots; -1 = the ring is empty. */
  readonly oldest: () => number
  readonly newest: () => number
  /** A cleared slot behind the newest. */
  readonly push: () => number
  readonly drop: () => void
}

/** Holds what waits: a slot begins at least a minute after the one before it and is gone at the horizon. */
function createRing(after: Ms): Ring {
  const capacity = after / MINUTE_MS + 2
  const empty = () => new Float64Array(capacity)
  const columns = {
    dueAt: empty(),
    cluster: empty(),
    dollars: empty(),
    shillings: empty(),
    weight: empty(),
    fills: empty(),
  }
  let head = 0
  let length = 0
  return {
    columns,
    oldest: () => (length === 0 ? -1 : head),
    newest: () => (length === 0 ? -1 : (head + length - 1) % capacity),
    push() {
      const slot = (head + length) % capacity
      length += 1
      for (const name of COLUMNS) columns[name][slot] = 0
      return slot
    },
    drop() {
      head = (head + 1) % capacity
      length -= 1
    },
  }
}

type HorizonSums = { readonly horizon: string; readonly sums: ClusterSums }

/** What fills were worth at the prints that came after them, kept by the print they came before. */
export type PrintMarkouts = {
  /** dU, dN in whole units, |dU| M, and M at the fill. */
  readonly fill: (dollars: number, shillings: number, weight: number, fair: number) => void
  /** The mid was published anew; `fair` is the fair value from then on. */
  readonly print: (fair: number) => void
  readonly horizons: readonly HorizonSums[]
  /** Over fills that have seen a print: sum dU (M_next - M), and sum |dU| M. */
  readonly moved: () => { readonly tzs: number; readonly weight: number }
  /** The same sum over fills that have not, as if `fair` were their next print. */
  readonly waiting: (fair: number) => number
}

/** How many prints after the next one. */
const LATER = { 'next print': 0, '+1 print': 1, '+2 prints': 2, '+5 prints': 5 } as const
const RING = 6

/**
 * Markouts m(h) = 1e4 (dN + dU M_h) / (|dU| M) with M the fair value and h counted in prints, per dollar
 * traded. Fills between two prints share the next move, so they are one cluster and only their sums are
 * kept. Source: quant.md section 3.
 */
export function createPrintMarkouts(): PrintMarkouts {
  const horizons = Object.entries(LATER).map(([horizon, later]) => ({
    horizon,
    later,
    sums: createClusterSums(),
  }))
  // Six clusters wait at most: the open one and those up to five prints old.
  const dollars = new Float64Array(RING)
  const shillings = new Float64Array(RING)
  const weight = new Float64Array(RING)
  const atFair = new Float64Array(RING)
  const fills = new Float64Array(RING)
  const moved = { tzs: 0, weight: 0 }
  let cluster = 0
  let open = 0

  return {
    fill(u, n, w, fair) {
      dollars[open]! += u
      shillings[open]! += n
      weight[open]! += w
      atFair[open]! += u * fair
      fills[open]! += 1
    },
    print(fair) {
      moved.tzs += dollars[open]! * fair - atFair[open]!
      moved.weight += weight[open]!
      for (let i = 0; i < horizons.length; i++) {
        const { later, sums } = horizons[i]!
        const slot = (open + RING - later) % RING
        if (!(fills[slot]! > 0)) continue
        sums.add(cluster - later, shillings[slot]! + dollars[slot]! * fair, weight[slot]!, fills[slot]!)
      }
      cluster += 1
      open = cluster % RING
      dollars[open] = 0
      shillings[open] = 0
      weight[open] = 0
      atFair[open] = 0
      fills[open] = 0
    },
    horizons,
    moved: () => ({ ...moved }),
    waiting: (fair) => dollars[open]! * fair - atFair[open]!,
  }
}
