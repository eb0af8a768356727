import { HOUR_MS, MINUTE_MS, type Ms } from '../../base/time.ts'
import { createClusterSums } from './cluster-sums.ts'
import type { HorizonSums } from './print-markouts.ts'

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
