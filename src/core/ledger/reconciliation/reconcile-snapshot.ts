import { isSameDifference } from '../../../base/money/difference.ts'
import { ASSETS, type Amounts, type Asset, type BookAmount, TOKEN_UNIT } from '../../../base/money/asset.ts'
import {
  type BalanceSnapshot,
  type ReconciliationTerms,
  grainOf,
  ledgerAt,
  recordProof,
  type ReconciliationState,
} from './state.ts'
import { createFeeLearning, recordMatch, type PostedFill } from '../fills/fees.ts'
import { differences, fittedFeeBps, type MatchInput, matchSnapshot } from './match.ts'
import { detectForeignLoss } from './foreign-loss.ts'
import { countSkipped, discardSnapshots, setStatus } from './status.ts'
import { closeHistory } from '../fills/dedupe.ts'
import type { ReconciliationAction } from './actions.ts'
import { addPending, smallestDifference } from './pending.ts'
import { CHAIN_ASSETS } from '../fills/other-chain.ts'
import { endDeactivation, isHalfSwept, settleVoidFills, withReturned } from './deactivation.ts'
import { explainSnapshot, isOlderThanProof, settleSnapshot, sweptAssets } from './settle-snapshot.ts'

const HALF_SWEPT =
  'tokens that left the wallet are assumed to be in the pool until the activation, which had no clear answer, is repeated'

/** Additional readings required for a difference that was only seen with fills around it. */
const EXTRA_CONFIRMATIONS = 2

/**
 * Reconciles a balance snapshot that was taken between two fills polls; `terms` is the second poll. The snapshot must equal the
 * ledger before, between or after the fills that arrived in between. Returns the unexplained difference.
 */
export function reconcileSnapshot(
  state: ReconciliationState,
  read: BalanceSnapshot,
  terms: ReconciliationTerms,
  out: ReconciliationAction[],
): Partial<Amounts> | null {
  const reading = withReturned(state, read)
  const fills: PostedFill[] = []
  let fresh = 0
  for (const poll of state.polls) {
    if (poll.t <= reading.sentAt) continue
    fresh += poll.fresh
    fills.push(...poll.fills)
  }
  if (state.polls.every((poll) => poll.t > reading.sentAt)) {
    const why = 'the poll before this reading is too long ago'
    out.push(...countSkipped(state, why), { do: 'poll', what: 'balances', why })
    return null
  }
  state.skipped = 0
  if (!state.opened) {
    open(state, reading, terms, fresh, out)
    return null
  }
  const ledger = ledgerAt(reading.where, terms.accounts)
  const grain = grainOf(state)
  const compared = { ledger, fills, learning: state.fees, grain, rates: terms.feeRates }
  const base = state.postedRows - fills.length
  mentionShown(state, { ...compared, venue: reading.amounts }, base)
  const venue = openLateAssets(state, reading, terms, ledger, fresh, out)
  const input: MatchInput = { ...compared, venue }
  const found = explainSnapshot(state, input, base)
  if (found !== null) {
    settleSnapshot(state, reading, terms, found, out)
    return null
  }
  if (isHalfSwept(reading, terms, venue)) {
    state.foreign = null
    setStatus(state, out, 'pending', HALF_SWEPT, {})
    return null
  }
  const swept = sweptAssets(state, reading, terms, input, base)
  if (swept !== null) {
    discardSnapshots(state, terms.t)
    const why = 'an activation without a clear answer swept the wallet; reading again'
    out.push({ do: 'sweep', assets: swept }, { do: 'poll', what: 'balances', why })
    return null
  }
  if (settleVoidFills(state, reading, terms, venue, out)) return null
  addPending(state, { ...reading, amounts: venue, since: state.answeredMs, base })
  const all = differences(input)
  const difference = smallestDifference(all, terms.mids[0] ?? null)
  state.fittedFeeBps = difference === null ? null : fittedFeeBps(input, difference)
  if (isOld(state, input)) state.foreign = null
  else detectForeignLoss(state, terms, all, difference ?? {}, out)
  confirmDifference(state, reading, terms, input, out)
  return difference
}

/** Returns whether the balances equal the ledger of some rows ago: a stale answer from a cache rather than a theft. */
function isOld({ rows, fees }: ReconciliationState, input: MatchInput): boolean {
  return matchSnapshot({ ...input, fills: rows, learning: createFeeLearning(fees.model), rates: [] }) !== null
}

/** Tries to explain the pending readings with new rows. */
export function reconcilePending(
  state: ReconciliationState,
  terms: ReconciliationTerms,
  out: ReconciliationAction[],
): void {
  for (const reading of state.pending) {
    if (!state.pending.includes(reading)) continue
    const ledger = ledgerAt(reading.where, terms.accounts)
    // Fees are learned only from readings since the last proof; an older reading must fit with the known fees.
    const isOlder = isOlderThanProof(state, reading)
    const learning = isOlder ? createFeeLearning(state.fees.model) : state.fees
    const rates = isOlder ? [] : terms.feeRates
    const input = {
      venue: reading.amounts,
      ledger,
      fills: terms.posted,
      learning,
      rates,
      grain: grainOf(state),
    }
    const found = explainSnapshot(state, input, reading.base)
    if (found !== null) settleSnapshot(state, reading, terms, found, out)
  }
}

function open(
  state: ReconciliationState,
  reading: BalanceSnapshot,
  terms: ReconciliationTerms,
  fresh: number,
  out: ReconciliationAction[],
): void {
  if (fresh > 0) {
    out.push({ do: 'poll', what: 'balances', why: 'fills came while the opening was read' })
    return
  }
  state.opened = true
  recordProof(state, reading)
  for (const asset of ASSETS) if (reading.amounts[asset] !== undefined) state.mentioned[asset] = true
  // Tokens that a sweep revealed before the opening are part of it.
  state.sweepPending = false
  closeHistory(state.memory)
  discardSnapshots(state, terms.t)
  out.push({ do: 'open', amounts: reading.amounts, where: reading.where })
  setStatus(
    state,
    out,
    'reconciled',
    'the opening is the balance that the venue reported between two equal polls',
    {},
  )
}

