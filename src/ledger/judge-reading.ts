import { ASSETS, type Amounts, type Asset } from '../money/asset.ts'
import type { CompletenessState, Reading } from './completeness.ts'
import type { FillsPolled } from './on-fills-polled.ts'
import { createFeeLearning, noteMatch } from './fee-learning.ts'
import { feeAtRate, fittedFeeBps } from './fee-rate.ts'
import type { FeeRate, PostedFill } from './fee-model.ts'
import { judgeForeignLoss } from './foreign-loss.ts'
import { noteIncomparable } from './note-incomparable.ts'
import { ledgerAt } from './on-balances.ts'
import { closeHistory } from './remember-fill.ts'
import type { Instruction } from './instruction.ts'
import { addPending, notePendingExplained, rowsInTime, smallestDifference } from './pending-readings.ts'
import { differences, matchReading, sameDifference, type Match, type MatchInput } from './match-reading.ts'
import { forgetReadings, sayVerdict } from './say-verdict.ts'

/** A difference that was never seen without fills around it needs so many readings more. */
const EXTRA_CONFIRMATIONS = 2

/**
 * A balances reading between two fills polls, the second of which is `polled`: it must equal the ledger
 * before, between or after the fills that came in between.
 */
export function judgeReading(
  state: CompletenessState,
  reading: Reading,
  polled: FillsPolled,
  out: Instruction[],
): Partial<Amounts> | null {
  const fills: PostedFill[] = []
  let fresh = 0
  for (const poll of state.polls) {
    if (poll.t <= reading.sentAt) continue
    fresh += poll.fresh
    fills.push(...poll.fills)
  }
  if (state.polls.every((poll) => poll.t > reading.sentAt)) {
    const why = 'the poll before this reading is too long ago'
    out.push(...noteIncomparable(state, why), { do: 'ask', what: 'balances', why })
    return null
  }
  state.incomparable = 0
  if (!state.opened) {
    open(state, reading, polled, fresh, out)
    return null
  }
  const ledger = ledgerAt(reading.where, polled.accounts)
  const venue = openLateAssets(state, reading, polled, ledger, fresh, out)
  const input: MatchInput = { venue, ledger, fills, learning: state.fees, rates: polled.feeRates }
  const base = state.postedRows - fills.length
  const found = explanation(state, input, base)
  if (found !== null) {
    settle(state, reading, polled, found, out)
    return null
  }
  addPending(state, { ...reading, amounts: venue, since: state.answeredMs, base })
  const all = differences(input)
  const difference = smallestDifference(all, polled.mids[0] ?? null)
  state.fittedFeeBps = difference === null ? null : fittedFeeBps(input, difference)
  if (isOld(state, input)) state.foreign = null
  else judgeForeignLoss(state, polled, all, difference ?? {}, out)
  suspect(state, reading, polled, input, out)
  return difference
}

/** Whether the balances are what the ledger was some rows ago: an old answer of a cache, and nobody's theft. */
function isOld({ rows, fees }: CompletenessState, input: MatchInput): boolean {
  return matchReading({ ...input, fills: rows, learning: createFeeLearning(fees.model), rates: [] }) !== null
}

/** Rows have come: a reading that nothing explained may be what the ledger was after some of them. */
export function judgePendingReadings(
  state: CompletenessState,
  polled: FillsPolled,
  out: Instruction[],
): void {
  for (const reading of state.pending) {
    if (!state.pending.includes(reading)) continue
    const ledger = ledgerAt(reading.where, polled.accounts)
    // Fees are learned from what was read since the last proof; an older reading has to fit as it is.
    const isOlder = isOlderThanProof(state, reading)
    const learning = isOlder ? createFeeLearning(state.fees.model) : state.fees
    const rates = isOlder ? [] : polled.feeRates
    const input = { venue: reading.amounts, ledger, fills: polled.posted, learning, rates }
    const found = explanation(state, input, reading.base)
    if (found !== null) settle(state, reading, polled, found, out)
  }
}

function isOlderThanProof({ matchedAt }: CompletenessState, { t }: Reading): boolean {
  return matchedAt !== null && t < matchedAt
}

