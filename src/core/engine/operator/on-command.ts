import { isLive } from '../../rfq/open-order.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import { formatRate, type Rate } from '../../../base/money/rate.ts'
import { forgetMismatches } from '../../quoting/confirmation.ts'
import type { OperatorCommand, OperatorEvent } from '../model/event.ts'
import type { EngineState, UsedKey } from '../model/state.ts'
import { encodeJson } from '../../../base/codec.ts'
import { type CommandAnswer, no, yes } from '../../../base/command-answer.ts'
import { reviveStrategy } from '../decision/decide.ts'
import { acceptMid } from '../market/on-rate.ts'
import { settleBreach } from '../../risk/fill-price.ts'
import { priceMemory } from '../safeguards/quote-history.ts'
import { acceptWallet } from '../safeguards/foreign-writes.ts'
import { overrideProblem, reviewDone } from '../safeguards/review.ts'
import {
  bookingOf,
  type Difference,
  differenceText,
  isSameDifference,
} from '../../../base/money/difference.ts'
import { presentDifference, type ReconciliationState } from '../../ledger/reconciliation/state.ts'
import { acceptRows } from '../accounting/unreadable.ts'
import { bookTopUp, bookUnreconciled } from '../accounting/transfers.ts'
import { isOfOtherWallet } from '../../rfq/state.ts'
import type { Transition } from '../transition.ts'
import {
  approveWithdrawal,
  cancelWithdrawals,
  holdWithdrawals,
  requestWithdrawal,
} from '../withdrawals/on-request.ts'
import { acknowledgeLeaving, foreignWriteOf, halt, liftLatch, pause } from '../../risk/latch.ts'
import { beginExit } from '../lifecycle/exit-report.ts'
import { forgetFailures } from '../requests/key-access.ts'
import { allowSigning, requestCancels } from '../model/order-state.ts'
import { requestActivation } from '../model/activation-state.ts'
import { whyDraining } from '../activation/drain.ts'
import { startLeaving } from '../activation/leaving.ts'

/** The end of the answer to a deactivation, which must not claim more than the venue has confirmed. */
const UNTIL_THE_END =
  'repeated until the venue and the wallet confirm it; `mizani status` shows what is missing'

type Resume = Extract<OperatorCommand, { name: 'resume' }>

/** Executes a command of an operator, within the limits of risk. */
export function handleOperator(transition: Transition, event: OperatorEvent): void {
  const { command, who, why, key } = event
  const before = answerBefore(transition, event)
  const { accepted, answer } = before ?? execute(transition, command, who, why)
  if (before === null && accepted && key !== undefined)
    rememberKey(transition.state, { key, command: encodeJson(command), answer })
  transition.emit({ type: 'operator', t: transition.now, who, why, command: command.name, accepted, answer })
  transition.requestDecision('timer')
}

function execute(transition: Transition, command: OperatorCommand, who: string, why: string): CommandAnswer {
  const { state, now } = transition
  switch (command.name) {
    case 'pause':
      pause(state.latch, `paused by ${who}: ${why}`, now)
      return yes('paused: both sides go to the safe quote until resume')
    case 'halt':
      halt(state.latch, 'operator', `halted by ${who}: ${why}`, now)
      holdWithdrawals(transition)
      return yes('trading is halted; only `resume` lifts it, a restart does not')
    case 'resume':
      return resume(transition, command, { who, why })
    case 'acceptMid':
      return adoptMid(transition, command.mid, `${who}: ${why}`)
    case 'activate':
      if (state.latch.halted !== null)
        return no(`trading is halted (${state.latch.halted.why}); resume first`)
      if (state.latch.foreign.transfer !== undefined)
        return no(`${state.latch.foreign.transfer.why}; resume first`)
      if (state.config.rfq !== null)
        return no(
          'capital is in self-custody (rfq in the configuration); `mizani custody disable` brings it back first',
        )
      return activation(transition, true)
    case 'deactivate':
      return command.insists === true ? leave(transition, command) : activation(transition, false)
    case 'cancelOrders':
      return cancelByOperator(transition, command.salts)
    case 'stopSigning':
      if (state.config.rfq === null) return no('nothing is signed: the configuration has no rfq section')
      return yes(
        'the signer signs no more orders and raises no allowance; `mizani rfq stop-at never` lifts the stop',
      )
    case 'shutdown':
      beginExit(state)
      return yes(`leaving the position as quote.onExit requires: ${state.config.quote.onExit}`)
    case 'withdraw':
      return requestWithdrawal(transition, command, who)
    case 'topUp':
      return topUp(transition, command)
    case 'approveWithdrawal':
      return approveWithdrawal(transition, command.key, command.by ?? null, who)
    case 'cancelWithdrawal':
      return cancelWithdrawals(transition, command.key, who)
    case 'ack':
      // The shell repeats alerts; the journal only records who acknowledged them.
      return yes(`acknowledged: ${command.codes.join(', ')}`)
  }
}

