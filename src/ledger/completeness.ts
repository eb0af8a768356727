import type { Ms } from '../base/time.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import type { BookState, Where } from './book.ts'
import { createFeeLearning, noteFee, type FeeLearning, type FeeModel, type PostedFill } from './fee-model.ts'
import type { FillAdmission } from './admit-fills.ts'
import { createFillMemory, type FillMemory } from './fill-memory.ts'
import type { CompletenessVerdict, Instruction } from './instruction.ts'
import { judgeReading } from './judge-reading.ts'
import { forgetReadings, say } from './verdict.ts'

/** How strict and how patient to be; from the configuration. */
export type CompletenessSettings = {
  /** So many quiet readings in a row with the same difference make it a fact. */
  readonly confirmations: number
  /** An unexplained inflow up to this many base units is dust. */
  readonly dustUnits: Readonly<Amounts>
}

/** One answered fills poll and what it added. */
export type PollRecord = {
  readonly t: Ms
  /** Rows never seen before, posted or not. */
  readonly fresh: number
  readonly fills: readonly PostedFill[]
}

/** A balances answer that waits for the fills poll after it. */
export type Reading = {
  readonly sentAt: Ms
  readonly t: Ms
  readonly amounts: Readonly<Partial<Amounts>>
  readonly where: Where
}

/** What the proof that nothing is missing rests on. Plain data, part of the core's snapshot. */
export type CompletenessState = {
  state: CompletenessVerdict
  why: string
  /** Venue minus ledger, once confirmed. */
  unexplained: Partial<Amounts>
  /** True once the opening was asked for: from then on fills are posted. */
  opened: boolean
  /** Assets the venue has mentioned since the opening; another one is opened when it first appears. */
  mentioned: Partial<Record<Asset, true>>
  memory: FillMemory
  fees: FeeLearning
  /** The latest polls, oldest first, at most `KEPT_POLLS`. */
  polls: PollRecord[]
  reading: Reading | null
  /** Readings asked for before this may straddle a move of our own and are not compared. */
  voidBefore: Ms
  /** After a sweep: tokens that were in the wallet unseen turn up as an inflow. */
  sweepPending: boolean
  /** Differences that every reading of this run could be explained by. */
  suspects: Partial<Amounts>[]
  run: number
  /** No reading of this run had fills around it. */
  quiet: boolean
  matchedAt: Ms | null
}

export const KEPT_POLLS = 8

export function createCompleteness(feeModel: FeeModel = 'from-position'): CompletenessState {
  return {
    state: 'checking',
    why: 'the opening is not known yet',
    unexplained: {},
    opened: false,
    mentioned: {},
    memory: createFillMemory(),
    fees: createFeeLearning(feeModel),
    polls: [],
    reading: null,
    voidBefore: 0,
    sweepPending: false,
    suspects: [],
    run: 0,
    quiet: true,
    matchedAt: null,
  }
}

/** A fills answer after its new rows were posted. */
export type FillsPolled = {
  readonly t: Ms
  readonly sentAt: Ms
  readonly repeated: number
  readonly windowFull: boolean
  readonly admission: FillAdmission
  /** What was posted of `admission.fresh`, in that order. */
  readonly posted: readonly PostedFill[]
  /** The book's accounts, with `posted` in them. */
  readonly accounts: BookState['accounts']
  readonly settings: CompletenessSettings
  /** Withdrawals whose outcome is unknown: an outflow of exactly one of them is that withdrawal. */
  readonly unknownWithdrawals: readonly { readonly asset: Asset; readonly amount: bigint }[]
}

/** A fills poll was answered: checks that it overlaps, and judges the reading it closes. */
export function onFillsPolled(state: CompletenessState, polled: FillsPolled): Instruction[] {
  const out: Instruction[] = []
  const before = polled.admission.seenBefore
  const overlaps = polled.repeated > 0 || before > 0 || !polled.windowFull
  const everPolled = state.polls.length > 0
  for (const fill of polled.posted) noteFee(state.fees, fill)
  state.polls.push({ t: polled.t, fresh: polled.admission.added, fills: polled.posted })
  if (state.polls.length > KEPT_POLLS) state.polls.shift()
  if (everPolled && !overlaps) {
    // What a reading before this poll would prove ends before the hole: only a new one can close it.
    forgetReadings(state, polled.t)
    if (state.opened) say(state, out, 'gap', 'fills may have been missed: no row is known', {})
    out.push({ do: 'ask', what: 'balances', why: 'only the balances can tell whether fills were missed' })
    return out
  }
  const { reading } = state
  if (reading === null) {
    if (!state.opened || state.state === 'checking') {
      out.push({ do: 'ask', what: 'balances', why: state.why })
    }
    return out
  }
  if (polled.sentAt < reading.t) {
    out.push({ do: 'ask', what: 'fills', why: 'the balances were read after this poll was sent' })
    return out
  }
  state.reading = null
  judgeReading(state, reading, polled, out)
  return out
}

/** A balances answer. */
export type BalancesRead = {
  readonly t: Ms
  readonly sentAt: Ms
  readonly amounts: Readonly<Partial<Amounts>>
  readonly source: Where | null
  readonly isActive: boolean | null
  /** An activation or a withdrawal is in flight. */
  readonly busy: boolean
}

/** Balances were answered: they are kept until the next fills poll can tell what they must equal. */
export function onBalances(state: CompletenessState, read: BalancesRead): Instruction[] {
  const believed = read.isActive === null ? null : read.isActive ? 'pool' : 'wallet'
  const where = read.source ?? believed
  if (read.busy || read.sentAt < state.voidBefore) return []
  if (where === null || (believed !== null && where !== believed)) {
    return [{ do: 'ask', what: 'account', why: 'whether the position is active is not clear' }]
  }
  if (!state.polls.some((poll) => poll.t <= read.sentAt)) {
    return [{ do: 'ask', what: 'fills', why: 'balances mean nothing without a fills poll before them' }]
  }
  state.reading = { sentAt: read.sentAt, t: read.t, amounts: read.amounts, where }
  return state.opened && state.state === 'complete'
    ? []
    : [{ do: 'ask', what: 'fills', why: 'a fills poll after the balances shows what they must equal' }]
}

/**
 * The ledger was moved by something other than a fill (own transfer, sweep, the operator's booking):
 * readings that were under way are void. A confirmed difference is looked at afresh.
 */
export function noteMoved(state: CompletenessState, t: Ms): void {
  forgetReadings(state, t)
}

/** An activation's outcome is known and its sweep was posted. */
export function noteActivation(state: CompletenessState, t: Ms, partial: boolean): void {
  forgetReadings(state, t)
  // What a partial deactivation returned went out of sight, so nothing new can come into sight with it.
  if (!partial) state.sweepPending = true
}

/** The operator had the unexplained difference booked: what remains must be proven again. */
export function noteSettled(state: CompletenessState, t: Ms, why: string): Instruction[] {
  const out: Instruction[] = []
  forgetReadings(state, t)
  say(state, out, 'checking', why, {})
  out.push({ do: 'ask', what: 'balances', why })
  return out
}
