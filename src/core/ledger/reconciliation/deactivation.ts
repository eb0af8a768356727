import {
  type Amounts,
  type Asset,
  ASSETS,
  type BookAmount,
  formatAmount,
  TOKEN_UNIT,
} from '../../../base/money/asset.ts'
import { feeDebit, type FeeModel, recordMatch, type PostedFill } from '../fills/fees.ts'
import type { ReconciliationAction } from './actions.ts'
import {
  type BalanceSnapshot,
  type FillInCall,
  ledgerAt,
  type ReconciliationState,
  type ReconciliationTerms,
} from './state.ts'
import { discardSnapshots, setStatus } from './status.ts'

const MOST_FILLS = 64
/** Up to this many fills every subset is tried; beyond that, only runs of the latest fills. */
const MOST_SUBSETS_OF = 12

/** Starts to track a deactivation. A repeated one continues the first. */
export function beginDeactivation(state: ReconciliationState): void {
  state.deactivation ??= { fills: [], shown: {} }
}

/** Ends the tracking: the wallet is explained, or the tokens return to the pool. */
export function endDeactivation(state: ReconciliationState): void {
  state.deactivation = null
}

export function recordFillsInCall({ deactivation }: ReconciliationState, fills: readonly FillInCall[]): void {
  if (deactivation === null) return
  deactivation.fills = [...deactivation.fills, ...fills].slice(-MOST_FILLS)
}

/** Records the returned amounts of an answer; `wallet` = the ledger's wallet before they are booked. */
export function recordReturnedAmounts(
  { deactivation }: ReconciliationState,
  returned: Readonly<Partial<Amounts>>,
  wallet: Readonly<Amounts>,
): void {
  if (deactivation === null) return
  for (const asset of ASSETS) {
    const amount = returned[asset]
    if (amount !== undefined)
      deactivation.shown[asset] = (deactivation.shown[asset] ?? wallet[asset]) + amount
  }
}

/** Forgets the returned amounts after one of our transfers: only balances show the wallet now. */
export function forgetReturned({ deactivation }: ReconciliationState): void {
  if (deactivation !== null) deactivation.shown = {}
}

/** Returns a reading of the wallet, completed by the amounts that the answers returned for tokens missing from the reading. */
export function withReturned(
  { deactivation }: ReconciliationState,
  reading: BalanceSnapshot,
): BalanceSnapshot {
  if (deactivation === null || reading.where !== 'wallet') return reading
  return { ...reading, amounts: { ...deactivation.shown, ...reading.amounts } }
}

/**
 * Returns whether the wallet equals the ledger without some of the fills during the deactivation, exact to the last unit except
 * for the remainders of whole-unit payouts. If so, those fills are void and reversed, and the rest must be proven again.
 */
export function settleVoidFills(
  state: ReconciliationState,
  reading: BalanceSnapshot,
  terms: ReconciliationTerms,
  venue: Readonly<Partial<Amounts>>,
  out: ReconciliationAction[],
): boolean {
  const { deactivation } = state
  if (reading.where !== 'wallet' || deactivation === null) return false
  const { fills } = deactivation
  const { model } = state.fees
  const excess = excessOf(ledgerAt('wallet', terms.accounts), venue)
  const voided = findVoid(fills, excess, model, state.sweepPending)
  if (voided === null) return false
  const ids = voided.map(({ id }) => id)
  discardSnapshots(state, terms.t)
  recordMatch(state.fees, model, state.fees.rate, [])
  state.foreign = null
  deactivation.fills = fills.filter(({ id }) => !ids.includes(id))
  const reason = `the deactivation did not pay out fills that came during it: ${ids.join(', ')}`
  for (const asset of ASSETS) {
    const amount = -sumOf(voided, asset, model)
    if (amount !== 0n) out.push({ do: 'book', kind: 'void', asset, amount, where: 'wallet', reason })
  }
  out.push({ do: 'alertVoidFills', message: `${reason} (${movedText(voided, model)}); they are reversed` })
  setStatus(state, out, 'pending', 'fills during the deactivation are void', {})
  out.push({ do: 'poll', what: 'balances', why: 'the rest is compared again' })
  return true
}

