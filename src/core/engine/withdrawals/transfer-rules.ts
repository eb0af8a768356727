import { reportMove } from './report-move.ts'
import { isGuardMissing } from '../model/guard-state.ts'
import { DAY_MS, MINUTE_MS, type Ms, SECOND_MS } from '../../../base/time.ts'
import {
  type Asset,
  type BookAmount,
  formatAmount,
  formatTokens,
  isStable,
  toBook,
  type TokenAmount,
} from '../../../base/money/asset.ts'
import { RATE_ONE, type Rate } from '../../../base/money/rate.ts'
import { maySend } from '../../pacing/budget.ts'
import { committed } from '../../rfq/commitment.ts'
import type { WithdrawConfig } from '../model/config.ts'
import type { EngineState } from '../model/state.ts'
import { isWithdrawing, openRequest } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'

/** A transfer out of the wallet. */
type Transfer = { readonly asset: Asset; readonly amount: bigint; readonly toAddress: string }

/** A new destination receives nothing until it has been listed for this time. */
const NEW_DESTINATION_MS = DAY_MS

/**
 * Returns whether requests, approvals and waiting destinations are in force. Configurations in older journals lack the setting.
 */
export function isGuarded(rules: WithdrawConfig): boolean {
  return rules.approvalAboveUsd !== undefined
}

/** Returns why the configuration forbids a transfer; null = it is allowed. */
export function forbiddenTransfer(
  { state, now }: Transition,
  { asset, amount, toAddress }: Transfer,
): string | null {
  const { withdraw: rules } = state.config
  if (!rules.enabled) return 'withdrawals are off; withdraw.enabled in the configuration turns them on'
  if (amount <= 0n) return 'the amount must be more than zero'
  const to = toAddress.toLowerCase()
  if (!rules.destinations.some((allowed) => allowed.toLowerCase() === to))
    return `${toAddress} is not among withdraw.destinations`
  const since = isGuarded(rules) ? (state.withdrawals.destinations[to] ?? now) : 0
  if (since > 0 && now - since < NEW_DESTINATION_MS)
    return `${toAddress} is new in withdraw.destinations; it receives nothing for another ${spanText(since + NEW_DESTINATION_MS - now)}, until 24 hours after it was added`
  const cap = rules.maxPerDay[asset]
  const total = spentToday(state, now, asset) + amount
  if (cap !== undefined && total <= cap) return null
  const limit = cap === undefined ? 'no cap, so nothing' : formatTokens(cap, asset)
  return `withdraw.maxPerDay allows ${limit} of ${asset}; this would make ${formatTokens(total, asset)} in 24 hours`
}

export const DRY_RUN = 'this is a dry run: nothing is changed at the venue'

/** Returns why a transfer cannot be sent now; null = it can. */
export function transferObstacle(transition: Transition, { asset, amount }: Transfer): string | null {
  const { state, now } = transition
  if (state.config.mode === 'dry-run') return DRY_RUN
  if (isGuardMissing(state)) return 'the lease at the guard is not held: `mizani guard status` shows why'
  if (state.activation.inFlight !== null)
    return 'the position is entering or leaving the market; wait until that is complete'
  if (!isInWallet(state, asset, amount))
    return 'withdrawals leave from the wallet: deactivate first, and wait until the tokens are back'
  const missing = promisedTo(state, asset, amount)
  if (missing > 0n && committed(state.rfq)[asset] > 0n)
    return `${formatAmount(missing)} ${asset} of that is committed to signed orders; \`mizani rfq cancel-all\`, and wait until the chain confirms it`
  state.withdrawals.unknown = state.withdrawals.unknown.filter((unknown) => now - unknown.at < DAY_MS)
  if (state.withdrawals.unknown.some((unknown) => unknown.asset === asset))
    return `an earlier withdrawal of ${asset} has an unknown outcome; wait until the balances show it, a day at most`
  if (isWithdrawing(state)) return 'another withdrawal is in progress'
  return maySend(state.pacing, state.config.pacing, now, 'safety')
    ? null
    : "this key's request budget is used up for now; try again in a minute"
}

