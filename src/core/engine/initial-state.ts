import { createReconciliation } from '../ledger/reconciliation/state.ts'
import type { EngineState } from './model/state.ts'
import type { StartedEvent } from './model/event.ts'
import { createOrderState } from './model/order-state.ts'
import { createRfqState } from '../rfq/state.ts'
import { approved } from '../risk/approved.ts'
import { createWithdrawals } from './model/withdrawal-state.ts'
import { createPacing } from '../pacing/state.ts'
import { createQuoting } from '../quoting/quote-state.ts'
import { openLatch } from '../risk/latch.ts'
import { createBook } from '../ledger/book/book.ts'
import { createMarket } from '../market/market-state.ts'
import { createActivation } from './model/activation-state.ts'
import { createFlow } from './model/flow-state.ts'

/** Completes the state of a snapshot. Its members get the order of a new state's, so that compiled code stays valid for both. */
export function restoreState(saved: EngineState): EngineState {
  const { startedAt: t, version, config, market, quoting, activation, flow } = saved
  const state: EngineState = {
    ...initialState({ type: 'started', t, version, config }),
    ...saved,
    market: { ...createMarket(), ...market },
    quoting: { ...createQuoting(), ...quoting },
    activation: { ...createActivation(), ...activation },
    flow: { ...createFlow(), ...flow },
  }
  // The stamp of risk is not part of a snapshot: the target that was approved before it is stamped again.
  if (state.approvedTarget !== null) state.approvedTarget = approved(state.approvedTarget)
  return state
}

/**
 * Returns the state of a position that has never run. Members that start absent are declared as `undefined`, so all states
 * share one hidden class and compiled code stays valid.
 */
export function initialState(event: StartedEvent): EngineState {
  return {
    now: event.t,
    startedAt: event.t,
    processStartedAt: event.t,
    version: event.version,
    config: event.config,
    overrides: undefined,
    market: createMarket(),
    fairShift: undefined,
    book: createBook(),
    reconciliation: createReconciliation(),
    reconciliationSince: event.t,
    breakSince: null,
    quoting: createQuoting(),
    pacing: createPacing(event.config.pacing),
    latch: openLatch(),
    strategy: { memory: null, suspended: null, wanted: null },
    activation: createActivation(),
    flow: createFlow(),
    withdrawals: createWithdrawals(event.config.withdraw),
    rfq: createRfqState(),
    orders: createOrderState(),
    history: { mids: [], spreads: [] },
    prices: undefined,
    review: undefined,
    proposals: undefined,
    ownWrites: undefined,
    wallet: undefined,
    requests: {},
    nextRequest: 1,
    errorCycles: 0,
    failedRequests: 0,
    authFailure: null,
    sharedKeyToldAt: undefined,
    authRefusals: undefined,
    refusedWrite: undefined,
    usedKeys: undefined,
    guard: undefined,
    exiting: false,
    received: { account: false, rate: false, balances: false, fills: false },
    activeRules: [],
    decision: null,
    approvedTarget: null,
    dirty: null,
    decideAt: 0,
  }
}