function sameRate(a: FeeRate | null, b: FeeRate | null): boolean {
  return a?.bps === b?.bps && a?.of === b?.of
}

function rateText(rate: FeeRate | null, { feeRates }: FillsPolled): string {
  if (rate !== null) return `${rate.bps} bps`
  return feeRates[0] === undefined ? 'the one of the rows' : `the one of the rows (${feeRates[0]} bps)`
}

type Explanation = { readonly match: Match; readonly fills: readonly PostedFill[] }

/** In the order in which the rows came, or else in the order in which they were executed. */
function explanation(state: CompletenessState, input: MatchInput, base: number): Explanation | null {
  const match = matchReading(input)
  if (match !== null) return { match, fills: input.fills }
  const fills = rowsInTime(state, base)
  if (fills === null) return null
  const inTime = matchReading({ ...input, fills })
  return inTime === null ? null : { match: inTime, fills }
}

function open(
  state: CompletenessState,
  reading: Reading,
  polled: FillsPolled,
  fresh: number,
  out: Instruction[],
): void {
  if (fresh > 0) {
    out.push({ do: 'ask', what: 'balances', why: 'fills came while the opening was read' })
    return
  }
  state.opened = true
  state.matchedAt = reading.t
  for (const asset of ASSETS) if (reading.amounts[asset] !== undefined) state.mentioned[asset] = true
  // What a sweep before the opening brought into sight is in the opening.
  state.sweepPending = false
  closeHistory(state.memory)
  forgetReadings(state, polled.t)
  out.push({ do: 'open', amounts: reading.amounts, where: reading.where })
  sayVerdict(state, out, 'complete', 'the opening is what the venue says between two equal polls', {})
}

/** An asset the venue mentions for the first time is opened with what the ledger does not know of it. */
function openLateAssets(
  state: CompletenessState,
  reading: Reading,
  polled: FillsPolled,
  ledger: Amounts,
  fresh: number,
  out: Instruction[],
): Readonly<Partial<Amounts>> {
  const venue: Partial<Amounts> = {}
  for (const asset of ASSETS) {
    const said = reading.amounts[asset]
    if (said === undefined) continue
    if (state.mentioned[asset] === true) {
      venue[asset] = said
      continue
    }
    if (fresh > 0) continue
    state.mentioned[asset] = true
    if (said === ledger[asset]) continue
    state.voidBefore = polled.t
    out.push({ do: 'open', amounts: { [asset]: said - ledger[asset] }, where: reading.where })
  }
  return venue
}

function settle(
  state: CompletenessState,
  reading: Reading,
  polled: FillsPolled,
  { match, fills }: Explanation,
  out: Instruction[],
): void {
  const isOther = !sameRate(match.rate, state.fees.rate)
  const switched = match.model !== state.fees.model || isOther
  const why = isOther
    ? `the balances show a protocol fee of ${rateText(match.rate, polled)} where ${rateText(state.fees.rate, polled)} was taken`
    : switched
      ? match.model === 'none'
        ? 'the balances show that the protocol fee is not taken from the position'
        : 'the balances show that the protocol fee is taken from the position'
      : 'the venue rounds the protocol fee the other way'
  if (!isOlderThanProof(state, reading)) {
    const { rate } = match
    const after = fills.slice(fills.length - match.after)
    // What was posted at the fee before is put right below, and from now on counts at this one.
    const atRate =
      rate === null ? (fill: PostedFill) => fill.word : (fill: PostedFill) => feeAtRate(rate, fill)
    const computed = rate !== null
    const posted = isOther ? after.map((fill) => ({ ...fill, fee: atRate(fill), computed })) : after
    noteMatch(state.fees, match.model, rate, posted)
  }
  state.suspects = []
  state.run = 0
  state.quiet = true
  state.sweepPending = false
  state.matchedAt = Math.max(state.matchedAt ?? 0, reading.t)
  state.foreign = null
  notePendingExplained(state, reading.sentAt)
  if (switched) out.push({ do: 'say-fee-model', model: match.model, why })
  for (const asset of ASSETS) {
    const amount = match.corrections[asset]
    if (amount === undefined) continue
    // The ledger moves: what was read before that is compared no more.
    forgetReadings(state, polled.t)
    out.push({ do: 'correct-fee', asset, amount, where: reading.where, reason: why })
  }
  if (state.pending.length === 0)
    sayVerdict(state, out, 'complete', 'balances equal the ledger to the last unit', {})
  else out.push({ do: 'ask', what: 'balances', why: 'readings before this one are not explained yet' })
}