/** Sends a transfer once, and counts it against the day's cap whatever its outcome. */
export function sendTransfer(
  transition: Transition,
  { asset, amount, toAddress, who }: Transfer & { readonly who: string },
  key: string | null,
): void {
  const { state, now } = transition
  state.withdrawals.sent = [
    ...state.withdrawals.sent.filter((sent) => now - sent.at < DAY_MS),
    { at: now, asset, amount },
  ]
  const named = key === null ? {} : { key }
  reportMove(transition, { asset, amount, toAddress, who, ...named }, 'sent')
  const id = openRequest(
    transition,
    { what: 'withdraw', sentAt: now, asset, amount, ...named },
    'safetyWrite',
  )
  transition.send({ type: 'withdraw', id, asset, amount, toAddress })
}

/**
 * Returns whether another token has to approve a transfer. Transfers of the last 24 hours count, so a large sum cannot be split.
 * A transfer that cannot be valued needs approval.
 */
export function needsApproval({ state, now }: Transition, { asset, amount }: Transfer): boolean {
  const { approvalAboveUsd } = state.config.withdraw
  if (approvalAboveUsd === undefined || approvalAboveUsd === null) return false
  const today = state.withdrawals.sent.filter((sent) => now - sent.at < DAY_MS)
  const values = [...today, { asset, amount }].map((one) => usdOf(one.asset, one.amount, state.market.mid))
  return (
    values.includes(null) || values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n) > approvalAboveUsd
  )
}

export function transferText({ asset, amount, toAddress }: Transfer): string {
  return `${formatTokens(amount, asset)} ${asset} to ${toAddress}`
}

const MINUTES_AN_HOUR = 60

/** Returns a duration as text, rounded up to minutes, or to seconds if it is shorter: `23 h 59 min`, `20 s`. */
export function spanText(ms: Ms): string {
  if (ms < MINUTE_MS) return `${Math.ceil(ms / SECOND_MS)} s`
  const minutes = Math.ceil(ms / MINUTE_MS)
  const hours = Math.floor(minutes / MINUTES_AN_HOUR)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % MINUTES_AN_HOUR} min`
}

/** Returns whether the wallet has the tokens: all of an inactive position, or what a partial deactivation returned. */
function isInWallet(state: EngineState, asset: Asset, amount: bigint): boolean {
  if (state.activation.isActive === false) return true
  const isWantedOut = state.activation.wanted === false || state.approvedTarget?.kind === 'deactivate'
  const isLeaving = state.activation.isActive === true && isWantedOut
  return (
    isGuarded(state.config.withdraw) &&
    isLeaving &&
    state.book.accounts.wallet[asset] >= toBook(amount, asset)
  )
}

function spentToday({ withdrawals }: EngineState, now: Ms, asset: Asset): bigint {
  const spent = withdrawals.sent.filter((sent) => sent.asset === asset && now - sent.at < DAY_MS)
  return spent.reduce((sum, sent) => sum + sent.amount, 0n)
}

/** Dollars at 18 decimals; null = there is no mid to value shillings at. */
function usdOf(asset: Asset, amount: bigint, mid: Rate | null): bigint | null {
  if (isStable(asset)) return toBook(amount, asset)
  return mid === null || mid <= 0n ? null : (amount * RATE_ONE) / mid
}

/** Returns how much of a withdrawal is committed to open orders, which could not be filled without it. */
function promisedTo({ book, rfq }: EngineState, asset: Asset, amount: TokenAmount): BookAmount {
  const left = book.accounts.wallet[asset] - committed(rfq)[asset]
  const wanted = toBook(amount, asset)
  return wanted > left ? wanted - left : 0n
}
