import { askStrategy, thrownText } from '../../strategy/ask-strategy.ts'
import { freshMemory, unkeptMemory } from '../../strategy/memory.ts'
import { position } from '../../ledger/book/book.ts'
import { rateToNumber } from '../../money/rate.ts'
import { approve } from '../../risk/approve.ts'
import type { ApprovalSettings, Target } from '../../risk/approval.ts'
import { assess } from '../../risk/assess.ts'
import type { RuleBreach } from '../../risk/rule-breach.ts'
import type { Cause } from '../../strategy/context.ts'
import type { StrategyQuote } from '../../strategy/define-strategy.ts'
import { dither, nextDecisionAt } from './schedule.ts'
import { judgeFeeds } from '../market/on-reference.ts'
import { isWalletStrange } from '../safeguards/foreign-writes.ts'
import { inventoryShare, type InventoryShare } from './inventory-share.ts'
import type { TradingState } from '../model/observation.ts'
import { endReviewOverride } from '../safeguards/review.ts'
import type { ContextProvider } from './strategy-context.ts'
import { riskInputOf } from './risk-input.ts'
import type { Transition } from '../transition.ts'
import { halt } from '../../risk/latch.ts'

/**
 * Events between two looks at the whole memory, besides the quarter of a minute of the timer: looking through a long
 * one costs more than the decision, and no snapshot is written of one that cannot be kept.
 */
const MEMORY_CHECK_EVERY = 16

/**
 * The decision of this transition: what the rules say, what the strategy wants, what risk approves. Halts are
 * latched here. What is approved may stand at the venue from now on.
 */
export function decide(transition: Transition, contexts: ContextProvider, cause: Cause): void {
  const { state, now } = transition
  judgeFeeds(transition)
  endReviewOverride(transition)
  const { mid } = state.market
  const share = mid === null ? null : inventoryShare(position(state.book), mid, state.config.inventory.target)
  const input = riskInputOf(transition, share)
  let findings = assess(input, state.config.risk, state.config.inventory.limits)
  latchHalt(transition, findings)
  let wanted: StrategyQuote | null = null
  if (state.latch.halted === null && !findings.some((finding) => finding.effect === 'safe')) {
    wanted = share === null ? null : ask(transition, contexts, share, cause)
    // A strategy that has just failed is suspended at once, not at the next event.
    if (state.strategy.suspended !== null) {
      findings = assess(riskInputOf(transition, share), state.config.risk, state.config.inventory.limits)
    }
  }
  const approval = approve(
    wanted,
    findings,
    state.latch,
    input.inventoryImbalance,
    approvalSettings(transition),
  )
  if (approval.refusal !== null) findings.push(approval.refusal)
  for (const clamp of approval.clamps) transition.emit({ type: 'clamped', t: now, ...clamp })
  noteRules(transition, findings)
  noteState(transition, approval.state, approval.stance)
  state.decision = { at: now, tradingState: approval.state, findings }
  state.stance = approval.stance
  state.decideAt = nextDecisionAt(
    state,
    now,
    transition.polling === 'simulated' && !contexts.changesWithTime(),
  )
}

function ask(
  transition: Transition,
  contexts: ContextProvider,
  share: InventoryShare,
  cause: Cause,
): StrategyQuote | null {
  const { state, strategy, now } = transition
  if (state.strategy.memory === null) return null
  const { memory } = state.strategy
  const answer = askStrategy(strategy, memory, contexts.show(transition, share, cause))
  contexts.close(memory)
  const unkept = cause === 'timer' || transition.seq % MEMORY_CHECK_EVERY === 0 ? unkeptMemory(memory) : null
  if (unkept !== null) state.strategy.memory = null
  if (answer.ok && unkept === null) {
    state.strategy.wanted = dither(answer.value, state.config.quote, now)
    return state.strategy.wanted
  }
  const why = answer.ok ? `strategy ${strategy.use}: ${unkept}` : answer.error
  state.strategy.suspended = why
  transition.emit({ type: 'strategySuspended', t: now, why })
  return null
}

function approvalSettings({ state }: Transition): ApprovalSettings {
  const { quote, risk, activation, rfq } = state.config
  const { mid } = state.market
  // A safe quote that the venue does not hold is none: only leaving is left.
  const mustLeave = state.latch.halted?.rule === 'quote-not-held'
  return {
    orders:
      rfq === null ? null : { mid: mid === null ? null : rateToNumber(mid), minEdgeBps: rfq.minEdgeBps },
    safeBps: quote.safeBps,
    whenBothOff: quote.whenBothOff,
    onHalt: mustLeave ? 'deactivate' : risk.onHalt,
    mayDeactivate: !isWalletStrange(state) && (mustLeave || activation === 'auto'),
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
  const rules: string[] = []
  for (const { rule, limit, actual, message } of findings) {
    if (rules.includes(rule)) continue
    rules.push(rule)
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

/** A fresh memory for the strategy and a new chance for a suspended one. */
export function reviveStrategy(transition: Transition): void {
  const { state, now, strategy } = transition
  state.strategy.suspended = null
  state.strategy.wanted = null
  try {
    state.strategy.memory = freshMemory(strategy)
  } catch (thrown) {
    const why = `strategy ${strategy.use} threw in init: ${thrownText(thrown)}`
    state.strategy.memory = null
    state.strategy.suspended = why
    transition.emit({ type: 'strategySuspended', t: now, why })
  }
  const { use, params, sourceHash } = state.config.strategy
  transition.emit({ type: 'strategyLoaded', t: now, use, params, sourceHash })
}