const KEPT_KEYS = 1_000

function rememberKey(state: EngineState, used: UsedKey): void {
  const others = state.usedKeys.filter(({ key }) => key !== used.key)
  state.usedKeys = [...others, used].slice(-KEPT_KEYS)
}

/** Returns the earlier answer under the same key, so that the command is not executed twice; null = the key is new. */
function answerBefore({ state }: Transition, { key, command }: OperatorEvent): CommandAnswer | null {
  const used = state.usedKeys.find((one) => one.key === key)
  if (used === undefined) return null
  if (used.command !== encodeJson(command))
    return no('this Idempotency-Key belongs to another command; use a new one')
  const undone = whyUndone(state, command)
  if (undone === null) return yes(`${used.answer} (already done under this key; not repeated)`)
  return no(
    `this was already done under this key but undone since: ${undone}. It was not repeated; send it with a new key`,
  )
}

function whyUndone({ latch, activation }: EngineState, { name }: OperatorCommand): string | null {
  const stop = latch.halted?.why ?? (name === 'resume' ? latch.paused?.why : undefined)
  if (stop !== undefined) return stop
  return name === 'activate' && activation.wanted !== true ? 'the position was taken out of the market' : null
}

function adoptMid(transition: Transition, mid: Rate, by: string): CommandAnswer {
  const refused = acceptMid(transition, mid, by)
  return refused === null ? yes('the mid is adopted') : no(refused)
}

function resume(
  transition: Transition,
  command: Resume,
  by: { readonly who: string; readonly why: string },
): CommandAnswer {
  const { state } = transition
  const { latch, reconciliation, strategy } = state
  const { book = null, reviewUntil: until = null, expect } = command
  const difference = expect ?? reconciliation.unreconciled
  const changed = book === null || expect === undefined ? null : whyNotBooked(reconciliation, expect)
  const wrong = changed ?? (book === null ? null : wrongSign(difference, book))
  const tooLong = until === null ? null : overrideProblem(state, until, transition.now)
  const problem = wrong ?? tooLong
  if (problem !== null) return no(problem)
  if (
    book === null &&
    reconciliation.state === 'break' &&
    Object.values(reconciliation.unreconciled).some((amount) => amount !== 0n)
  ) {
    const named = `\`mizani resume --book ${bookingOf(reconciliation.unreconciled)}\``
    return no(`balances are still unreconciled: ${named} books the difference; --book adjustment always does`)
  }
  const { acceptMid: named } = command
  const author = `${by.who}: ${by.why}`
  const refused = named === undefined ? null : acceptMid(transition, named, author)
  if (refused !== null) return no(refused)
  if (book !== null) bookUnreconciled(transition, book, difference, author)
  const due = state.review?.due ?? null
  const { suspended } = strategy
  const lifted = [...liftLatch(latch, state.config.rfq !== null), ...(due === null ? [] : [due])]
  forgetFailures(state)
  allowSigning(state.orders)
  forgetMismatches(state.quoting)
  settleBreach(priceMemory(state))
  const rows = acceptRows(transition)
  acceptWallet(transition)
  reviewDone(state, by, until)
  if (suspended !== null) reviveStrategy(transition)
  if (suspended !== null && strategy.suspended === null) lifted.push(suspended)
  transition.expedite('account')
  const done = named === undefined ? [] : [`the mid ${formatRate(named)} is adopted`]
  if (lifted.length > 0) done.push(`lifted: ${lifted.join('; ')}`)
  if (rows !== null) done.push(rows)
  const waits = stillWaits(transition)
  if (waits !== null) done.push(waits)
  const foreign = foreignWriteOf(latch)
  if (foreign !== null) done.push(`still latched, until \`activate\`: ${foreign.why}`)
  return yes(done.length === 0 ? 'nothing was held back' : done.join('; '))
}

/** A resume alone adopts no mid: the operator has to compare both and name the new one. */
function stillWaits({ state }: Transition): string | null {
  const { mid, pending } = state.market
  if (pending === null) return null
  const [inForce, waiting] = [mid === null ? 'none' : formatRate(mid), formatRate(pending.mid)]
  return `the mid ${waiting} still waits (in force: ${inForce}): \`resume --accept-mid ${waiting}\` adopts it`
}

