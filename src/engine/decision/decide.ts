import { askStrategy, StrategyLost, thrownText } from '../../strategy/ask-strategy.ts'
import { freshMemory, memoryAfterChange, unkeptMemory } from '../../strategy/memory.ts'
import { MAX_SPREAD_BPS } from '../../money/bps.ts'
import { rateToNumber } from '../../money/rate.ts'
import { midAge } from '../../market/market-state.ts'
import { hasPairMids } from '../../market/pair-mids.ts'
import { isLossSurelyWithin } from '../../ledger/book/loss-filter.ts'
import { volumeLastDay } from '../accounting/flow.ts'
import { isWidenedToLeave } from '../activation/drain.ts'
import { canCloseSides } from '../../quoting/quote-state.ts'
import { approve } from '../../risk/approve.ts'
import type { ApprovalSettings, Target } from '../../risk/approval.ts'
import { assess } from '../../risk/assess.ts'
import type { RuleBreach } from '../../risk/rule-breach.ts'
import type { Cause } from '../../strategy/context.ts'
import type { StrategyQuote } from '../../strategy/define-strategy.ts'
import { isSameQuote, noteFallback } from './compare-wishes.ts'
import { dither, nextDecisionAt } from './schedule.ts'
import { beginFairShift } from '../market/fair-shift.ts'
import { feedsOf, judgeFeeds } from '../market/on-reference.ts'
import { isWalletStrange } from '../safeguards/foreign-writes.ts'
import { type InventoryShare, LazyInventoryShare } from './inventory-share.ts'
import type { CoreConfig } from '../model/config.ts'
import type { TradingState } from '../model/observation.ts'
import type { EngineState } from '../model/state.ts'
import { endReviewOverride } from '../safeguards/review.ts'
import { createContextProvider } from './strategy-context.ts'
import type { LastQuestion } from './last-question.ts'
import { RiskReading } from './risk-input.ts'
import type { Transition } from '../transition.ts'
import { halt } from '../../risk/latch.ts'

/**
 * Events between two looks at the whole memory, besides the quarter of a minute of the timer: looking through a long
 * one costs more than the decision, and no snapshot is written of one that cannot be kept.
 */
const MEMORY_CHECK_EVERY = 16

/**
 * Decides for one core. The rules are evaluated at every decision. The strategy is asked when an input that it read has
 * changed, or its memory has; risk approves when the wish or a rule is another one. What is left out would have brought
 * the same: a shadow run that leaves out nothing is compared by test.
 */