/** Returns the sum of these fills as text. */
export function movedText(fills: readonly PostedFill[], model: FeeModel): string {
  return ASSETS.flatMap((asset) => {
    const amount = sumOf(fills, asset, model)
    return amount === 0n ? [] : [`${formatAmount(amount)} ${asset}`]
  }).join(', ')
}

/** Returns ledger minus venue for the tokens that the venue states. */
function excessOf(ledger: Readonly<Amounts>, venue: Readonly<Partial<Amounts>>): Partial<Amounts> {
  const excess: Partial<Amounts> = {}
  for (const asset of ASSETS) {
    const stated = venue[asset]
    if (stated !== undefined) excess[asset] = ledger[asset] - stated
  }
  return excess
}

/** Returns the fills that make up the excess. Null if no set does, or if several sets of different amounts do. */
function findVoid(
  fills: readonly FillInCall[],
  excess: Readonly<Partial<Amounts>>,
  model: FeeModel,
  isRounded: boolean,
): readonly FillInCall[] | null {
  const isAll = (some: readonly FillInCall[]) =>
    ASSETS.every((asset) => {
      const off = excess[asset]
      if (off === undefined) return true
      const rest = off - sumOf(some, asset, model)
      return rest >= 0n && rest < (isRounded ? TOKEN_UNIT[asset] : 1n)
    })
  // The latest fills are the likeliest: all fills since the venue read the position.
  for (let from = fills.length - 1; from >= 0; from -= 1) {
    const latest = fills.slice(from)
    if (isAll(latest)) return latest
  }
  if (fills.length > MOST_SUBSETS_OF) return null
  let found: readonly FillInCall[] | null = null
  for (let mask = 1; mask < 1 << fills.length; mask += 1) {
    const some = fills.filter((_, bit) => (mask & (1 << bit)) !== 0)
    if (!isAll(some)) continue
    if (found !== null && movedText(found, model) !== movedText(some, model)) return null
    found ??= some
  }
  return found
}

function sumOf(fills: readonly PostedFill[], asset: Asset, model: FeeModel): BookAmount {
  let sum = 0n
  for (const { inAsset, amountIn, outAsset, amountOut, fee } of fills) {
    if (inAsset === asset) sum += amountIn
    if (outAsset === asset) sum -= amountOut + feeDebit(model, fee)
  }
  return sum
}

/**
 * Returns whether the wallet equals the ledger without whole tokens while one of our sweeps has no clear answer. Those tokens
 * are assumed to be in the pool until the repeated call shows otherwise; tokens that are then missing are a real difference.
 */
export function isHalfSwept(
  reading: BalanceSnapshot,
  { isSweepUnclear, accounts, settings }: ReconciliationTerms,
  venue: Readonly<Partial<Amounts>>,
): boolean {
  if (!isSweepUnclear || reading.where !== 'wallet') return false
  const ledger = ledgerAt('wallet', accounts)
  return ASSETS.every((asset) => {
    const stated = venue[asset]
    return (
      stated === undefined ||
      stated === ledger[asset] ||
      (stated >= 0n && stated <= settings.dustUnits[asset])
    )
  })
}

/** Opens tokens that a sweep into the pool names but no balances have stated. Null if the sweep names no such token. */
export function openUnstated(
  state: ReconciliationState,
  swept: Readonly<Partial<Amounts>>,
): ReconciliationAction | null {
  const amounts: Partial<Amounts> = {}
  for (const asset of ASSETS) {
    const amount = swept[asset]
    if (!state.opened || amount === undefined || state.mentioned[asset] === true) continue
    state.mentioned[asset] = true
    amounts[asset] = amount
  }
  return Object.keys(amounts).length === 0 ? null : { do: 'open', amounts, where: 'pool' }
}
