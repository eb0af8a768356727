import { position } from '../../ledger/book/book.ts'
import { rateToNumber } from '../../money/rate.ts'
import { approve } from '../../risk/approve.ts'
import type { ApprovalSettings, Target } from '../../risk/approval.ts'
import type { Approved } from '../../risk/approved.ts'
import { assess } from '../../risk/assess.ts'
import type { RuleBreach } from '../../risk/rule-breach.ts'
import { askStrategy } from '../../strategy/ask-strategy.ts'
import type { Cause } from '../../strategy/context.ts'
import type { StrategyQuote } from '../../strategy/define-strategy.ts'
import { unkeptMemory } from '../../strategy/memory.ts'
import { dither } from './dither.ts'
import { judgeFeeds } from '../market/on-reference.ts'
import { isWalletStrange } from '../safeguards/foreign-writes.ts'
import { inventoryShare, type InventoryShare } from './inventory-share.ts'
import { nextDecisionAt } from './schedule.ts'
import type { TradingState } from '../model/observation.ts'
import { endReviewOverride } from '../safeguards/review.ts'
import { riskInputOf } from './risk-input.ts'
import type { Transition } from '../transition.ts'

/**
 * Events between two looks at the whole memory, besides the quarter of a minute of the timer: looking through a long
 * one costs more than the decision, and no snapshot is written of one that cannot be kept.
 */
const MEMORY_CHECK_EVERY = 16

/**
 * The decision of this turn: what the rules say, what the strategy wants, what risk approves. Halts are
 * latched here. The answer is what may stand at the venue from now on.
 */
export function decide(turn: Transition, cause: Cause): Approved<Target> {
  const { state, now } = turn
  judgeFeeds(turn)
  endReviewOverride(turn)
  const { mid } = state.market
  const share = mid === null ? null : inventoryShare(position(state.book), mid, state.config.inventory.target)
  const input = riskInputOf(turn, share)
  let findings = assess(input, state.config.risk, state.config.inventory.limits)
  latchHalt(turn, findings)
  let wanted: StrategyQuote | null = null
  if (state.latch.halted === null && !findings.some((finding) => finding.effect === 'safe')) {
    wanted = share === null ? null : ask(turn, share, cause)
    // A strategy that has just failed is suspended at once, not at the next event.
    if (state.strategy.suspended !== null) {
      findings = assess(riskInputOf(turn, share), state.config.risk, state.config.inventory.limits)
    }
  }
  const approval = approve(wanted, findings, state.latch, input.inventoryImbalance, approvalSettings(turn))
  if (approval.refusal !== null) findings.push(approval.refusal)
  for (const clamp of approval.clamps) turn.observations.push({ type: 'clamped', t: now, ...clamp })
  noteRules(turn, findings)
  noteState(turn, approval.state, approval.stance)
  state.decision = { at: now, tradingState: approval.state, findings }
  state.stance = approval.stance
  state.decideAt = nextDecisionAt(state, now, turn.looks === 'given' && !turn.desk.changesWithTime())
  return approval.stance
}

function ask(turn: Transition, share: InventoryShare, cause: Cause): StrategyQuote | null {
  const { state, strategy, now } = turn
  if (state.strategy.memory === null) return null
  const { memory } = state.strategy
  const answer = askStrategy(strategy, memory, turn.desk.show(turn, share, cause))
  turn.desk.close(memory)
  const unkept = cause === 'timer' || turn.seq % MEMORY_CHECK_EVERY === 0 ? unkeptMemory(memory) : null
  if (unkept !== null) state.strategy.memory = null
  if (answer.ok && unkept === null) {
    state.strategy.wanted = dither(answer.value, state.config.quote, now)
    return state.strategy.wanted
  }
  const why = answer.ok ? `strategy ${strategy.use}: ${unkept}` : answer.error
  state.strategy.suspended = why
  turn.observations.push({ type: 'strategySuspended', t: now, why })
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

function latchHalt(turn: Transition, findings: readonly RuleBreach[]): void {
  const { latch } = turn.state
  const halt = findings.find((finding) => finding.effect === 'halt')
  if (halt === undefined || latch.halted !== null) return
  latch.halted = { rule: halt.rule, why: halt.message, since: turn.now }
  turn.observations.push({
    type: 'alert',
    t: turn.now,
    severity: 'critical',
    code: halt.rule,
    message: `trading is halted: ${halt.message}`,
  })
}

/** Says a rule once when it begins to bind and once when it lets go. */
function noteRules(turn: Transition, findings: readonly RuleBreach[]): void {
  const { state, now, observations } = turn
  const rules: string[] = []
  for (const { rule, limit, actual, message } of findings) {
    if (rules.includes(rule)) continue
    rules.push(rule)
    if (!state.activeRules.includes(rule))
      observations.push({ type: 'refusal', t: now, rule, limit, actual, message })
  }
  for (const rule of state.activeRules) {
    if (rules.includes(rule)) continue
    observations.push({ type: 'alert', t: now, severity: 'info', code: rule, message: `${rule} has lifted` })
  }
  state.activeRules = rules
}

function noteState(turn: Transition, to: TradingState, stance: Target): void {
  const from = turn.state.decision?.tradingState ?? null
  if (from === to) return
  const why = stance.because[0] ?? ''
  turn.observations.push({ type: 'tradingStateChanged', t: turn.now, from: from ?? 'ACTIVE', to, why })
}
