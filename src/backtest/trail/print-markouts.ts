import { createClusterSums, type ClusterSums } from './cluster-sums.ts'

export type HorizonSums = { readonly horizon: string; readonly sums: ClusterSums }

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
