import { type Amounts, type Asset, ASSETS, type BookAmount, TOKEN_UNIT } from '../../../base/money/asset.ts'
import type { BookState, Location } from '../book/book.ts'
import type { Difference } from '../../../base/money/difference.ts'
import type { Ms } from '../../../base/time.ts'
import type { Rate } from '../../../base/money/rate.ts'
import { createFeeLearning, type FeeLearning, type FeeModel, type PostedFill } from '../fills/fees.ts'
import { createFillDedupCache, type FillDedupCache } from '../fills/dedupe.ts'
import type { ChainAsset } from '../fills/other-chain.ts'
import type { ReconciliationStatus } from './actions.ts'

/** The settings of the reconciliation. */
export type ReconciliationSettings = {
  /** The number of readings in a row without fills that confirm a difference. */
  readonly confirmations: number
  /** A reading that stays unexplained for this much answered time is a break. */
  readonly graceMs: Ms
  /** An unreconciled inflow up to this amount is dust. */
  readonly dustUnits: Readonly<Amounts>
}

/** One answered fills poll and its rows. */
type PollRecord = {
  readonly t: Ms
  /** Rows never seen before, posted or not. */
  readonly fresh: number
  readonly fills: readonly PostedFill[]
}

/** A balances answer that waits for the fills poll after it. */
export type BalanceSnapshot = {
  readonly sentAt: Ms
  readonly t: Ms
  readonly amounts: Readonly<Partial<Amounts>>
  readonly where: Location
}

/** A balances answer that the rows so far do not explain; a later row still may. */
export type PendingSnapshot = BalanceSnapshot & {
  /** The answered clock when the fills poll after it was judged. */
  readonly since: Ms
  /** Number of rows that had been posted when its balances were requested. */
  readonly base: number
}

/** Readings in a row that no fill at our recent quotes could explain. Plain data, part of the snapshot. */
type ForeignLoss = {
  readonly readings: number
  /** Venue minus ledger in the latest of them. */
  readonly difference: Partial<Amounts>
}

/** A figure in the venue's answers that cannot be parsed. */
type UnreadableFigure = {
  /** Names the route, the field and the defect. */
  readonly why: string
  /** The answered clock when it began, or when a person last looked. */
  answeredMs: Ms
}

/** The unreadable parts of the venue's answers: while any exist, the position is not reconciled. Plain data, in snapshots. */
export type UnreadableState = {
  /** Keyed by the unreadable part: a poll (`balances`), a token in a poll (`balances USDT`), or a row of fills (`row #ID`). */
  figures: Record<string, UnreadableFigure>
  /** Rows that no longer count: a person accepted them, or they predate the opening. The oldest are dropped first. */
  accepted: string[]
  /** The tokens that the venue has stated, by source. */
  stated: Partial<Record<Location, readonly Asset[]>>
  /** The tokens of the latest reading that equalled the ledger. */
  covers: readonly Asset[]
  /** The balances equal the ledger, and only unreadable figures prevent the status `reconciled`. */
  isMatched: boolean
  /** Time in which the venue answered while something was unreadable, and when it last answered. */
  answeredMs: Ms
  answeredAt: Ms
}

/** A booked fill that was first seen after a deactivation was sent: the venue may not have paid it out. */
export type FillInCall = PostedFill & { readonly id: string }

/** One of our deactivations, from its first call until the wallet is explained. Plain data. */
type Deactivation = {
  /** Oldest first, the latest ones only. */
  fills: FillInCall[]
  /** Wallet balances computed from the returned amounts in the answers, where stated. */
  shown: Partial<Amounts>
}

/** The state of the reconciliation of ledger and balances. Plain data, part of the core's snapshot. */
export type ReconciliationState = {
  state: ReconciliationStatus
  why: string
  /** Venue minus ledger, once confirmed. */
  unreconciled: Partial<Amounts>
  /** True once the opening was requested: from then on fills are posted. */
  opened: boolean
  /** Assets that the venue has mentioned since the opening; other assets are opened when they first appear. */
  mentioned: Partial<Record<Asset, true>>
  memory: FillDedupCache
  fees: FeeLearning
  /** The latest polls, oldest first, at most `KEPT_POLLS`. */
  polls: PollRecord[]
  snapshot: BalanceSnapshot | null
  /** Readings that were requested before this may overlap a transfer of our own and are not compared. */
  voidBefore: Ms
  /** After a sweep, unseen tokens of the wallet appear as an inflow. */
  sweepPending: boolean
  /** True if an activation followed a deactivation before balances were read: its rounding shows in the pool. */
  returnUnread: boolean
  /** Differences that could explain every reading of this run. */
  candidates: Partial<Amounts>[]
  run: number
  /** True if no reading of this run had fills around it. */
  quiet: boolean
  matchedAt: Ms | null
  /** Number of balances in a row that could not be compared. */
  skipped: number
  /** Snapshots that wait for the row that explains them, oldest first, at most `KEPT_SNAPSHOTS`. */
  pending: PendingSnapshot[]
  /** Snapshots explained in a row. */
  explainedInRow: number
  /** The latest posted rows, oldest first, at most `KEPT_ROWS`, and how many were ever posted. */
  rows: PostedFill[]
  postedRows: number
  /** Time during which the venue answered and none of our transfers was in progress; and when it last answered. */
  answeredMs: Ms
  answeredAt: Ms | null
  /** The answered clock at the first reading that is not followed by a proof; null = proven. */
  unprovenSince: Ms | null
  /** The books were unproven for longer than the total limit. */
  isOverdue: boolean
  /** The loss in the latest reading that no fill explains; null = no such loss. */
  foreign: ForeignLoss | null
  /** The protocol fee that would explain the latest unreconciled reading, though no source names it. */
  fittedFeeBps: number | null
  /** The chain on which the balances last showed a fill whose row names none; null = as the row was read. */
  bareChain: ChainAsset | null
  /** True if the venue's book has shown a dollar figure finer than the token's unit. */
  isFine: boolean
  /** One of our deactivations that the wallet does not explain yet; null = all are explained. */
  deactivation: Deactivation | null
  unreadable: UnreadableState
}

