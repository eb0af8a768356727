import type { Ms } from '../../../base/time.ts'
import { askStrategy, StrategyLost, thrownText } from '../../strategy/ask-strategy.ts'
import { freshMemory, memoryAfterChange, unkeptMemory } from '../../strategy/memory.ts'
import type { Amounts } from '../../../base/money/asset.ts'
import { MAX_SPREAD_BPS } from '../../../base/money/bps.ts'
import { invariant } from '../../../base/result.ts'
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
import { updateFeeds } from '../market/on-reference.ts'
import { isWalletStrange } from '../safeguards/foreign-writes.ts'
import { type InventoryShare, inventoryShare } from './inventory-share.ts'
import type { TradingState } from '../model/observation.ts'
import type { EngineState } from '../model/state.ts'
import { endReviewOverride } from '../safeguards/review.ts'
import { ContextProvider } from './strategy-context.ts'
import type { LastQuestion } from './inputs-read.ts'
import { buildRiskInput } from './build-risk-input.ts'
import { takeCause } from './pending.ts'
import type { Transition } from '../transition.ts'
import { halt } from '../../risk/latch.ts'

/**
 * Takes the decisions of one core. Every decision evaluates every rule, asks the strategy unless its answer could change
 * nothing, and approves a target.
 */
export class Decider {
  readonly #contexts = new ContextProvider()
  #lastQuestion: LastQuestion | null = null

  /** Assesses the rules, asks the strategy and approves a target, which is valid from now on. Latches halts. */
  decide(transition: Transition, cause: Cause): void {
    const { state, now } = transition
    updateFeeds(transition)
    endReviewOverride(transition)
    const held = position(state.book)
    const share = shareNow(state, held)
    let breaches = assessRules(state, now, share, held)
    latchHalt(transition, breaches)
    let wanted: StrategyQuote | null = null
    if (share !== null && state.latch.halted === null && !breaches.some(({ effect }) => effect === 'safe')) {
      wanted = this.#ask(transition, share, cause)
      // A strategy that fails is suspended in the same decision.
      if (state.strategy.suspended !== null) breaches = assessRules(state, now, share, held)
    }
    approveTarget(transition, wanted, breaches, share)
    state.decideAt = nextDecisionAt(state, now)
  }

  /** Returns when the strategy was last asked, what it read and what it plots; null = not asked yet. */
  lastQuestion(): LastQuestion | null {
    return this.#lastQuestion
  }

  #ask(transition: Transition, share: InventoryShare, cause: Cause): StrategyQuote | null {
    const { state, strategy, now } = transition
    const { memory } = state.strategy
    if (memory === null) return null
    const asked = askStrategy(strategy, memory, this.#contexts.show(transition, share, cause))
    this.#lastQuestion = this.#contexts.end(asked.ok ? asked.value.plot : undefined)
    if (this.#contexts.readsFairShift) beginFairShift(state)
    const unkept = unkeptMemory(memory)
    if (unkept !== null) state.strategy.memory = null
    if (asked.ok && unkept === null) {
      const fallback = state.strategy.wanted?.fallback
      state.strategy.wanted = dither(withoutPlot(asked.value), state.config.quote, now)
      reportFallback(transition, fallback)
      return state.strategy.wanted
    }
    const why = asked.ok ? `strategy ${strategy.use}: ${unkept}` : asked.error
    state.strategy.suspended = why
    transition.emit({ type: 'strategySuspended', t: now, why })
    return null
  }
}

/** A plot is for research: neither state, journal nor digest has it. */
function withoutPlot(quote: StrategyQuote): StrategyQuote {
  if (quote.plot === undefined) return quote
  const { plot: _, ...kept } = quote
  return kept
}

/** Takes the pending decision at `at` with the result of the last one, for a caller that knows that both are equal (see `horizonOf`). */
export function repeatDecision(state: EngineState, at: Ms): void {
  const { decision } = state
  invariant(decision !== null, 'no decision was taken that can be repeated')
  takeCause(state)
  state.decision = { ...decision, at }
  state.decideAt = nextDecisionAt(state, at, state.now)
}

function shareNow({ market, config }: EngineState, held: Amounts): InventoryShare | null {
  return market.mid === null ? null : inventoryShare(held, market.mid, config.inventory.target)
}

function assessRules(state: EngineState, now: Ms, share: InventoryShare | null, held: Amounts): RuleBreach[] {
  return assess(buildRiskInput(state, now, share, held), state.config.risk, state.config.inventory.limits)
}

function approveTarget(
  transition: Transition,
  wanted: StrategyQuote | null,
  breaches: RuleBreach[],
  share: InventoryShare | null,
): void {
  const { state, now } = transition
  const approval = approve(wanted, breaches, state.latch, share?.imbalance ?? 0, approvalSettings(transition))
  const findings = approval.refusal === null ? breaches : [...breaches, approval.refusal]
  for (const clamp of approval.clamps) transition.emit({ type: 'clamped', t: now, ...clamp })
  reportRules(transition, findings)
  reportTradingState(transition, approval.state, approval.target)
  state.decision = { at: now, tradingState: approval.state, findings }
  state.approvedTarget = approval.target
}

/** Reports once when the strategy falls back and once when it stops. `before`: the fallback of its previous quote. */
function reportFallback({ state, now, emit }: Transition, before: string | undefined): void {
  const fallback = state.strategy.wanted?.fallback
  if (fallback !== before) emit({ type: 'strategyFellBack', t: now, why: fallback ?? null })
}

/** Returns the settings of an approval from the configuration in force and the state. */
export function approvalSettings({ state }: Pick<Transition, 'state'>): ApprovalSettings {
  const { quote, risk, activation, rfq } = state.config
  const { mid } = state.market
  // A safe quote that is not live at the venue protects nothing, so the position must leave the market.
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
    cannotClose,
  }
}

function latchHalt(transition: Transition, findings: readonly RuleBreach[]): void {
  const { latch } = transition.state
  const breach = findings.find((finding) => finding.effect === 'halt')
  if (breach === undefined || latch.halted !== null) return
  halt(latch, breach.rule, breach.message, transition.now)
  transition.halt(breach.rule, `trading is halted: ${breach.message}`)
}

/** Reports each rule once when it is breached and once when the breach has lifted. */
function reportRules(transition: Transition, findings: readonly RuleBreach[]): void {
  const { state, now, emit, inform } = transition
  if (findings.length === 0 && state.activeRules.length === 0) return
  const rules: string[] = []
  for (const { rule, limit, actual, message: why, effect } of findings) {
    if (rules.includes(rule)) continue
    rules.push(rule)
    const isOpen = (effect === 'bid-off' || effect === 'ask-off') && !canCloseSides(state.quoting)
    const message = isOpen
      ? `${why}; this venue cannot close the side, so it is quoted at ${MAX_SPREAD_BPS} bps`
      : why
    if (!state.activeRules.includes(rule)) emit({ type: 'refusal', t: now, rule, limit, actual, message })
  }
  for (const rule of state.activeRules) {
    if (rules.includes(rule)) continue
    inform(rule, `${rule} has lifted`)
  }
  state.activeRules = rules
}

function reportTradingState(transition: Transition, to: TradingState, target: Target): void {
  const from = transition.state.decision?.tradingState ?? null
  if (from === to) return
  const why = target.because[0] ?? ''
  transition.emit({ type: 'tradingStateChanged', t: transition.now, from: from ?? 'ACTIVE', to, why })
}

/**
 * Gives the strategy a fresh memory and lifts its suspension. `paramsBefore`: only the parameters have changed, so wrapped
 * strategies with unchanged parameters keep their memory.
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
