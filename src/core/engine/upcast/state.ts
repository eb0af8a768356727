import { restoreReconciliation } from '../../ledger/reconciliation/state.ts'
import type { EngineState } from '../model/state.ts'
import { createOrderState } from '../model/order-state.ts'
import { createWithdrawals } from '../model/withdrawal-state.ts'
import { upcastBookAmounts } from './book-amounts.ts'
import { upcastQuoteStatus } from './quote-status.ts'
import { upcastReconciliationNames } from './reconciliation-names.ts'
import { renameFields, type Written } from './upcaster.ts'
import { upcastVenueWords } from './venue-words.ts'

type StateUpcaster = {
  /** Takes what was written with a version below this one. */
  readonly below: number
  readonly upcast: (written: Written) => Written
}

/** In this order: each takes what the one before it made. */
const UPCASTERS: readonly StateUpcaster[] = [
  { below: 2, upcast: upcastReconciliationNames },
  { below: 2, upcast: upcastPacingAndOrderNames },
  { below: 2, upcast: withTheSlicesOfTwo },
  { below: 2, upcast: upcastVenueWords },
  { below: 3, upcast: upcastBookAmounts },
  { below: 4, upcast: upcastGlossaryNames },
]

/** Lifts a snapshot's state to today's form. */
export function upcastState(version: number, written: Written): EngineState {
  let lifted = written
  for (const { below, upcast } of UPCASTERS) if (version < below) lifted = upcast(lifted)
  return lifted as EngineState
}

/** 0.1.0 wrote no withdrawal requests, and orders and reconciliation with fewer fields. */
function withTheSlicesOfTwo(written: Written): Written {
  const known = written as Partial<EngineState> & EngineState
  return {
    ...known,
    withdrawals: { ...createWithdrawals(known.config.withdraw), ...known.withdrawals },
    orders: { ...createOrderState(), ...known.orders },
    reconciliation: restoreReconciliation(known.reconciliation),
  }
}

const BUDGET = { silentUntil: 'blockedUntil' }
const POLL = { demanded: 'expedited' }

/** A snapshot of 0.1.0: it wrote fields of the pacing, and the open orders, under other names. */
export function upcastPacingAndOrderNames(written: Written): Written {
  const { pacing, rfq } = written
  return {
    ...written,
    ...(isRecord(pacing) ? { pacing: upcastPacing(pacing) } : {}),
    ...(isRecord(rfq) ? { rfq: renameFields(rfq, { owed: 'openOrders' }) } : {}),
  }
}

function upcastPacing(written: Written): Written {
  const pacing = renameFields(written, { unplanned: 'onDemand' })
  return {
    ...pacing,
    key: renamed(pacing['key'], BUDGET),
    public: renamed(pacing['public'], BUDGET),
    polls: isRecord(pacing['polls'])
      ? Object.fromEntries(Object.entries(pacing['polls']).map(([kind, poll]) => [kind, renamed(poll, POLL)]))
      : pacing['polls'],
  }
}

function renamed(value: unknown, names: Readonly<Record<string, string>>): unknown {
  return isRecord(value) ? renameFields(value, names) : value
}

const ORDERS = { doomed: 'cancelRequested', isOverPromised: 'isOvercommitted' }

/** A snapshot up to version 3 had names of its own where the glossary has others. */
export function upcastGlossaryNames(written: Written): Written {
  const state = renameFields(written, { stance: 'approvedTarget', heard: 'received' })
  const { quoting, fairShift, orders, strategy } = state
  return {
    ...state,
    ...(isRecord(quoting) ? { quoting: upcastQuoteStatus(quoting) } : {}),
    ...(isRecord(fairShift) ? { fairShift: renameFields(fairShift, { heard: 'readings' }) } : {}),
    ...(isRecord(strategy) ? { strategy: withReasons(strategy) } : {}),
    ...(isRecord(orders) ? { orders: renameFields(orders, ORDERS) } : {}),
  }
}

/** The quote that the strategy wanted last. */
function withReasons(strategy: Written): Written {
  return { ...strategy, wanted: renamed(strategy['wanted'], { because: 'reasons' }) }
}

function isRecord(value: unknown): value is Written {
  return typeof value === 'object' && value !== null
}