function suspect(
  state: CompletenessState,
  reading: Reading,
  polled: FillsPolled,
  input: MatchInput,
  out: Instruction[],
): void {
  const found = differences(input)
  const still = state.suspects.filter((known) => found.some((other) => sameDifference(known, other)))
  const quiet = input.fills.length === 0
  state.quiet = still.length > 0 ? state.quiet && quiet : quiet
  state.run = still.length > 0 ? state.run + 1 : 1
  state.suspects = still.length > 0 ? still : found
  const { confirmations } = polled.settings
  const difference = state.suspects[0]
  if (difference !== undefined && state.run >= confirmations + (state.quiet ? 0 : EXTRA_CONFIRMATIONS)) {
    explain(state, reading, polled, difference, out)
    return
  }
  if (state.state !== 'gap') {
    sayVerdict(state, out, 'checking', 'balances and ledger differ; looking again', {})
    out.push({ do: 'ask', what: 'balances', why: 'balances and ledger differ; looking again' })
  }
}

/**
 * The difference is confirmed: book what a rule explains. The rest is a break once its readings have waited
 * for long enough. While something is missing, no inflow is explained away: units out against units in
 * are what a fill looks like that we do not know.
 */
function explain(
  state: CompletenessState,
  reading: Reading,
  polled: FillsPolled,
  difference: Readonly<Partial<Amounts>>,
  out: Instruction[],
): void {
  const unexplained: Partial<Amounts> = {}
  const missing = ASSETS.some((asset) => isMissing(polled, asset, difference[asset] ?? 0n))
  let booked = false
  for (const asset of ASSETS) {
    const amount = difference[asset]
    if (amount === undefined) continue
    const rule = missing && amount > 0n ? null : ruleFor(state, polled, asset, amount)
    if (rule === null) unexplained[asset] = amount
    else {
      booked = true
      const size = amount < 0n ? -amount : amount
      out.push({ do: 'book', ...rule, asset, amount: size, where: reading.where })
    }
  }
  if (booked) forgetReadings(state, polled.t)
  if (Object.keys(unexplained).length > 0) {
    const why = 'balances and ledger differ; looking again'
    if (state.state === 'gap') sayVerdict(state, out, 'gap', state.why, unexplained)
    else sayVerdict(state, out, 'checking', why, {})
    out.push({ do: 'ask', what: 'balances', why })
    return
  }
  state.sweepPending = false
  noteMatch(state.fees, state.fees.model, state.fees.rate, [])
  state.matchedAt = reading.t
  sayVerdict(state, out, 'complete', 'what differed was explained and booked', {})
}

function isMissing(polled: FillsPolled, asset: Asset, amount: bigint): boolean {
  return amount < 0n && !isUnansweredWithdrawal(polled, asset, -amount)
}

function isUnansweredWithdrawal(polled: FillsPolled, asset: Asset, amount: bigint): boolean {
  return polled.unknownWithdrawals.some((one) => one.asset === asset && one.amount === amount)
}

type BookingRule = { readonly kind: 'adjustment' | 'deposit' | 'withdrawal'; readonly reason: string }

function ruleFor(
  state: CompletenessState,
  polled: FillsPolled,
  asset: Asset,
  amount: bigint,
): BookingRule | null {
  if (amount < 0n) {
    const sent = isUnansweredWithdrawal(polled, asset, -amount)
    return sent ? { kind: 'withdrawal', reason: 'a withdrawal without an answer did go out' } : null
  }
  if (state.sweepPending) return { kind: 'deposit', reason: 'seen at the sweep' }
  return amount <= polled.settings.dustUnits[asset] ? { kind: 'adjustment', reason: 'dust' } : null
}