/** Marks an asset that the venue states for the first time as known, if fills without a chain explain it. */
function mentionShown(state: ReconciliationState, input: MatchInput, base: number): void {
  const isLate = (asset: Asset) => input.venue[asset] !== undefined && state.mentioned[asset] !== true
  const late = CHAIN_ASSETS.filter(isLate)
  if (late.length === 0 || (explainSnapshot(state, input, base)?.moves.length ?? 0) === 0) return
  for (const asset of late) state.mentioned[asset] = true
}

/** Opens an asset that the venue states for the first time with the amount that the ledger lacks. */
function openLateAssets(
  state: ReconciliationState,
  reading: BalanceSnapshot,
  terms: ReconciliationTerms,
  ledger: Amounts,
  fresh: number,
  out: ReconciliationAction[],
): Readonly<Partial<Amounts>> {
  const venue: Partial<Amounts> = {}
  for (const asset of ASSETS) {
    const stated = reading.amounts[asset]
    if (stated === undefined) continue
    if (state.mentioned[asset] === true) {
      venue[asset] = stated
      continue
    }
    if (fresh > 0) continue
    state.mentioned[asset] = true
    if (stated === ledger[asset]) continue
    state.voidBefore = terms.t
    out.push({ do: 'open', amounts: { [asset]: stated - ledger[asset] }, where: reading.where })
  }
  return venue
}

function confirmDifference(
  state: ReconciliationState,
  reading: BalanceSnapshot,
  terms: ReconciliationTerms,
  input: MatchInput,
  out: ReconciliationAction[],
): void {
  const found = differences(input)
  const still = state.candidates.filter((known) => found.some((other) => isSameDifference(known, other)))
  const quiet = input.fills.length === 0
  state.quiet = still.length > 0 ? state.quiet && quiet : quiet
  state.run = still.length > 0 ? state.run + 1 : 1
  state.candidates = still.length > 0 ? still : found
  const { confirmations } = terms.settings
  const difference = state.candidates[0]
  if (difference !== undefined && state.run >= confirmations + (state.quiet ? 0 : EXTRA_CONFIRMATIONS)) {
    bookDifference(state, reading, terms, difference, out)
    return
  }
  if (state.state !== 'break') {
    setStatus(state, out, 'pending', 'balances and ledger differ; reading again', {})
    out.push({ do: 'poll', what: 'balances', why: 'balances and ledger differ; reading again' })
  }
}

/**
 * Books the part of a confirmed difference that a rule explains. The rest becomes a break once its readings have waited long
 * enough. While units are missing, inflows are not explained: units out against units in look like an unknown fill.
 */
function bookDifference(
  state: ReconciliationState,
  reading: BalanceSnapshot,
  terms: ReconciliationTerms,
  difference: Readonly<Partial<Amounts>>,
  out: ReconciliationAction[],
): void {
  const unreconciled: Partial<Amounts> = {}
  const missing = ASSETS.some((asset) => {
    const amount = difference[asset] ?? 0n
    return amount < 0n && ruleFor(state, reading, terms, asset, amount) === null
  })
  let booked = false
  for (const asset of ASSETS) {
    const amount = difference[asset]
    if (amount === undefined) continue
    const rule = missing && amount > 0n ? null : ruleFor(state, reading, terms, asset, amount)
    if (rule === null) unreconciled[asset] = amount
    else {
      booked = true
      const size = amount < 0n ? -amount : amount
      out.push({ do: 'book', ...rule, asset, amount: size, where: reading.where })
    }
  }
  if (booked) discardSnapshots(state, terms.t)
  if (Object.keys(unreconciled).length > 0) {
    const why = 'balances and ledger differ; reading again'
    if (state.state === 'break') setStatus(state, out, 'break', state.why, unreconciled)
    else setStatus(state, out, 'pending', why, {})
    out.push({ do: 'poll', what: 'balances', why })
    return
  }
  state.sweepPending = false
  recordMatch(state.fees, state.fees.model, state.fees.rate, [])
  recordProof(state, reading)
  if (reading.where === 'wallet') endDeactivation(state)
  setStatus(state, out, 'reconciled', 'the difference was explained and booked', {})
}

function isUnansweredWithdrawal(terms: ReconciliationTerms, asset: Asset, amount: bigint): boolean {
  return terms.unknownWithdrawals.some((one) => one.asset === asset && one.amount === amount)
}

type BookingRule = {
  readonly kind: 'adjustment' | 'deposit' | 'withdrawal' | 'rounding'
  readonly reason: string
}

function ruleFor(
  state: ReconciliationState,
  { where }: BalanceSnapshot,
  terms: ReconciliationTerms,
  asset: Asset,
  amount: BookAmount,
): BookingRule | null {
  if (amount < 0n) {
    if (isUnansweredWithdrawal(terms, asset, -amount))
      return { kind: 'withdrawal', reason: 'a withdrawal without an answer was executed' }
    // A deactivation pays whole units of each token, once.
    const isUnread = state.sweepPending && (where === 'wallet' || state.returnUnread)
    return isUnread && -amount < TOKEN_UNIT[asset]
      ? { kind: 'rounding', reason: 'the deactivation paid whole units of the token' }
      : null
  }
  if (state.sweepPending) return { kind: 'deposit', reason: 'seen at the sweep' }
  return amount <= terms.settings.dustUnits[asset] ? { kind: 'adjustment', reason: 'dust' } : null
}
