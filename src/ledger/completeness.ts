import type { Ms } from '../base/time.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import type { Where } from './book.ts'
import { createFeeLearning, type FeeLearning } from './fee-learning.ts'
import type { FeeModel, PostedFill } from './fee-model.ts'
import { createFillMemory, type FillMemory } from './fill-memory.ts'
import type { CompletenessVerdict } from './instruction.ts'

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
  /** Balances in a row that could not be compared; absent (an older snapshot) = none. */
  incomparable?: number
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
