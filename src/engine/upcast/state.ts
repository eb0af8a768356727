import { restoreReconciliation } from '../../ledger/reconciliation/state.ts'
import type { EngineState } from '../model/state.ts'
import { createOrderState } from '../orders/state.ts'
import { createWithdrawals } from '../withdrawals/state.ts'
import { upcastPacingAndOrderNames } from './pacing-and-order-names.ts'
import { upcastReconciliationNames } from './reconciliation-names.ts'
import type { Written } from './upcaster.ts'
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
