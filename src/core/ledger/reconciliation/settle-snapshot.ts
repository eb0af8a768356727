import { ASSETS, formatAmount, type Amounts, type Asset } from '../../../base/money/asset.ts'
import {
  type BalanceSnapshot,
  grainOf,
  recordProof,
  type ReconciliationTerms,
  type ReconciliationState,
} from './state.ts'
import { feeAtRate, type FeeModel, type FeeRate, recordMatch, type PostedFill } from '../fills/fees.ts'
import type { ReconciliationAction } from './actions.ts'
import { dropExplained, rowsInTime } from './pending.ts'
import { matchChains, type ChainMove } from './match-chains.ts'
import { matchSnapshot, type Match, type MatchInput } from './match.ts'
import { CHAIN_ASSETS, isChainAsset, legsElsewhere } from '../fills/other-chain.ts'
import { endDeactivation } from './deactivation.ts'
import { discardSnapshots, setStatus } from './status.ts'

/** The explanation of a reading: its rows in order, and the fills that were on another chain than booked. */
type Explanation = {
  readonly match: Match
  readonly fills: readonly PostedFill[]
  readonly moves: readonly ChainMove[]
}

/**
 * Tries the rows in order of arrival, then in order of execution, and then with fills whose rows name no chain moved to the
 * other chain.
 */
export function explainSnapshot(
  state: ReconciliationState,
  input: MatchInput,
  base: number,
): Explanation | null {
  const orders = [input.fills, rowsInTime(state, base)].filter((fills) => fills !== null)
  for (const fills of orders) {
    const match = matchSnapshot({ ...input, fills })
    if (match !== null) return { match, fills, moves: [] }
  }
  for (const fills of orders) {
    const match = matchChains({ ...input, fills })
    if (match !== null) return { match, fills: match.fills, moves: match.moves }
  }
  return null
}

/** Returns the wallet's tokens with which the ledger's pool equals the balances, if one of our sweeps has no clear answer; else null. */
export function sweptAssets(
  state: ReconciliationState,
  { where }: BalanceSnapshot,
  { isSweepUnclear, accounts }: ReconciliationTerms,
  input: MatchInput,
  base: number,
): readonly Asset[] | null {
  if (!isSweepUnclear || where !== 'pool') return null
  const held = ASSETS.filter((asset) => accounts.wallet[asset] > 0n && input.venue[asset] !== undefined)
  for (let mask = (1 << held.length) - 1; mask > 0; mask -= 1) {
    const assets = held.filter((_, bit) => (mask & (1 << bit)) !== 0)
    const ledger = { ...input.ledger }
    for (const asset of assets) ledger[asset] += accounts.wallet[asset]
    if (explainSnapshot(state, { ...input, ledger }, base) !== null) return assets
  }
  return null
}

