import { createReconciliation, restoreReconciliation } from '../ledger/reconciliation/state.ts'
import type { EngineState } from './model/state.ts'
import type { StartedEvent } from './model/event.ts'
import { createOrderState } from './model/order-state.ts'
import { createRfqState } from '../rfq/state.ts'
import { approved } from '../risk/approved.ts'
import { createWithdrawals } from './model/withdrawal-state.ts'
import { createPacing } from '../pacing/state.ts'
import { createQuoting } from '../quoting/quote-state.ts'
import { openLatch, restoreLatch } from '../risk/latch.ts'
import { createBook } from '../ledger/book/book.ts'
import { createMarket } from '../market/market-state.ts'
import { createActivation } from './model/activation-state.ts'
import { createFlow } from './model/flow-state.ts'

/** Completes the state of a snapshot. Its members get the order of a new state's, so that compiled code stays valid for both. */
export function restoreState(saved: EngineState): EngineState {
  const { startedAt: t, version, config } = saved
  const fresh = initialState({ type: 'started', t, version, config })
  const state: EngineState = {
    ...fresh,
    ...saved,
    market: { ...fresh.market, ...saved.market },
    reconciliation: restoreReconciliation(saved.reconciliation),
    latch: restoreLatch(saved.latch),
    quoting: { ...fresh.quoting, ...saved.quoting },
    activation: { ...fresh.activation, ...saved.activation },
    flow: { ...fresh.flow, ...saved.flow },
    withdrawals: { ...fresh.withdrawals, ...saved.withdrawals },
    orders: { ...fresh.orders, ...saved.orders },
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
    overrides: {},
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
    proposals: { all: [] },
    ownWrites: { spreads: { bid: {}, ask: {} }, deactivations: {} },
    wallet: null,
    requests: {},
    nextRequest: 1,
    errorCycles: 0,
    failedRequests: 0,
    authFailure: null,
    sharedKeyToldAt: null,
    authRefusals: {},
    refusedWrite: null,
    usedKeys: [],
    capabilities: {},
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
