import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import { type ClusterSums, createClusterSums } from './bounded/sums.ts'
import {
  DEFAULT_HORIZONS,
  durationName,
  inOrder,
  updatesName,
} from '../../../core/models/markouts/horizons.ts'

/** Markouts after fixed times, for a fair value that moves within the day. */
type TimedMarkouts = {
  /** `cluster` is the print that preceded the fill; dU, dN in whole units and |dU| M. */
  readonly fill: (t: Ms, cluster: number, dollars: number, shillings: number, weight: number) => void
  /** The fair value was `fair` until `t`, exclusive: a horizon that ends at `t` waits for the rows of `t`. */
  readonly until: (t: Ms, fair: number) => void
  readonly horizons: readonly HorizonSums[]
}

type Horizon = HorizonSums & Pick<TimedMarkouts, 'fill' | 'until'>

/**
 * Creates markouts after fixed times. Groups the fills of one minute, which are valued when the first of them is old
 * enough: horizons are accurate to a minute, and memory holds minutes instead of fills.
 */
export function createMinuteMarkouts(afterMs: readonly Ms[] = DEFAULT_HORIZONS.afterMs): TimedMarkouts {
  const horizons = inOrder(afterMs).map((after) => horizonOf(durationName(after), after))
  return {
    fill(t, cluster, dollars, shillings, weight) {
      for (let i = 0; i < horizons.length; i++) horizons[i]!.fill(t, cluster, dollars, shillings, weight)
    },
    until(t, fair) {
      for (let i = 0; i < horizons.length; i++) horizons[i]!.until(t, fair)
    },
    horizons,
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
      for (let slot = ring.oldest(); slot !== -1 && dueAt[slot]! < t; slot = ring.oldest()) {
        sums.add(cluster[slot]!, shillings[slot]! + dollars[slot]! * fair, weight[slot]!, fills[slot]!)
        ring.drop()
      }
    },
  }
}

/** Holds the waiting slots: each begins at least a minute after the previous one and is removed at the horizon. */
function createRing(after: Ms) {
  const capacity = Math.ceil(after / MINUTE_MS) + 2
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
    /** The oldest slot; -1 = the ring is empty. */
    oldest: () => (length === 0 ? -1 : head),
    newest: () => (length === 0 ? -1 : (head + length - 1) % capacity),
    /** Appends a cleared slot. */
    push(): number {
      const slot = (head + length) % capacity
      length += 1
      for (const name of COLUMNS) columns[name][slot] = 0
      return slot
    },
    drop(): void {
      head = (head + 1) % capacity
      length -= 1
    },
  }
}

type HorizonSums = { readonly horizon: string; readonly sums: ClusterSums }

/** Markouts at later rate updates, grouped by the update that the fills preceded. */
/**
 * Markouts m(h) = 1e4 (dN + dU M_h) / (|dU| M) with M the fair value and h counted in prints, per dollar
 * traded. Fills between two prints share the next move, so they are one cluster and only their sums are
 * kept. Source: quant.md section 3.
 */
export function createPrintMarkouts(afterUpdates: readonly number[] = DEFAULT_HORIZONS.afterUpdates) {
  const horizons = inOrder([0, ...afterUpdates]).map((later) => ({
    horizon: updatesName(later),
    later,
    sums: createClusterSums(),
  }))
  // Capacity: the open cluster plus the rate updates that the last horizon needs.
  const ring = horizons.at(-1)!.later + 1
  const dollars = new Float64Array(ring)
  const shillings = new Float64Array(ring)
  const weight = new Float64Array(ring)
  const atFair = new Float64Array(ring)
  const fills = new Float64Array(ring)
  const columns = [dollars, shillings, weight, atFair, fills]
  const moved = { tzs: 0, weight: 0 }
  let cluster = 0
  let open = 0
  /** Prints until no cluster of the ring has a fill. */
  let printsLeft = 0

  return {
    /** dU, dN in whole units, |dU| M, and M at the fill. */
    fill(u: number, n: number, w: number, fair: number): void {
      dollars[open]! += u
      shillings[open]! += n
      weight[open]! += w
      atFair[open]! += u * fair
      fills[open]! += 1
      printsLeft = ring
    },
    /** The mid changed; `fair` is the fair value after all rows of that moment. */
    print(fair: number): void {
      cluster += 1
      if (printsLeft === 0) return
      printsLeft -= 1
      moved.tzs += dollars[open]! * fair - atFair[open]!
      moved.weight += weight[open]!
      for (let i = 0; i < horizons.length; i++) {
        const { later, sums } = horizons[i]!
        const slot = (open + ring - later) % ring
        if (!(fills[slot]! > 0)) continue
        sums.add(cluster - 1 - later, shillings[slot]! + dollars[slot]! * fair, weight[slot]!, fills[slot]!)
      }
      open = (open + 1) % ring
      for (let i = 0; i < columns.length; i++) columns[i]![open] = 0
    },
    /** The fair-value source changes: drops waiting fills, which were measured with the old one. */
    restart(): void {
      for (const column of columns) column.fill(0)
    },
    horizons,
    /** Over fills that have seen a print: sum dU (M_next - M), and sum |dU| M. */
    moved: (): { readonly tzs: number; readonly weight: number } => ({ ...moved }),
    /** The same sum over the other fills, as if `fair` were their next print. */
    waiting: (fair: number): number => dollars[open]! * fair - atFair[open]!,
  }
}
