import { encodeJson } from '../../../base/codec.ts'
import { askStrategy, StrategyLost, thrownText } from '../../strategy/ask-strategy.ts'
import { freshMemory, memoryAfterChange, type StrategyMemory, unkeptMemory } from '../../strategy/memory.ts'
import { MAX_SPREAD_BPS } from '../../../base/money/bps.ts'
import { rateToNumber } from '../../../base/money/rate.ts'
import { isWidenedToLeave } from '../activation/drain.ts'
import { canCloseSides } from '../../quoting/quote-state.ts'
import { position } from '../../ledger/book/book.ts'
import { approve } from '../../risk/approve.ts'
import type { ApprovalSettings, Target } from '../../risk/approval.ts'
import { assess } from '../../risk/assess.ts'
import type { RuleBreach } from '../../risk/rule-breach.ts'
import type { Cause } from '../../strategy/context.ts'
import type { StrategyQuote } from '../../strategy/define-strategy.ts'
import { dither, nextDecisionAt } from './schedule.ts'
import { beginFairShift } from '../market/fair-shift.ts'
import { judgeFeeds } from '../market/on-reference.ts'
import { isWalletStrange } from '../safeguards/foreign-writes.ts'
import { type InventoryShare, inventoryShare } from './inventory-share.ts'
import type { TradingState } from '../model/observation.ts'
import type { EngineState } from '../model/state.ts'
import { endReviewOverride } from '../safeguards/review.ts'
import { createContextProvider } from './strategy-context.ts'
import { INPUTS, type LastQuestion } from './inputs-read.ts'
import { RiskReading } from './risk-input.ts'
import type { Transition } from '../transition.ts'
import { halt } from '../../risk/latch.ts'

/**
 * Events between two looks at the whole memory, besides the quarter of a minute of the timer: looking through a long
 * one costs more than the decision, and no snapshot is written of one that cannot be kept.
 */
const MEMORY_CHECK_EVERY = 16

/**
 * Decides for one core, and leaves out nothing: at every decision the rules are evaluated, the strategy is asked unless it could
 * change nothing, and risk approves.
 */
export class Decider {
  readonly #contexts = createContextProvider()
  readonly #state: EngineState
  readonly #input: RiskReading
  /** Whether time alone changes nothing of the last answer. */
  #isTimeless = false

  constructor(state: EngineState) {
    this.#state = state
    this.#input = new RiskReading(state)
  }

  /**
   * The decision of this transition: what the rules say, what the strategy wants, what risk approves. Halts are
   * latched here. What is approved may stand at the venue from now on.
   */
  decide(transition: Transition, cause: Cause): void {
    judgeFeeds(transition)
    endReviewOverride(transition)
    const share = this.#shareNow()
    this.#input.show(transition.now, share)
    let findings = this.#assess()
    if (findings.length > 0) latchHalt(transition, findings)
    let wanted: StrategyQuote | null = null
    if (share !== null && this.#state.latch.halted === null && !hasSafe(findings)) {
      wanted = this.#ask(transition, share, cause)
      // A strategy that has just failed is suspended at once, not at the next event.
      if (this.#state.strategy.suspended !== null) findings = this.#assess()
    }
    this.#approve(transition, wanted, findings)
    this.#state.decideAt = nextDecisionAt(this.#state, transition.now, this.#isTimeless)
  }

  /** When the strategy was asked last, and what it read; null = not yet. */
  lastQuestion(): LastQuestion | null {
    return this.#contexts.lastQuestion()
  }

  #assess(): RuleBreach[] {
    const { risk, inventory } = this.#state.config
    return assess(this.#input, risk, inventory.limits)
  }

  #shareNow(): InventoryShare | null {
    const { market, config, book } = this.#state
    return market.mid === null ? null : inventoryShare(position(book), market.mid, config.inventory.target)
  }

  #ask(transition: Transition, share: InventoryShare, cause: Cause): StrategyQuote | null {
    const { state, strategy, now, seq, polling } = transition
    const { memory } = state.strategy
    if (memory === null) return null
    const before = polling === 'simulated' && !this.#contexts.hasRead(TIMED) ? memoryText(memory) : null
    const asked = askStrategy(strategy, memory, this.#contexts.show(transition, share, cause))
    this.#contexts.end()
    this.#isTimeless = before !== null && !this.#contexts.hasRead(TIMED) && before === memoryText(memory)
    if (this.#contexts.readsFairShift()) beginFairShift(state)
    const isDue = cause === 'timer' || seq % MEMORY_CHECK_EVERY === 0
    const unkept = isDue ? unkeptMemory(memory) : null
    if (unkept !== null) state.strategy.memory = null
    if (asked.ok && unkept === null) {
      const fallback = state.strategy.wanted?.fallback
      state.strategy.wanted = dither(asked.value, state.config.quote, now)
      noteFallback(transition, fallback)
      return state.strategy.wanted
    }
    const why = asked.ok ? `strategy ${strategy.use}: ${unkept}` : asked.error
    state.strategy.suspended = why
    transition.emit({ type: 'strategySuspended', t: now, why })
    return null
  }

  #approve(transition: Transition, wanted: StrategyQuote | null, breaches: RuleBreach[]): void {
    const { state, now } = transition
    // Only a breached rule that closes a side asks for it.
    const inventoryImbalance = breaches.length === 0 ? 0 : this.#input.inventoryImbalance
    const approval = approve(wanted, breaches, state.latch, inventoryImbalance, approvalSettings(transition))
    const findings = approval.refusal === null ? breaches : [...breaches, approval.refusal]
    for (const clamp of approval.clamps) transition.emit({ type: 'clamped', t: now, ...clamp })
    noteRules(transition, findings)
    noteState(transition, approval.state, approval.target)
    state.decision = { at: now, tradingState: approval.state, findings }
    state.approvedTarget = approval.target
  }
}

