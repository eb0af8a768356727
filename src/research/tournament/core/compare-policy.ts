import { SIDES } from '../../../base/money/side.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'

/** How far the spreads of a strategy are from those of the same strategy with other parameters, moment by moment. */
export type PolicyDifference = {
  /** Spreads of a side at a moment, of which at least one of the two is on. */
  readonly compared: number
  /** Of those that both have on, bps; 0 where none exist. */
  readonly meanBps: number
  readonly p99Bps: number
  /** Share of them that is on in one and off in the other. */
  readonly switchedShare: number
}

/** What is exact is slow: it is asked at each so many-th decision. */
const EVERY = 40

/** The same strategy, which compares what it quotes with what `exact`, the same with other parameters, would have quoted there. */
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
    // On a copy of its memory, so that the play continues as if no one had asked.
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