export function settleSnapshot(
  state: ReconciliationState,
  reading: BalanceSnapshot,
  terms: ReconciliationTerms,
  { match, fills, moves }: Explanation,
  out: ReconciliationAction[],
): void {
  const isOther = !sameRate(match.rate, state.fees.rate)
  const switched = match.model !== state.fees.model || isOther
  const why = isOther
    ? `the balances show a protocol fee of ${rateText(match.rate, terms)} instead of ${rateText(state.fees.rate, terms)}`
    : switched
      ? match.model === 'none'
        ? 'the balances show that the protocol fee is not charged to the position'
        : 'the balances show that the protocol fee is charged to the position'
      : 'the venue rounds the protocol fee in the other direction'
  const { model } = state.fees
  if (!isOlderThanProof(state, reading)) {
    const { rate } = match
    const after = fills.slice(fills.length - match.after)
    // Fills that were posted at the previous fee are corrected below, and count at the new one from now on.
    const posted = isOther ? after.map((fill) => postedAtRate(fill, rate, grainOf(state))) : after
    const { undecided } = state.fees
    const isDecided = CHAIN_ASSETS.some((asset) => reading.amounts[asset] !== undefined)
    recordMatch(state.fees, match.model, rate, posted)
    if (!isDecided) state.fees.undecided = undecided
  }
  state.candidates = []
  state.run = 0
  state.quiet = true
  state.sweepPending = false
  recordProof(state, reading)
  state.foreign = null
  // A correction discards the pending readings, because they were compared with a different ledger.
  const isNewest = state.pending.every(({ sentAt }) => sentAt <= reading.sentAt)
  dropExplained(state, reading.sentAt)
  if (switched) out.push({ do: 'setFeeModel', model: match.model, why })
  correctChains(state, reading, terms, model, moves, out)
  for (const asset of ASSETS) {
    const amount = match.corrections[asset]
    if (amount === undefined) continue
    // The ledger changes: earlier readings are no longer compared.
    discardSnapshots(state, terms.t)
    out.push({ do: 'correctFee', asset, amount, where: reading.where, reason: why })
  }
  if (reading.where === 'wallet') endDeactivation(state)
  if (state.pending.length === 0 && isNewest)
    setStatus(state, out, 'reconciled', 'balances equal the ledger to the last unit', {})
  else out.push({ do: 'poll', what: 'balances', why: 'other readings are not explained yet' })
}

export function isOlderThanProof({ matchedAt }: ReconciliationState, { t }: BalanceSnapshot): boolean {
  return matchedAt !== null && t < matchedAt
}

function sameRate(a: FeeRate | null, b: FeeRate | null): boolean {
  return a?.bps === b?.bps && a?.of === b?.of
}

function rateText(rate: FeeRate | null, { feeRates }: ReconciliationTerms): string {
  if (rate !== null) return `${rate.bps} bps`
  return feeRates[0] === undefined ? 'the fee in the rows' : `the fee in the rows (${feeRates[0]} bps)`
}

/** Moves fills to the chain that the balances show, in the ledger and in the kept rows. */
function correctChains(
  state: ReconciliationState,
  reading: BalanceSnapshot,
  terms: ReconciliationTerms,
  model: FeeModel,
  moves: readonly ChainMove[],
  out: ReconciliationAction[],
): void {
  if (moves.length === 0) return
  discardSnapshots(state, terms.t)
  const shownOf = new Map(moves.map(({ shown }) => [shown.elsewhere?.id, shown]))
  const moved = (fill: PostedFill) =>
    fill.elsewhere === undefined ? fill : (shownOf.get(fill.elsewhere.id) ?? fill)
  state.rows = state.rows.map(moved)
  state.polls = state.polls.map((poll) => ({ ...poll, fills: poll.fills.map(moved) }))
  for (const { booked, shown } of moves) {
    const chain = [shown.inAsset, shown.outAsset].find(isChainAsset)
    if (chain !== undefined) state.bareChain = chain
    const reason = `the balances show ${dollarsOf(shown)}, but ${dollarsOf(booked)} was booked for a row that names no chain`
    out.push({ do: 'correctChain', booked, shown, model, where: reading.where, reason })
  }
}

function dollarsOf({ inAsset, amountIn, outAsset, amountOut }: PostedFill): string {
  return isChainAsset(inAsset)
    ? `${formatAmount(amountIn)} ${inAsset} in`
    : `${formatAmount(amountOut)} ${outAsset} out`
}

function postedAtRate(fill: PostedFill, rate: FeeRate | null, grain: Readonly<Amounts>): PostedFill {
  const at = (one: Pick<PostedFill, 'outAsset' | 'amountOut' | 'word'>) =>
    rate === null ? one.word : feeAtRate(rate, one, grain[one.outAsset])
  const posted = { ...fill, fee: at(fill), computed: rate !== null }
  if (fill.elsewhere === undefined) return posted
  const fee = at({ ...legsElsewhere(fill), word: fill.elsewhere.word })
  return { ...posted, elsewhere: { ...fill.elsewhere, fee } }
}
