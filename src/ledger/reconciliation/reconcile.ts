import { type FillsPolled, KEPT_POLLS, ledgerAt, type ReconciliationState } from './state.ts'
import type { Ms } from '../../base/time.ts'
import { type Amounts, ASSETS } from '../../money/asset.ts'
import type { BookState, Location } from '../book/book.ts'
import { noteFee } from '../fills/fees.ts'
import type { ReconciliationAction } from './actions.ts'
import { reconcilePending, reconcileSnapshot } from './reconcile-snapshot.ts'
import { countAnsweredTime, detectBreak, keepRows } from './pending.ts'
import { countSkipped, discardSnapshots, setStatus } from './status.ts'

/** A fills poll was answered: checks that it overlaps, and judges the readings that its rows may explain. */
export function reconcile(state: ReconciliationState, polled: FillsPolled): ReconciliationAction[] {
  const out: ReconciliationAction[] = []
  const before = polled.admission.seenBefore
  const overlaps = polled.repeated > 0 || before > 0 || !polled.windowFull
  const everPolled = state.polls.length > 0
  countAnsweredTime(state, polled.t, polled.busy)
  for (const fill of polled.posted) noteFee(state.fees, fill)
  keepRows(state, polled.posted)
  state.polls.push({ t: polled.t, fresh: polled.admission.added, fills: polled.posted })
  if (state.polls.length > KEPT_POLLS) state.polls.shift()
  if (everPolled && !overlaps) {
    // What a reading before this poll would prove ends before the hole: only a new one can close it.
    discardSnapshots(state, polled.t)
    if (state.opened) setStatus(state, out, 'gap', 'fills may have been missed: no row is known', {})
    out.push({ do: 'ask', what: 'balances', why: 'only the balances can tell whether fills were missed' })
    return out
  }
  reconcilePending(state, polled, out)
  const difference = closeReading(state, polled, out)
  detectBreak(state, polled, difference, out)
  return out
}

/** Judges the reading that this poll closes; returns what it differs by where nothing explains it. */
function closeReading(
  state: ReconciliationState,
  polled: FillsPolled,
  out: ReconciliationAction[],
): Partial<Amounts> | null {
  const { reading } = state
  if (reading === null) {
    if (!state.opened || state.state === 'checking') {
      out.push({ do: 'ask', what: 'balances', why: state.why })
    }
    return null
  }
  if (polled.sentAt < reading.t) {
    out.push({ do: 'ask', what: 'fills', why: 'the balances were read after this poll was sent' })
    return null
  }
  state.reading = null
  return reconcileSnapshot(state, reading, polled, out)
}

/** A balances answer. */
export type BalancesRead = {
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

/** Balances were answered: they are kept until the next fills poll can tell what they must equal. */
export function takeBalances(state: ReconciliationState, read: BalancesRead): ReconciliationAction[] {
  const believed = read.isActive === null ? null : read.isActive ? 'pool' : 'wallet'
  const where = read.source ?? believed
  countAnsweredTime(state, read.t, read.busy)
  if (read.busy || read.sentAt < state.voidBefore) return []
  if (where === null || (believed !== null && where !== believed)) {
    const why = 'whether the position is active is not clear'
    return [...countSkipped(state, why), { do: 'ask', what: 'account', why }]
  }
  if (!state.polls.some((poll) => poll.t <= read.sentAt)) {
    return [{ do: 'ask', what: 'fills', why: 'balances mean nothing without a fills poll before them' }]
  }
  state.reading = { sentAt: read.sentAt, t: read.t, amounts: read.amounts, where }
  const isEqual = ASSETS.every((asset) => {
    const said = read.amounts[asset]
    return said === undefined || said === ledgerAt(where, read.accounts)[asset]
  })
  return state.opened && state.state === 'complete' && isEqual
    ? []
    : [{ do: 'ask', what: 'fills', why: 'a fills poll after the balances shows what they must equal' }]
}
