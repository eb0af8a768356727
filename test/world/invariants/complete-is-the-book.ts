import type { EngineState } from '../../../src/core/engine/model/state.ts'
import type { EntryKind } from '../../../src/core/ledger/book/book.ts'
import { ASSETS, toBook, zeroAmounts, type Amounts } from '../../../src/base/money/asset.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import { violated, type Invariant } from '../step.ts'
import type { Tally } from '../tally.ts'
import type { ReadingTruth, VenueWatch } from '../venue-watch.ts'

/** A reading that the core has kept, and where the core takes it to be from: the contract does not say. */
type Known = { readonly seq: number; readonly truth: ReadingTruth; readonly where: 'pool' | 'wallet' }

const KEPT_READINGS = 40
const BOOKED: ReadonlySet<EntryKind> = new Set(['adjustment', 'deposit', 'withdrawal', 'sweep'])

/**
 * Whenever a balances reading proves the books complete, the ledger is the venue's own book at the moment
 * that reading was taken: to the last unit, or, where fills came between that moment and now, up to the fees
 * of exactly those fills (whether they are ours is what only the next reading can tell).
 */
export function completeIsTheBook(model: VenueModel, watch: VenueWatch, tally: Tally): Invariant {
  const byTime = new Map<number, Known>()
  const posted: { seq: number; id: string }[] = []
  let provenAt: number | null = null
  let isRestarted = false
  let bookedAt = 0
  return {
    check({ seq, event, audit, state, now }) {
      const { reconciliation } = state
      for (const observation of audit.observations) {
        if (observation.type === 'fillPosted') posted.push({ seq, id: observation.fill.id })
        if (observation.type === 'entryPosted' && BOOKED.has(observation.entry.kind)) bookedAt = now
      }
      if (event.type === 'balances') {
        const truth = watch.readings.get(event.request)
        watch.readings.delete(event.request)
        const { snapshot: reading } = reconciliation
        if (truth !== undefined && reading?.t === state.now)
          byTime.set(state.now, { seq, truth, where: reading.where })
        if (byTime.size > KEPT_READINGS) byTime.delete(byTime.keys().next().value ?? 0)
      }
      const isNews = reconciliation.matchedAt !== provenAt && !isRestarted
      provenAt = reconciliation.matchedAt
      isRestarted = false
      if (!isNews || provenAt === null || reconciliation.state !== 'reconciled') return
      const known = byTime.get(provenAt)
      if (known === undefined) violated('the books were proven by a reading that was never taken')
      const unproven = posted.map(({ id }) => id)
      const since = posted.filter((fill) => fill.seq > known.seq)
      posted.splice(0, posted.length - since.length)
      // What a fill moved may have been booked as something else, or swept, before its row showed. Until the next
      // reading, which is compared without it, such a row passes for a fill after this one.
      const { fills } = model.state.ours
      const isLate = unproven.some((id) => (fills.findLast((fill) => fill.id === id)?.at ?? 0) <= bookedAt)
      if (isLate) tally.lateRows += 1
      else {
        tally.readingsProven += 1
        compare(state, known, model)
      }
    },
    rewind(seq) {
      isRestarted = true
      for (const [t, known] of byTime) if (known.seq > seq) byTime.delete(t)
      while ((posted.at(-1)?.seq ?? 0) > seq) posted.pop()
    },
  }
}

function compare(state: EngineState, { truth, where }: Known, model: VenueModel): void {
  const { pool, wallet } = state.book.accounts
  const expected = { ...truth[truth.isActive ? 'pool' : 'wallet'] }
  const slack = laterFills(state, truth, expected, model)
  for (const asset of ASSETS) {
    if (state.reconciliation.mentioned[asset] !== true) continue
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
function laterFills(state: EngineState, truth: ReadingTruth, expected: Amounts, model: VenueModel): Amounts {
  const slack = zeroAmounts()
  const { fills } = model.state.ours
  for (let index = truth.fills; index < fills.length; index++) {
    const fill = fills[index]
    if (fill === undefined || state.reconciliation.memory.known[`#${fill.id}`] === undefined) continue
    const { from, to, amountIn, credit, amountOut, fee, debit } = fill
    expected[from] += toBook(amountIn, from)
    expected[to] -= toBook(debit, to)
    slack[to] += toBook(fee + 1n, to)
    // What a fault keeps of a fill only the next reading can show.
    slack[from] += toBook(amountIn - credit, from)
    if (debit > amountOut + fee) slack[to] += toBook(debit - amountOut - fee, to)
  }
  return slack
}
