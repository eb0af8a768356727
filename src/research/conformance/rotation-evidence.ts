import { MINUTE_MS, type Ms } from '../../base/time.ts'
import type { BestQuoteEvent } from '../../core/engine/model/event.ts'
import type { Side } from '../../base/money/side.ts'
import { traitOf, type Trait } from './trait.ts'

/** Bounds of the tolerance in bps; null = that bound was not observed. */
export type RotationBounds = { readonly atLeast: number | null; readonly below: number | null }

/** Our own state at the time of a probe. */
export type ProbedQuote = {
  /** Our spread on the probe's side; null = the side is off or unknown. */
  readonly bps: number | null
  /** Age of the quote. */
  readonly standsForMs: Ms
  /** Active, and holding the tokens that the probe asks for. */
  readonly canFill: boolean
}

/** A quote that has just changed may not have reached the router yet. */
export const SETTLED_MS = 10_000
/** A wider pick means that we could not fill, not a wider tolerance. */
export const WIDEST_BPS = 30
const LEAST_PICKS = 3
/** A rival within the tolerance is picked in half of the probes: the chance to miss ten is one in a thousand. */
const LEAST_PASSED_OVER = 10
/** A rival that was last seen this long ago may be gone. */
const RIVAL_MS = 30 * MINUTE_MS

/** Learns within how many bps of the best the venue rotates providers. */
export function createRotationEvidence() {
  /** Picks of another provider, and probes that passed it over, by how much wider than ours it quotes. */
  const picked = new Map<number, number>()
  const passedOver = new Map<number, number>()
  const rivals = new Map<Side, { readonly bps: number; readonly at: Ms }>()
  let probes = 0
  let wider = 0

  function bounds(): RotationBounds {
    // Ignores spreads that were picked too rarely to count.
    const atLeast = Math.max(-1, ...often(picked, LEAST_PICKS))
    const below = Math.min(...often(passedOver, LEAST_PASSED_OVER).filter((bps) => bps > atLeast), Infinity)
    return { atLeast: atLeast < 0 ? null : atLeast, below: below === Infinity ? null : below }
  }

  return {
    add(
      { t, side, bestBps, lowLiquidity }: BestQuoteEvent,
      { bps, standsForMs, canFill }: ProbedQuote,
    ): void {
      if (bestBps === null || lowLiquidity) return
      const isOurs = bestBps === bps
      if (!isOurs) rivals.set(side, { bps: bestBps, at: t })
      if (bps === null || !canFill || standsForMs < SETTLED_MS) return
      const off = bestBps - bps
      if (off < 0 || off > WIDEST_BPS) return
      probes += 1
      if (off > 0) {
        wider += 1
        addOne(picked, off)
        return
      }
      const rival = rivals.get(side)
      if (rival !== undefined && t - rival.at <= RIVAL_MS && rival.bps > bps && rival.bps - bps <= WIDEST_BPS)
        addOne(passedOver, rival.bps - bps)
    },
    bounds,
    trait: (): Trait =>
      traitOf('rotation-tolerance', boundsText(bounds()), {
        observed: probes,
        examples: [
          ...shown(picked, (bps, count) => `${bps} bps wider than ours: picked ${count} times`),
          ...shown(passedOver, (bps, count) => `${bps} bps wider than ours: passed over ${count} times`),
        ],
        sure: `${wider} of ${probes} picks were wider than our quote, which could fill; a bound, and no exact figure`,
      }),
  }
}

/** `at least 5 bps, less than 12 bps`; null = neither bound is known. */
export function boundsText({ atLeast, below }: RotationBounds): string | null {
  const parts = [
    ...(atLeast === null ? [] : [`at least ${atLeast} bps`]),
    ...(below === null ? [] : [`less than ${below} bps`]),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

function often(counts: ReadonlyMap<number, number>, least: number): readonly number[] {
  return [...counts].filter(([, count]) => count >= least).map(([bps]) => bps)
}

function addOne(counts: Map<number, number>, bps: number): void {
  counts.set(bps, (counts.get(bps) ?? 0) + 1)
}

function shown(
  counts: ReadonlyMap<number, number>,
  text: (bps: number, count: number) => string,
): readonly string[] {
  return [...counts].toSorted(([a], [b]) => a - b).map(([bps, count]) => text(bps, count))
}
