import { MINUTE_MS, type Ms } from '../../base/time.ts'
import type { BestQuoteEvent } from '../../core/engine/model/event.ts'
import type { Fill } from '../../core/ledger/fills/fill.ts'
import type { Side } from '../../base/money/side.ts'
import { fieldsOfRow } from './answer-evidence.ts'
import { SETTLED_MS, WIDEST_BPS, type ProbedQuote } from './rotation-evidence.ts'
import { traitOf, type Trait } from './trait.ts'

/** A fill is compared with its side's latest probe, unless that is older than two rounds of probes or this. */
const COMPARED_MS = 2 * MINUTE_MS
const ROUNDS = 2
const MOST_SOURCES = 20
/** A rival that has just left explains one or two fills. */
const LEAST_WIDER = 3
const LEAST_LOWEST = 10

/** Fills of a source: as the best, while wider than the best, and the maximum distance. */
type Counts = { lowest: number; wider: number; widestBps: number }

/** Learns from our own fills which providers each source of fills picks. */
export function createRoutingEvidence() {
  const behind = new Map<Side, { readonly bps: number; readonly at: Ms }>()
  const sources = new Map<string, Counts>()
  const latest = new Map<Side, { readonly at: Ms; readonly roundMs: Ms }>()
  let probesBehind = 0

  return {
    addProbe(
      { t, side, bestBps, lowLiquidity }: BestQuoteEvent,
      { bps, standsForMs, canFill }: ProbedQuote,
    ): void {
      behind.delete(side)
      latest.set(side, { at: t, roundMs: t - (latest.get(side)?.at ?? -Infinity) })
      if (bestBps === null || lowLiquidity || bps === null || !canFill || standsForMs < SETTLED_MS) return
      // A rival that is better by more than this could not fill.
      if (bps - bestBps > WIDEST_BPS) return
      behind.set(side, { bps: Math.max(0, bps - bestBps), at: t })
      if (bps > bestBps) probesBehind += 1
    },
    /** `at` = the venue's time of the fill; its row names the source. */
    addFill({ side, raw }: Pick<Fill, 'side' | 'raw'>, at: Ms): void {
      const probe = behind.get(side)
      const source = fieldsOfRow(raw)?.['source']
      if (typeof source !== 'string' || !/^[\w-]{1,40}$/.test(source)) return
      const freshMs = Math.min(COMPARED_MS, ROUNDS * (latest.get(side)?.roundMs ?? 0))
      if (probe === undefined || at < probe.at || at - probe.at > freshMs) return
      const counts = sources.get(source) ?? { lowest: 0, wider: 0, widestBps: 0 }
      if (probe.bps === 0) counts.lowest += 1
      else counts.wider += 1
      counts.widestBps = Math.max(counts.widestBps, probe.bps)
      if (sources.size < MOST_SOURCES) sources.set(source, counts)
    },
    trait(): Trait {
      const all = [...sources].toSorted(([a], [b]) => (a < b ? -1 : 1))
      const rules = all.flatMap(([source, { lowest, wider, widestBps }]) => {
        if (wider >= LEAST_WIDER) return [`${source}: also providers ${widestBps} bps wider than the best`]
        const isLowest = wider === 0 && lowest >= LEAST_LOWEST && probesBehind >= LEAST_LOWEST
        return isLowest ? [`${source}: the lowest spread only`] : []
      })
      return traitOf('routing', rules.length === 0 ? null : rules.join('; '), {
        observed: all.reduce((sum, [, { lowest, wider }]) => sum + lowest + wider, 0),
        examples: all.map(
          ([source, { lowest, wider, widestBps }]) =>
            `${source}: ${lowest} fills as the best, ${wider} while up to ${widestBps} bps wider`,
        ),
        sure: `our quote was wider than the best in ${probesBehind} probes; a rival without the tokens leaves us fills as well`,
      })
    },
  }
}
