import { createPacing } from '../pacing/create-pacing.ts'
import { createQuoting } from '../quoting/quoting-state.ts'
import { openLatch } from '../risk/latch.ts'
import { createBook } from '../ledger/book.ts'
import { createCompleteness } from '../ledger/completeness.ts'
import { createMarket } from '../market/market-state.ts'
import { createRfqState } from '../rfq/rfq-state.ts'
import { createOrderDesk } from './order-desk.ts'
import type { StartedEvent } from './event.ts'
import type { EngineState } from './engine-state.ts'
import { createActivation } from './handle-activation.ts'
import { createFlow } from './count-fill.ts'
import { createWithdrawals } from './withdrawal-requests.ts'

/** The memory of a position that has never run. */
export function firstState(event: StartedEvent): EngineState {
  return {
    now: event.t,
    startedAt: event.t,
    processStartedAt: event.t,
    version: event.version,
    config: event.config,
    market: createMarket(),
    book: createBook(),
    completeness: createCompleteness(),
    completenessSince: event.t,
    gapSince: null,
    quoting: createQuoting(),
    pacing: createPacing(event.config.pacing),
    latch: openLatch(),
    strategy: { memory: null, suspended: null, wanted: null },
    activation: createActivation(),
    flow: createFlow(),
    withdrawals: createWithdrawals(event.config.withdraw),
    rfq: createRfqState(),
    orders: createOrderDesk(),
    history: { mids: [], spreads: [] },
    requests: {},
    nextRequest: 1,
    errorCycles: 0,
    failedRequests: 0,
    authFailure: null,
    exiting: false,
    heard: { account: false, rate: false, balances: false, fills: false },
    activeRules: [],
    decision: null,
    stance: null,
    dirty: null,
    decideAt: 0,
  }
}
