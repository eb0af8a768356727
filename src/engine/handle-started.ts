import { encodeJson } from '../base/codec.ts'
import { holdPoll } from '../pacing/hold-poll.ts'
import { noteRestarted } from '../pacing/note-restarted.ts'
import { createPacing } from '../pacing/create-pacing.ts'
import { createQuoting } from '../quoting/quoting-state.ts'
import { beliefLost } from '../quoting/learn.ts'
import { openLatch } from '../risk/latch.ts'
import { createBook } from '../ledger/book.ts'
import { createCompleteness } from '../ledger/completeness.ts'
import { createMarket } from '../market/market-state.ts'
import { freshMemory } from '../strategy/strategy-memory.ts'
import { thrownText } from '../strategy/thrown-text.ts'
import type { CoreConfig } from './core-config.ts'
import type { StartedEvent } from './event.ts'
import type { EngineState } from './engine-state.ts'
import { createActivation } from './handle-activation.ts'
import { createFlow } from './flow.ts'
import { noteBelief } from './handle-quote.ts'
import { retunePacing } from '../pacing/retune-pacing.ts'
import { wantDecision, type Turn } from './turn.ts'

const BALANCES_PATIENCE_MS = 3_000

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
    withdrawals: { sent: [], unknown: [] },
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

/**
 * A process takes over. Whatever was in flight has an unknown outcome; the quote is read back, the books
 * are compared again, and latches stay as they were.
 */
export function handleStarted(turn: Turn, event: StartedEvent): void {
  const { state, now } = turn
  state.processStartedAt = now
  state.version = event.version
  state.exiting = false
  state.stance = null
  state.errorCycles = 0
  state.authFailure = null
  state.heard = { account: false, rate: false, balances: false, fills: false }
  for (const request of Object.values(state.requests)) {
    if (request.what === 'withdraw')
      state.withdrawals.unknown.push({ at: now, asset: request.asset, amount: request.amount })
  }
  state.requests = {}
  state.activation = { ...state.activation, isActive: null, inFlight: null, failures: 0, notBefore: 0 }
  noteRestarted(state.pacing)
  // Balances mean nothing before the first fills answer, which asks for them.
  holdPoll(state.pacing, 'balances', now + BALANCES_PATIENCE_MS)
  const before = state.quoting.belief
  beliefLost(state.quoting, 'not read back since the start')
  state.quoting.failures = 0
  noteBelief(turn, before)
  applyConfig(turn, event.config)
  wantDecision(turn, 'start')
}

/** New parameters or new code: between two steps, as a whole. A suspended strategy gets its new chance. */
export function applyConfig(turn: Turn, config: CoreConfig): void {
  const { state } = turn
  const { memory, suspended } = state.strategy
  // One that hung in `init` has no memory yet and must not be asked for one again.
  const same = (memory !== null || suspended !== null) && sameStrategy(state.config, config)
  state.config = config
  retunePacing(state.pacing, config.pacing, turn.now)
  if (!same) reviveStrategy(turn)
}

/** A fresh memory for the strategy and a new chance for a suspended one. */
export function reviveStrategy(turn: Turn): void {
  const { state, now, strategy } = turn
  state.strategy.suspended = null
  state.strategy.wanted = null
  try {
    state.strategy.memory = freshMemory(strategy)
  } catch (thrown) {
    const why = `strategy ${strategy.use} threw in init: ${thrownText(thrown)}`
    state.strategy.memory = null
    state.strategy.suspended = why
    turn.observations.push({ type: 'strategySuspended', t: now, why })
  }
  const { use, params, sourceHash } = state.config.strategy
  turn.observations.push({ type: 'strategyLoaded', t: now, use, params, sourceHash })
}

function sameStrategy(a: CoreConfig, b: CoreConfig): boolean {
  return (
    a.strategy.use === b.strategy.use &&
    a.strategy.sourceHash === b.strategy.sourceHash &&
    encodeJson(a.strategy.params) === encodeJson(b.strategy.params)
  )
}
