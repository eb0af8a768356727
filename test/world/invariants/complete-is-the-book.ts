import type { EngineState } from '../../../src/engine/engine-state.ts'
import { ASSETS, zeroAmounts, type Amounts } from '../../../src/money/asset.ts'
import type { VenueModel } from '../../../src/sandbox/venue-model.ts'
import { violated, type Invariant } from '../step.ts'
import type { Tally } from '../tally.ts'
import type { ReadingTruth, VenueWatch } from '../venue-watch.ts'

/**
 * Whenever a balances reading proves the books complete, the ledger is the venue's own book at the moment
 * that reading was taken: to the last unit, or, where fills came between that moment and now, up to the fees
 * of exactly those fills (whether they are ours is what only the next reading can tell).
 */
export function completeIsTheBook(model: VenueModel, watch: VenueWatch, tally: Tally): Invariant {
  const byTime = new Map<number, { seq: number; truth: ReadingTruth }>()
  let provenAt: number | null = null
  return {
    check({ seq, event, state }) {
      const { completeness } = state
      if (event.type === 'balances') {
        const truth = watch.readings.get(event.request)
        watch.readings.delete(event.request)
        if (truth !== undefined && completeness.reading?.t === state.now)
          byTime.set(state.now, { seq, truth })
        if (byTime.size > 40) byTime.delete(byTime.keys().next().value ?? 0)
      }
      if (completeness.matchedAt === provenAt) return
      provenAt = completeness.matchedAt
      if (provenAt === null || completeness.state !== 'complete') return
      const known = byTime.get(provenAt)
      if (known === undefined) violated('the books were proven by a reading that was never taken')
      tally.readingsProven += 1
      compare(state, known.truth, model)
    },
    rewind(seq) {
      provenAt = -1
      for (const [t, known] of byTime) if (known.seq > seq) byTime.delete(t)
    },
  }
}

function compare(state: EngineState, truth: ReadingTruth, model: VenueModel): void {
  const where = truth.isActive ? 'pool' : 'wallet'
  const { pool, wallet } = state.book.accounts
  const expected = { ...truth[where] }
  const slack = laterFills(state, truth, expected, model)
  for (const asset of ASSETS) {
    if (state.completeness.mentioned[asset] !== true) continue
    const ledger = where === 'pool' ? pool[asset] : wallet[asset] + pool[asset]
    const off = ledger - expected[asset]
    if (off > slack[asset] || off < -slack[asset]) {
      violated(
        `complete, but the ledger's ${where} has ${ledger} of ${asset} where the venue's book has ${expected[asset]}`,
      )
    }
  }
}

/** Adds the fills that the ledger has and the reading could not have; their fees may be off. */
function laterFills(
  state: EngineState,
  truth: ReadingTruth,
  expected: Amounts,
  model: VenueModel,
): Amounts {
  const slack = zeroAmounts()
  const { fills } = model.state.ours
  for (let index = truth.fills; index < fills.length; index++) {
    const fill = fills[index]
    if (fill === undefined || state.completeness.memory.known[`#${fill.id}`] === undefined) continue
    expected[fill.from] += fill.amountIn
    expected[fill.to] -= fill.debit
    slack[fill.to] += fill.fee + 1n
  }
  return slack
}