export class Decider {
  readonly #contexts = createContextProvider()
  readonly #state: EngineState
  readonly #input: RiskReading
  readonly #share: LazyInventoryShare
  readonly #isShadow: boolean
  /** A wish that was approved as it is, with no rule breached, and what came of it; null = the last approval was another one. */
  #plain: {
    readonly wanted: StrategyQuote
    readonly config: CoreConfig
    readonly stance: Target
    readonly canClose: boolean
  } | null = null
  /** Whether that approval is the last decision, with nothing but events of the market since; and what it saw of the market. */
  #isQuiet = false
  #quotable: boolean | null = null

  /** `isShadow`: leave out nothing. */
  constructor(state: EngineState, isShadow = false) {
    this.#state = state
    this.#input = new RiskReading(state)
    this.#share = new LazyInventoryShare(state.book)
    this.#isShadow = isShadow
  }

  /**
   * The decision of this transition: what the rules say, what the strategy wants, what risk approves. Halts are
   * latched here. What is approved may stand at the venue from now on.
   */
  decide(transition: Transition, cause: Cause): void {
    const state = this.#state
    const { now } = transition
    if (state.decision !== null && this.#isAsBefore(transition)) {
      // At every decision, whether a rule reads it or not: it drops what is older than a day.
      volumeLastDay(state.flow, now)
      state.decision.at = now
    } else this.#decideAnew(transition, cause)
    const isTimeless = transition.polling === 'simulated' && !this.#contexts.changesWithTime()
    state.decideAt = nextDecisionAt(state, now, isTimeless)
  }

  /** An event that is not of the market: what it changes is not compared, so the next decision is made anew. */
  noteOther(): void {
    this.#isQuiet = false
  }

  /**
   * Whether the last decision would come out again after an answer that dates the mid, moves it, or shows another best: the
   * strategy read none of that, and no rule can be breached. Rules that time alone changes only lift, or have their moment
   * in `decideAt`. A mid that was taken is within the bounds of movement and the corridor; what it leaves to rules is its
   * age and what the position lost. All else rests on events of other kinds, after which nothing is quiet.
   */
  #isAsBefore({ now, seq, state }: Transition): boolean {
    const { market, config, decideAt, book } = state
    if (!this.#isQuiet || now >= decideAt || seq % MEMORY_CHECK_EVERY === 0) return false
    if (market.quotable !== this.#quotable || market.problem !== null || hasPairMids(market)) return false
    const { maxMidAgeMs, maxLossTzs, maxDrawdownTzs } = config.risk
    if (maxMidAgeMs !== null && (midAge(market, now) ?? 0) > maxMidAgeMs) return false
    const isLossLimited = maxLossTzs !== null || maxDrawdownTzs !== null
    if (isLossLimited && !isLossSurelyWithin(book, maxLossTzs, maxDrawdownTzs)) return false
    const share = this.#shareNow()
    return share !== null && this.#contexts.sameAnswer(state, share) !== null
  }

  #decideAnew(transition: Transition, cause: Cause): void {
    const state = this.#state
    judgeFeeds(transition)
    endReviewOverride(transition)
    const share = this.#shareNow()
    this.#input.show(transition.now, share)
    let findings = assess(this.#input, state.config.risk, state.config.inventory.limits)
    if (findings.length > 0) latchHalt(transition, findings)
    let wanted: StrategyQuote | null = null
    if (share !== null && state.latch.halted === null && !hasSafe(findings)) {
      wanted = this.#ask(transition, share, cause)
      // A strategy that has just failed is suspended at once, not at the next event.
      if (state.strategy.suspended !== null)
        findings = assess(this.#input, state.config.risk, state.config.inventory.limits)
    }
    if (!this.#stands(wanted, findings)) this.#approve(transition, wanted, findings)
    else if (state.decision !== null) state.decision.at = transition.now
    this.#isQuiet = !this.#isShadow && this.#plain !== null && this.#isUndisturbed()
    this.#quotable = state.market.quotable
  }

  /** When and why the strategy was asked last, and at how many decisions since it was not; null = not yet. */
  lastQuestion(): LastQuestion | null {
    return this.#contexts.lastQuestion()
  }

  /** Whether the plain approval is in force, and nothing is under way that the market alone, or time, brings to an end. */
  #isUndisturbed(): boolean {
    const { market, config, prices, review, strategy, stance } = this.#state
    if (stance !== this.#plain?.stance || strategy.suspended !== null || review !== undefined) return false
    if (feedsOf(config).length > 0 || market.estimate != null) return false
    if (market.problem !== null || market.pending !== null || market.refusal != null) return false
    if (hasPairMids(market)) return false
    return prices === undefined || (prices.breach === null && prices.suspects.length === 0)
  }

  #shareNow(): LazyInventoryShare | null {
    const { market, config } = this.#state
    if (market.mid === null) return null
    this.#share.show(market.mid, config.inventory.target)
    return this.#share
  }

  #ask(transition: Transition, share: InventoryShare, cause: Cause): StrategyQuote | null {
    const { state, strategy, now, seq } = transition
    const { memory } = state.strategy
    if (memory === null) return null
    let answer = this.#isShadow ? null : this.#contexts.sameAnswer(state, share)
    let why: string | null = null
    if (answer === null) {
      const asked = askStrategy(strategy, memory, this.#contexts.show(transition, share, cause))
      this.#contexts.close(memory, asked.ok ? asked.value : null)
      if (this.#contexts.readsFairShift()) beginFairShift(state)
      if (asked.ok) answer = asked.value
      else why = asked.error
    }
    const unkept = cause === 'timer' || seq % MEMORY_CHECK_EVERY === 0 ? unkeptMemory(memory) : null
    if (unkept !== null) {
      state.strategy.memory = null
      why ??= `strategy ${strategy.use}: ${unkept}`
    }
    if (answer !== null && why === null) {
      const fallback = state.strategy.wanted?.fallback
      state.strategy.wanted = this.#asBefore(dither(answer, state.config.quote, now))
      noteFallback(transition, fallback)
      return state.strategy.wanted
    }
    state.strategy.suspended = why
    transition.emit({ type: 'strategySuspended', t: now, why: why ?? '' })
    return null
  }

  /** The wish of the last approval where this one is equal to it: approving it again would bring an equal approval. */
  #asBefore(wanted: StrategyQuote): StrategyQuote {
    const last = this.#plain?.wanted
    return last !== undefined && !this.#isShadow && isSameQuote(last, wanted) ? last : wanted
  }

  /** Whether the last approval stands: the same wish as then, no rule breached now or then, nothing moved to a bound. */
  #stands(wanted: StrategyQuote | null, findings: readonly RuleBreach[]): boolean {
    const plain = this.#plain
    const state = this.#state
    if (plain === null || wanted === null || findings.length > 0 || this.#isShadow) return false
    const canClose = plain.canClose === canCloseSides(state.quoting)
    return (
      canClose && wanted === plain.wanted && state.config === plain.config && state.stance === plain.stance
    )
  }

  #approve(transition: Transition, wanted: StrategyQuote | null, breaches: RuleBreach[]): void {
    const { state, now } = transition
    // Only a breached rule that closes a side asks for it.
    const inventoryImbalance = breaches.length === 0 ? 0 : this.#input.inventoryImbalance
    const settings = approvalSettings(transition)
    const approval = approve(wanted, breaches, state.latch, inventoryImbalance, settings)
    const findings = approval.refusal === null ? breaches : [...breaches, approval.refusal]
    for (const clamp of approval.clamps) transition.emit({ type: 'clamped', t: now, ...clamp })
    noteRules(transition, findings)
    noteState(transition, approval.state, approval.stance)
    state.decision = { at: now, tradingState: approval.state, findings }
    state.stance = approval.stance
    const { stance, clamps } = approval
    const isPlain = approval.state === 'ACTIVE' && stance.kind === 'quote' && !stance.safety
    this.#plain =
      isPlain && wanted !== null && findings.length === 0 && clamps.length === 0 && settings.orders === null
        ? { wanted, config: state.config, stance, canClose: settings.cannotClose !== true }
        : null
  }
}

function hasSafe(findings: readonly RuleBreach[]): boolean {
  for (const { effect } of findings) if (effect === 'safe') return true
  return false
}

/** What risk goes by when it approves, from the configuration in force and the state. */
export function approvalSettings({ state }: Pick<Transition, 'state'>): ApprovalSettings {
  const { quote, risk, activation, rfq } = state.config
  const { mid } = state.market
  // A safe quote that the venue does not hold is none: only leaving is left.
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

function noteState(transition: Transition, to: TradingState, stance: Target): void {
  const from = transition.state.decision?.tradingState ?? null
  if (from === to) return
  const why = stance.because[0] ?? ''
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