/** This reading equals the ledger. */
export function recordProof(state: ReconciliationState, { t, amounts }: BalanceSnapshot): void {
  const isLatest = state.matchedAt === null || t >= state.matchedAt
  state.matchedAt = Math.max(state.matchedAt ?? 0, t)
  if (isLatest) state.unreadable.covers = ASSETS.filter((asset) => amounts[asset] !== undefined)
}

/** Returns whether the balances equal the ledger, even if something else prevents the status `reconciled`. */
export function isBalanced({ state, unreadable }: ReconciliationState): boolean {
  return state === 'reconciled' || unreadable.isMatched
}

/** Venue minus ledger by the latest reading; empty = they are equal, or nothing was compared yet. */
export function presentDifference({ state, candidates, unreconciled }: ReconciliationState): Difference {
  return state === 'reconciled' ? {} : (candidates[0] ?? unreconciled)
}

const FINE: Readonly<Amounts> = { NTZS: 1n, USDC: 1n, USDT: 1n, 'USDT.bnb': 1n }

/** The smallest step of the venue's figures, per asset: the token's unit until the venue shows a finer figure. */
export function grainOf({ isFine }: Pick<ReconciliationState, 'isFine'>): Readonly<Amounts> {
  return isFine ? FINE : TOKEN_UNIT
}

/** Records the precision of the venue's book as shown by a figure. */
export function learnGrain(state: ReconciliationState, asset: Asset, figure: BookAmount): void {
  if (!state.isFine && figure % TOKEN_UNIT[asset] !== 0n) state.isFine = true
}

export const KEPT_POLLS = 8
/** Maximum number of pending snapshots; beyond that, the oldest ones and the newest are kept. */
export const KEPT_SNAPSHOTS = 16
/** Rows that are kept to put them into the order of their execution. */
export const KEPT_ROWS = 400

export function createReconciliation(feeModel: FeeModel = 'from-position'): ReconciliationState {
  return {
    state: 'pending',
    why: 'the opening is not known yet',
    unreconciled: {},
    opened: false,
    mentioned: {},
    memory: createFillDedupCache(),
    fees: createFeeLearning(feeModel),
    polls: [],
    snapshot: null,
    voidBefore: 0,
    sweepPending: false,
    returnUnread: false,
    candidates: [],
    run: 0,
    quiet: true,
    matchedAt: null,
    skipped: 0,
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
    bareChain: null,
    isFine: false,
    deactivation: null,
    unreadable: {
      figures: {},
      accepted: [],
      stated: {},
      covers: [],
      isMatched: false,
      answeredMs: 0,
      answeredAt: 0,
    },
  }
}

/**
 * Restores a snapshot. One without pending readings, as version 0.1.0 wrote it, continues from its ledger; its readings are
 * requested again.
 */
export function restoreReconciliation(
  known: Partial<ReconciliationState> & Pick<ReconciliationState, 'state' | 'fees'>,
): ReconciliationState {
  const created = createReconciliation()
  const fees = { ...createFeeLearning(known.fees.model), ...known.fees }
  const unreadable = { ...created.unreadable, isMatched: known.state === 'reconciled' }
  const isWithoutPending = known.pending === undefined && { polls: [], snapshot: null }
  return { ...created, unreadable, ...known, fees, ...isWithoutPending }
}

/** The inputs of a reconciliation, whether its rows come from a poll or from a block of the chain. */
export type ReconciliationTerms = {
  readonly t: Ms
  readonly sentAt: Ms
  /** The fills just posted, in posting order. */
  readonly posted: readonly PostedFill[]
  /** The book's accounts, with `posted` in them. */
  readonly accounts: BookState['accounts']
  readonly settings: ReconciliationSettings
  /** Withdrawals whose outcome is unknown: an outflow of exactly one of them is that withdrawal. */
  readonly unknownWithdrawals: readonly { readonly asset: Asset; readonly amount: bigint }[]
  /** The protocol fees that the sources name, in bps, the likeliest first. */
  readonly feeRates: readonly number[]
  /** The mids that a recent fill may have been priced from, the latest first. */
  readonly mids: readonly Rate[]
  /** One of our transfers is in progress, or its outcome is unknown. */
  readonly busy: boolean
  /** True if a sweep into the pool may have moved tokens: tokens missing from the wallet count as moved. */
  readonly isSweepUnclear: boolean
}

/**
 * Returns the ledger balances to compare with readings of a location. The pool is compared alone, because tokens in the wallet
 * after a partial deactivation are not visible. An inactive position is entirely in the wallet, including units that a late
 * fill left in the pool account.
 */
export function ledgerAt(where: Location, accounts: BookState['accounts']): Amounts {
  const ledger = { ...accounts[where] }
  if (where === 'wallet') for (const asset of ASSETS) ledger[asset] += accounts.pool[asset]
  return ledger
}
