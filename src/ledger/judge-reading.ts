import { ASSETS, type Amounts, type Asset } from '../money/asset.ts'
import type { CompletenessState, Reading } from './completeness.ts'
import type { FillsPolled } from './on-fills-polled.ts'
import { noteMatch } from './fee-learning.ts'
import type { PostedFill } from './fee-model.ts'
import { noteIncomparable } from './note-incomparable.ts'
import { closeHistory } from './remember-fill.ts'
import type { Instruction } from './instruction.ts'
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
): void {
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
    return
  }
  state.incomparable = 0
  if (!state.opened) {
    open(state, reading, polled, fresh, out)
    return
  }
  const ledger = ledgerAt(reading, polled.accounts)
  const venue = openLateAssets(state, reading, polled, ledger, fresh, out)
  const input: MatchInput = { venue, ledger, fills, learning: state.fees }
  const match = matchReading(input)
  if (match !== null) settle(state, reading, polled, fills, match, out)
  else suspect(state, reading, polled, input, out)
}

/**
 * The pool stands alone; what of it is in the wallet after a partial deactivation is out of sight. An
 * inactive position is all in the wallet, also what a fill that was reported late left on the pool.
 */
function ledgerAt(reading: Reading, accounts: FillsPolled['accounts']): Amounts {
  const ledger = { ...accounts[reading.where] }
  if (reading.where === 'wallet') for (const asset of ASSETS) ledger[asset] += accounts.pool[asset]
  return ledger
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
  fills: readonly PostedFill[],
  match: Match,
  out: Instruction[],
): void {
  const switched = match.model !== state.fees.model
  const why = switched
    ? match.model === 'none'
      ? 'the balances show that the protocol fee is not taken from the position'
      : 'the balances show that the protocol fee is taken from the position'
    : 'the venue rounds the protocol fee the other way'
  noteMatch(state.fees, match.model, fills.slice(fills.length - match.after))
  forgetReadings(state, state.voidBefore)
  state.sweepPending = false
  state.matchedAt = reading.t
  if (switched) out.push({ do: 'say-fee-model', model: match.model, why })
  for (const asset of ASSETS) {
    const amount = match.corrections[asset]
    if (amount === undefined) continue
    state.voidBefore = polled.t
    out.push({ do: 'correct-fee', asset, amount, where: reading.where, reason: why })
  }
  sayVerdict(state, out, 'complete', 'balances equal the ledger to the last unit', {})
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
 * The difference is a fact: book what a rule explains, call the rest a gap. While something is missing,
 * no inflow is explained away: units out against units in are what a fill looks like that we do not know.
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
    sayVerdict(state, out, 'gap', 'balances and ledger differ and nothing explains it', unexplained)
    return
  }
  state.sweepPending = false
  noteMatch(state.fees, state.fees.model, [])
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