/** Returns why a difference is not booked: it has changed since the operator saw it, or is not confirmed; null = it is booked. */
function whyNotBooked(reconciliation: ReconciliationState, expected: Difference): string | null {
  const present = presentDifference(reconciliation)
  const text = differenceText(present)
  if (text === '') return 'nothing was booked: balances and ledger agree'
  if (!isSameDifference(present, expected))
    return `nothing was booked: the difference is now ${text}, but ${differenceText(expected) || 'none'} was expected`
  if (reconciliation.state !== 'break' && reconciliation.run < 2)
    return `nothing was booked: the difference ${text} was read only once and is being confirmed; try again in a few seconds`
  return null
}

/** Returns why the sign of a difference contradicts the kind of the booking; null = it does not. */
function wrongSign(difference: Difference, book: 'adjustment' | 'deposit' | 'withdrawal'): string | null {
  if (book === 'adjustment') return null
  const wrong = ASSETS.find((asset) => {
    const amount = difference[asset] ?? 0n
    return book === 'deposit' ? amount < 0n : amount > 0n
  })
  if (wrong === undefined) return null
  return `${wrong} ${book === 'deposit' ? 'is missing, so it is not a deposit' : 'was added, so it is not a withdrawal'}; --book adjustment accepts both`
}

function activation(transition: Transition, isActive: boolean): CommandAnswer {
  const { state, now } = transition
  if (state.config.mode === 'dry-run') return no('this is a dry run: nothing is changed at the venue')
  if (isActive) acknowledgeLeaving(state.latch)
  if (requestActivation(state.activation, isActive, now))
    return yes('the position is already active; it is activated again to sweep the tokens sent to its wallet')
  if (state.activation.isActive === isActive) return yes('the position is already inactive')
  return yes(
    isActive ? 'the position goes active once the quote is known' : 'the position is taken out of the market',
  )
}

/** Starts a deactivation regardless of the account: one that the venue set inactive may still have tokens in the pool. */
function leave(
  transition: Transition,
  { wallet, now: isHurried }: Extract<OperatorCommand, { name: 'deactivate' }>,
): CommandAnswer {
  const { state, now } = transition
  if (state.config.mode === 'dry-run') return no('this is a dry run: nothing is changed at the venue')
  const named = state.wallet?.named ?? null
  if (named !== null && wallet?.toLowerCase() !== named)
    return no(
      `the account names the wallet ${named} since ${state.wallet?.pinned} was first named, and the tokens would go there; if it is yours: \`mizani deactivate --wallet ${named}\` (over HTTP the field wallet)`,
    )
  requestActivation(state.activation, false, now)
  startLeaving(state, now, isHurried === true)
  const waits = state.activation.leaving ? whyDraining(state, state.activation.leaving) : null
  return yes(`${waits ?? 'the deactivation is sent now'}; it is ${UNTIL_THE_END}`)
}

function topUp(transition: Transition, command: Extract<OperatorCommand, { name: 'topUp' }>): CommandAnswer {
  if (transition.state.config.mode === 'dry-run')
    return no('this is a dry run: nothing came to the wallet of the venue')
  if (command.amount <= 0n) return no('the amount must be more than zero')
  return yes(
    bookTopUp(transition, command)
      ? 'booked as a deposit into the wallet; the next activation sweeps it into the pool'
      : 'already booked; not booked again',
  )
}

function cancelByOperator({ state }: Transition, salts: readonly bigint[] | null): CommandAnswer {
  const { rfq: settings, mode } = state.config
  if (settings === null) return no('there are no orders: the configuration has no rfq section')
  if (mode === 'dry-run') return no('this is a dry run: nothing is changed on the chain')
  if (isOfOtherWallet(state.rfq, settings))
    return no(
      'the orders belong to another wallet, exchange or chain; restore the former rfq section, then cancel them',
    )
  const standing = Object.values(state.rfq.openOrders).filter(isLive)
  const wanted = salts ?? standing.map(({ order }) => order.salt)
  const unknown = wanted.find((salt) => !standing.some(({ order }) => order.salt === salt))
  if (unknown !== undefined) return no(`no open order has salt ${unknown}`)
  if (wanted.length === 0) return yes('there are no outstanding orders to cancel')
  requestCancels(state.orders, wanted)
  const orders = wanted.length === 1 ? '1 order is' : `${wanted.length} orders are`
  return yes(`${orders} being cancelled on chain; \`mizani rfq list\` shows when that took effect`)
}
