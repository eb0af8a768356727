import type { Ms } from '../../../base/time.ts'
import { type Amounts, ASSETS } from '../../../base/money/asset.ts'
import type { BookState, Location } from '../book/book.ts'
import type { DedupedFills } from '../fills/dedupe.ts'
import { recordFee } from '../fills/fees.ts'
import type { ReconciliationAction } from './actions.ts'
import { countAnsweredTime, detectBreak, keepRows } from './pending.ts'
import { reconcilePending, reconcileSnapshot } from './reconcile-snapshot.ts'
import {
  isBalanced,
  KEPT_POLLS,
  learnGrain,
  ledgerAt,
  type ReconciliationState,
  type ReconciliationTerms,
} from './state.ts'
import { countSkipped, discardSnapshots, setStatus } from './status.ts'

/** An answer of the venue's fills. */
type FillsPolled = {
  readonly repeated: number
  readonly windowFull: boolean
  readonly deduped: DedupedFills
}

/** A balances answer. */
type BalancesRead = {
  readonly t: Ms
  readonly sentAt: Ms
  readonly amounts: Readonly<Partial<Amounts>>
  readonly source: Location | null
  readonly isActive: boolean | null
  /** An activation or a withdrawal is in flight. */
  readonly busy: boolean
  /** The book's accounts now. */
  readonly accounts: BookState['accounts']
}

/**
 * A fills poll was answered and its new rows were posted: checks that it overlaps the last one, and reconciles the balances that its
 * rows may explain.
 */
export function settleFillsPoll(
  state: ReconciliationState,
  terms: ReconciliationTerms,
  { repeated, windowFull, deduped }: FillsPolled,
): ReconciliationAction[] {
  const overlaps = repeated > 0 || deduped.seenBefore > 0 || !windowFull
  const isFirst = state.polls.length === 0
  recordPoll(state, terms, deduped.added)
  if (isFirst || overlaps) return reconcileBalances(state, terms)
  // A snapshot from before this poll proves nothing about fills after the gap: only a new one can close it.
  const out: ReconciliationAction[] = []
  discardSnapshots(state, terms.t)
  if (state.opened) setStatus(state, out, 'break', 'fills may have been missed: no row is known', {})
  out.push({ do: 'poll', what: 'balances', why: 'only the balances can show whether fills were missed' })
  return out
}

/** Keeps the answered balances until the next fills poll shows what they must equal. */
export function recordBalances(state: ReconciliationState, read: BalancesRead): ReconciliationAction[] {
  const expected = read.isActive === null ? null : read.isActive ? 'pool' : 'wallet'
  const where = read.source ?? expected
  countAnsweredTime(state, read.t, read.busy)
  for (const asset of ASSETS) learnGrain(state, asset, read.amounts[asset] ?? 0n)
  if (read.busy || read.sentAt < state.voidBefore) return []
  if (where === null || (expected !== null && where !== expected)) {
    const why = 'it is not clear whether the position is active'
    return [...countSkipped(state, why), { do: 'poll', what: 'account', why }]
  }
  if (!state.polls.some((poll) => poll.t <= read.sentAt)) {
    return [{ do: 'poll', what: 'fills', why: 'balances can be compared only after a fills poll' }]
  }
  state.snapshot = { sentAt: read.sentAt, t: read.t, amounts: read.amounts, where }
  const isEqual = ASSETS.every((asset) => {
    const amount = read.amounts[asset]
    return amount === undefined || amount === ledgerAt(where, read.accounts)[asset]
  })
  return state.opened && isBalanced(state) && isEqual
    ? []
    : [{ do: 'poll', what: 'fills', why: 'a fills poll after the balances shows what they must equal' }]
}

/**
 * Reconciles a wallet with the chain, which shows it and its fills at one block. They match to the last unit, so a single
 * snapshot is enough. `apply` posts the actions of each step before the next one compares the book.
 */
export function reconcileAtBlock(
  state: ReconciliationState,
  terms: ReconciliationTerms,
  amounts: Readonly<Partial<Amounts>>,
  apply: (actions: readonly ReconciliationAction[]) => void,
): void {
  const { t, sentAt, busy, accounts } = terms
  recordPoll(state, terms, 0)
  apply(reconcileBalances(state, terms))
  apply(recordBalances(state, { t, sentAt, amounts, source: 'wallet', isActive: false, busy, accounts }))
  const noFills = { ...terms, posted: [] }
  recordPoll(state, noFills, 0)
  apply(reconcileBalances(state, noFills))
}

function recordPoll(
  state: ReconciliationState,
  { t, busy, posted }: ReconciliationTerms,
  fresh: number,
): void {
  countAnsweredTime(state, t, busy)
  for (const fill of posted) recordFee(state.fees, fill)
  keepRows(state, posted)
  state.polls.push({ t, fresh, fills: posted })
  if (state.polls.length > KEPT_POLLS) state.polls.shift()
}

function reconcileBalances(state: ReconciliationState, terms: ReconciliationTerms): ReconciliationAction[] {
  const out: ReconciliationAction[] = []
  reconcilePending(state, terms, out)
  detectBreak(state, terms, reconcileLatest(state, terms, out), out)
  return out
}

/** Reconciles the snapshot that waits for this poll; returns the unexplained difference. */
function reconcileLatest(
  state: ReconciliationState,
  terms: ReconciliationTerms,
  out: ReconciliationAction[],
): Partial<Amounts> | null {
  const { snapshot: reading } = state
  if (reading === null) {
    if (!state.opened || (state.state === 'pending' && !isBalanced(state))) {
      out.push({ do: 'poll', what: 'balances', why: state.why })
    }
    return null
  }
  if (terms.sentAt < reading.t) {
    out.push({ do: 'poll', what: 'fills', why: 'the balances were read after this poll was sent' })
    return null
  }
  state.snapshot = null
  return reconcileSnapshot(state, reading, terms, out)
}
