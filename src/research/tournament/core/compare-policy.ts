import { SIDES } from '../../../base/money/side.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'

/** Difference of a strategy's spreads from those of the same strategy with other parameters, at equal moments. */
export type PolicyDifference = {
  /** Number of spreads compared: of a side at a moment, with at least one of the two on. */
  readonly compared: number
  /** Over the spreads that are on in both, bps; 0 = no such spreads. */
  readonly meanBps: number
  readonly p99Bps: number
  /** Share of them that is on in one and off in the other. */
  readonly switchedShare: number
}

/** Exact quotes are slow, so only every 40th decision is compared. */
const EVERY = 40

/** Wraps a strategy and records how its quotes differ from `exact`, the same strategy with other parameters. */
export function comparedWith(
  strategy: LoadedStrategy,
  exact: LoadedStrategy,
): { readonly strategy: LoadedStrategy; readonly difference: () => PolicyDifference } {
  const { definition } = strategy
  const differences: number[] = []
  let [asked, switched] = [0, 0]
  const quote: typeof definition.quote = (context, memory, params, inner) => {
    asked += 1
    if (asked % EVERY !== 0) return definition.quote(context, memory, params, inner)
    // Uses a copy of the memory, so that the comparison does not affect the play.
    const other = definition.quote(context, structuredClone(memory), exact.params, inner)
    const own = definition.quote(context, memory, params, inner)
    for (const side of SIDES) {
      const [here, there] = [own[`${side}Bps`], other[`${side}Bps`]]
      if (here === null && there === null) continue
      if (here === null || there === null) switched += 1
      else differences.push(Math.abs(here - there))
    }
    return own
  }
  return {
    strategy: { ...strategy, definition: { ...definition, quote } },
    difference() {
      const sorted = differences.toSorted((a, b) => a - b)
      const compared = sorted.length + switched
      return {
        compared,
        meanBps: sorted.reduce((sum, bps) => sum + bps, 0) / Math.max(1, sorted.length),
        p99Bps: sorted[Math.floor(0.99 * (sorted.length - 1))] ?? 0,
        switchedShare: switched / Math.max(1, compared),
      }
    },
  }
}
