import { admitFills } from '../ledger/admit-fills.ts'
import {
  poolAmounts,
  postAdjustment,
  postSweep,
  postTransfer,
  walletAmounts,
  type Where,
} from '../ledger/book.ts'
import { carryOut } from '../ledger/carry-out.ts'
import { noteActivation, noteMoved, noteSettled, onBalances, onFillsPolled } from '../ledger/completeness.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import type { Instruction } from '../ledger/instruction.ts'
import { ASSETS, type Asset } from '../money/asset.ts'
import { demand } from '../pacing/demand.ts'
import type { EngineState } from './engine-state.ts'
import type { BalancesEvent, FillsEvent, WithdrawnEvent } from './event.ts'
import { bookFill } from './book-fill.ts'
import { wantDecision, type Turn } from './turn.ts'

/** So many quiet readings in a row with the same difference make it a fact. */
const CONFIRMATIONS = 2

/** GET /fills: every new row is booked once, what cannot be judged is said, completeness is judged. */
export function handleFills(turn: Turn, event: FillsEvent): void {
  const { state, now } = turn
  state.heard.fills = true
  const admission = admitFills(state.completeness, event.fills)
  const posted = admission.fresh.map((fill) => bookFill(turn, fill))
  for (const row of event.quarantined) turn.observations.push({ type: 'rowQuarantined', t: now, row })
  for (const fill of [...admission.changed, ...admission.tooOld]) {
    const reason = admission.changed.includes(fill)
      ? 'the venue changed a fill that was booked already'
      : 'older than the fills that are remembered'
    turn.observations.push({ type: 'rowQuarantined', t: now, row: { id: fill.id, reason, raw: fill.raw } })
  }
  if (posted.length > 0) {
    // A fill outside the pattern of the balances is found by comparing at once, not at the next round.
    demand(state.pacing, 'balances')
    wantDecision(turn, 'fill')
  }
  follow(
    turn,
    onFillsPolled(state.completeness, {
      t: now,
      sentAt: event.sentAt,
      repeated: event.repeated,
      windowFull: event.windowFull,
      admission,
      posted,
      accounts: state.book.accounts,
      settings: { confirmations: CONFIRMATIONS, dustUnits: state.config.risk.dustUnits },
      unknownWithdrawals: state.withdrawals.unknown,
    }),
  )
}

/** GET /balances: kept until the next fills poll can tell what they must equal. */
export function handleBalances(turn: Turn, event: BalancesEvent): void {
  const { state, now } = turn
  state.heard.balances = true
  const withdrawing = Object.values(state.requests).some((request) => request.what === 'withdraw')
  follow(
    turn,
    onBalances(state.completeness, {
      t: now,
      sentAt: event.sentAt,
      amounts: event.amounts,
      source: event.source,
      isActive: state.activation.isActive,
      busy: isSweeping(state) || withdrawing,
    }),
  )
}

/** A sweep is under way, or may be: its call had no clear answer and the account has not told yet. */
function isSweeping({ activation }: EngineState): boolean {
  return activation.inFlight !== null || (activation.isActive === null && activation.failures > 0)
}

/** A withdrawal that the venue confirmed: our own money across our own border. */
export function handleWithdrawn(turn: Turn, event: WithdrawnEvent): void {
  const { state, now } = turn
  const reason = `withdrawn, ${event.txHash ?? 'no transaction named'}`
  say(
    turn,
    postTransfer(
      state.book,
      now,
      'withdrawal',
      event.asset,
      event.amount,
      'wallet',
      reason,
      state.market.mid,
    ),
  )
  noteMoved(state.completeness, now)
  turn.observations.push({ type: 'withdrawn', t: now, text: reason, txHash: event.txHash })
  demand(state.pacing, 'balances')
}

/** The position moved between wallet and pool; null = everything did. */
export function movePosition(turn: Turn, move: { to: Where; assets: readonly Asset[] | null }): void {
  const { state, now } = turn
  const from = move.to === 'pool' ? 'wallet' : 'pool'
  const held = from === 'pool' ? poolAmounts(state.book) : walletAmounts(state.book)
  const moving = ASSETS.filter((asset) => held[asset] !== 0n && (move.assets?.includes(asset) ?? true))
  if (moving.length > 0) {
    const reason = move.to === 'pool' ? 'activation swept the wallet' : 'deactivation returned the tokens'
    say(turn, postSweep(state.book, now, from, moving, reason))
  }
  noteActivation(state.completeness, now, move.assets !== null)
}

/** The operator says what the unexplained difference is; it is booked as that, per asset. */
export function bookUnexplained(turn: Turn, as: 'adjustment' | 'deposit' | 'withdrawal', by: string): void {
  const { state, now } = turn
  const { book, market, completeness } = state
  const where: Where = state.activation.isActive === true ? 'pool' : 'wallet'
  for (const asset of ASSETS) {
    const amount = completeness.unexplained[asset] ?? 0n
    if (amount === 0n) continue
    const entry =
      as === 'adjustment'
        ? postAdjustment(book, now, asset, amount, where, by, market.mid)
        : postTransfer(book, now, as, asset, as === 'deposit' ? amount : -amount, where, by, market.mid)
    say(turn, entry)
  }
  follow(turn, noteSettled(completeness, now, `booked as ${as} by ${by}`))
}

/** Carries out what completeness asks for. */
function follow(turn: Turn, instructions: readonly Instruction[]): void {
  const { state, now } = turn
  for (const instruction of instructions) {
    const entry = carryOut(state.book, now, instruction, state.market.mid)
    if (entry !== null) say(turn, entry)
    if (instruction.do === 'ask') demand(state.pacing, instruction.what)
    if (instruction.do === 'open') wantDecision(turn, 'balances')
    if (instruction.do === 'book') settleWithdrawal(turn, instruction)
    if (instruction.do === 'say-fee-model') {
      turn.observations.push({
        type: 'feeModelChanged',
        t: now,
        model: instruction.model,
        why: instruction.why,
      })
    }
    if (instruction.do === 'say-state') {
      const { state: verdict, why, unexplained } = instruction
      state.completenessSince = now
      // A gap ends when the books are proven complete, not while they are being looked at again.
      if (verdict === 'gap') state.gapSince ??= now
      if (verdict === 'complete') state.gapSince = null
      turn.observations.push({ type: 'completenessChanged', t: now, state: verdict, why, unexplained })
      wantDecision(turn, 'balances')
    }
  }
}

/** The balances told that a withdrawal without an answer did go out. */
function settleWithdrawal(turn: Turn, booked: Extract<Instruction, { do: 'book' }>): void {
  if (booked.kind !== 'withdrawal') return
  const { unknown } = turn.state.withdrawals
  const at = unknown.findIndex(({ asset, amount }) => asset === booked.asset && amount === booked.amount)
  if (at >= 0) unknown.splice(at, 1)
}

function say(turn: Turn, entry: LedgerEntry): void {
  turn.observations.push({ type: 'entryPosted', entry })
}
