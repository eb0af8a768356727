import type { Ms } from '../base/time.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import type { Where } from './book.ts'
import { createFeeLearning, type FeeLearning } from './fee-learning.ts'
import type { FeeModel, PostedFill } from './fee-model.ts'
import type { ForeignLoss } from './foreign-loss.ts'
import type { ChainAsset } from './other-chain.ts'
import { createFillMemory, type FillMemory } from './fill-memory.ts'
import type { CompletenessVerdict } from './instruction.ts'

/** How strict and how patient to be; from the configuration. */
export type CompletenessSettings = {
  /** This many quiet readings in a row with the same difference confirm it. */
  readonly confirmations: number
  /** A reading that nothing has explained for this long, of answered time, is a break. */
  readonly graceMs: Ms
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

/** A balances answer that no row received so far explains; a row that arrives later still may. */
export type PendingReading = Reading & {
  /** The answered clock when the fills poll after it was judged. */
  readonly since: Ms
  /** How many rows had been posted when its balances were asked for. */
  readonly base: number
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
  /** Balances in a row that could not be compared; absent (an older snapshot) = none. */
  incomparable?: number
  /** Readings that wait for the row that explains them, oldest first, at most `KEPT_READINGS`. */
  pending: PendingReading[]
  /** Readings explained in a row. */
  explainedInRow: number
  /** The latest posted rows, oldest first, at most `KEPT_ROWS`, and how many were ever posted. */
  rows: PostedFill[]
  postedRows: number
  /** Time during which the venue answered and no move of our own was under way; and when it last answered. */
  answeredMs: Ms
  answeredAt: Ms | null
  /** The answered clock at the first reading of which no later proof exists; null = proven. */
  unprovenSince: Ms | null
  /** The books were unproven for longer than is allowed in all. */
  isOverdue: boolean
  /** What the latest reading lost that no fill could have taken; null = nothing. */
  foreign: ForeignLoss | null
  /** The protocol fee that would explain the latest unexplained reading, though no source names it. */
  fittedFeeBps: number | null
  /** Where the balances last showed a fill whose row names no chain; absent = as the row was read. */
  bareChain?: ChainAsset
}

export const KEPT_POLLS = 8
/** Unexplained readings that are kept. With more of them the oldest stay, and the newest. */
export const KEPT_READINGS = 16
/** Rows that are kept to put them into the order of their execution. */
export const KEPT_ROWS = 400

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
    pending: [],
    explainedInRow: 0,
    rows: [],
    postedRows: 0,
    answeredMs: 0,
    answeredAt: null,
    unprovenSince: null,
    isOverdue: false,
    foreign: null,
    fittedFeeBps: null,
  }
}

/** A snapshot of a version without pending readings goes on from its ledger; its readings are asked for anew. */
export function restoreCompleteness(
  known: Partial<CompletenessState> & Omit<CompletenessState, 'pending'>,
): CompletenessState {
  const fees = { ...createFeeLearning(known.fees.model), ...known.fees }
  if (known.pending !== undefined) return { ...createCompleteness(), ...known, fees }
  return { ...createCompleteness(), ...known, fees, polls: [], reading: null }
}