/** What changes as time passes and nothing else happens. */
const TIMED = INPUTS.time | INPUTS.markouts

/** Two equal texts are equal memories; null = it is no plain data, and looking further could run the strategy's code. */
function memoryText(memory: StrategyMemory): string | null {
  return unkeptMemory(memory) === null ? encodeJson(memory) : null
}

/** Reports once that the strategy fell back, and once that it does no more. `before`: the fallback of the last wish. */
function noteFallback({ state, now, emit }: Transition, before: string | undefined): void {
  const fallback = state.strategy.wanted?.fallback
  if (fallback !== before) emit({ type: 'strategyFellBack', t: now, why: fallback ?? null })
}

function hasSafe(findings: readonly RuleBreach[]): boolean {
  for (const { effect } of findings) if (effect === 'safe') return true
  return false
}

/** What risk uses when it approves, from the configuration in force and the state. */
export function approvalSettings({ state }: Pick<Transition, 'state'>): ApprovalSettings {
  const { quote, risk, activation, rfq } = state.config
  const { mid } = state.market
  // A safe quote that the venue does not hold protects nothing: only leaving is left.
  const { halted } = state.latch
  const mustLeave = halted?.rule === 'quote-not-held'
  const cannotClose = !canCloseSides(state.quoting)
  return {
    orders:
      rfq === null ? null : { mid: mid === null ? null : rateToNumber(mid), minEdgeBps: rfq.minEdgeBps },
    safeBps: isWidenedToLeave(state) ? MAX_SPREAD_BPS : quote.safeBps,
    whenBothOff: quote.whenBothOff,
    onHalt: mustLeave || (cannotClose && halted?.rule === 'fill-price') ? 'deactivate' : risk.onHalt,
    mayDeactivate: !isWalletStrange(state) && (mustLeave || activation === 'auto'),
    ...(cannotClose && { cannotClose }),
  }
}

function latchHalt(transition: Transition, findings: readonly RuleBreach[]): void {
  const { latch } = transition.state
  const breach = findings.find((finding) => finding.effect === 'halt')
  if (breach === undefined || latch.halted !== null) return
  halt(latch, breach.rule, breach.message, transition.now)
  transition.halt(breach.rule, `trading is halted: ${breach.message}`)
}

/** Says a rule once when it begins to bind and once when it lets go. */
function noteRules(transition: Transition, findings: readonly RuleBreach[]): void {
  const { state, now, emit, inform } = transition
  if (findings.length === 0 && state.activeRules.length === 0) return
  const rules: string[] = []
  for (const { rule, limit, actual, message: why, effect } of findings) {
    if (rules.includes(rule)) continue
    rules.push(rule)
    const isOpen = (effect === 'bid-off' || effect === 'ask-off') && !canCloseSides(state.quoting)
    const message = isOpen ? `${why}; the side cannot be closed at this venue: ${MAX_SPREAD_BPS} bps` : why
    if (!state.activeRules.includes(rule)) emit({ type: 'refusal', t: now, rule, limit, actual, message })
  }
  for (const rule of state.activeRules) {
    if (rules.includes(rule)) continue
    inform(rule, `${rule} has lifted`)
  }
  state.activeRules = rules
}

function noteState(transition: Transition, to: TradingState, target: Target): void {
  const from = transition.state.decision?.tradingState ?? null
  if (from === to) return
  const why = target.because[0] ?? ''
  transition.emit({ type: 'tradingStateChanged', t: transition.now, from: from ?? 'ACTIVE', to, why })
}

/**
 * A fresh memory for the strategy and a new chance for a suspended one. `paramsBefore`: only parameters changed since, so that
 * wrapped strategies that were not changed keep theirs.
 */
export function reviveStrategy(transition: Transition, paramsBefore?: unknown): void {
  const { state, now, strategy } = transition
  const { memory, suspended } = state.strategy
  state.strategy.suspended = null
  state.strategy.wanted = null
  try {
    const isChange = paramsBefore !== undefined && memory !== null && suspended === null
    state.strategy.memory = isChange
      ? memoryAfterChange(strategy, { params: paramsBefore, memory })
      : freshMemory(strategy)
  } catch (thrown) {
    if (thrown instanceof StrategyLost) throw thrown
    const why = `strategy ${strategy.use} threw in init: ${thrownText(thrown)}`
    state.strategy.memory = null
    state.strategy.suspended = why
    transition.emit({ type: 'strategySuspended', t: now, why })
  }
  const { use, params, sourceHash } = state.config.strategy
  transition.emit({ type: 'strategyLoaded', t: now, use, params, sourceHash })
}
