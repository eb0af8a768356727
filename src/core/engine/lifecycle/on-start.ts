import { reportUnknownWithdrawal } from '../withdrawals/report-move.ts'
import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import { holdPoll, restartPolls } from '../../pacing/reschedule.ts'
import { resumeOrders } from '../../rfq/state.ts'
import { overrideTexts } from '../model/config-event.ts'
import type { ClockJumpedEvent, StartedEvent } from '../model/event.ts'
import { reportQuoteStatus } from '../quote/reconcile-quote.ts'
import { awaitFeeds } from '../market/on-reference.ts'
import type { Transition } from '../transition.ts'
import { applyConfig, applyOverrides } from './on-config.ts'
import { applyWithdrawRules } from '../withdrawals/on-request.ts'
import { dropApproved } from '../decision/pending.ts'
import { forgetFailures } from '../requests/key-access.ts'
import { dropRequests } from '../requests/requests.ts'
import { restartOrders } from '../model/order-state.ts'
import { recordUnclearSweep } from '../activation/half-sweep.ts'
import { restartDrain } from '../activation/drain.ts'
import { restartActivation } from '../model/activation-state.ts'
import { restartGap } from '../../market/execution-mid.ts'
import { restartQuoting } from '../../quoting/confirmation.ts'

const BALANCES_PATIENCE_MS = 3_000

/**
 * A process takes over. Requests in flight have an unknown outcome, the quote is read back, the books are compared again, and
 * latches are kept.
 */
export function handleStarted(transition: Transition, event: StartedEvent): void {
  const { state, now } = transition
  state.processStartedAt = now
  state.version = event.version
  state.exiting = false
  dropApproved(state)
  forgetFailures(state)
  state.received = { account: false, rate: false, balances: false, fills: false }
  let enteredAt: Ms | null = null
  for (const request of dropRequests(state)) {
    if (request.what === 'withdraw') reportUnknownWithdrawal(transition, request)
    if (request.what === 'activate' && request.isActive) recordUnclearSweep(state)
    if (event.isHandOver && request.what === 'activate' && request.isActive) enteredAt = request.sentAt
  }
  // Every order is live until the chain shows its end; one that was being signed or sent may exist.
  resumeOrders(state.rfq)
  restartOrders(state.orders)
  restartGap(state.market, now)
  restartActivation(state.activation, now, enteredAt)
  restartDrain(state.activation, now)
  restartPolls(state.pacing, event.isHandOver === true)
  // Balances cannot be compared before the first answer of fills, which requests them.
  holdPoll(state.pacing, 'balances', now + BALANCES_PATIENCE_MS)
  // The two public probes alternate, so a new mid is seen in half the time.
  holdPoll(state.pacing, 'publicAsk', now + publicOffset(event.config.pacing.publicRequestsPerMinute))
  const before = state.quoting.status
  restartQuoting(state.quoting, now, event.isHandOver === true)
  reportQuoteStatus(transition, before)
  applyWithdrawRules(transition, state.config.withdraw, event.config.withdraw)
  applyConfig(transition, event.config)
  applyOverrides(transition, event.overrides)
  reportOverrides(transition)
  awaitFeeds(transition)
  transition.requestDecision('start')
}

/** Reports the values that apply on top of the configuration file. */
function reportOverrides({ state, inform }: Transition): void {
  const set = overrideTexts(state.overrides)
  if (set.length === 0) return
  inform('overrides', `continues with the settings made over HTTP on top of the file: ${set.join(', ')}`)
}

/** Returns half the time between two probes of one side; each side has half of the public requests. */
function publicOffset(perMinute: number): Ms {
  return perMinute > 0 ? MINUTE_MS / perMinute : 0
}

/** Alerts about a jump of the machine's clock, which the core's time does not follow. */
export function handleClockJumped({ alert, inform }: Transition, { aheadMs }: ClockJumpedEvent): void {
  if (aheadMs === 0) {
    const message = "the machine's clock agrees with the time that passed again"
    inform('clock-jump', message)
    return
  }
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const remedy =
    aheadMs > 0
      ? 'If the clock is wrong, correct it: no restart is needed. If it is right, restart the daemon, which then uses it if the clock of the venue agrees'
      : `If the clock is wrong, correct it: no restart is needed. If it is right, an earlier clock was ahead: stop the daemon and start it no sooner than ${seconds} s later; until then it trades by its own time`
  const where = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
  alert(
    'clock-jump',
    `the machine's clock jumped: it is ${where} the daemon's time, which does not follow it. ${remedy}`,
  )
}
