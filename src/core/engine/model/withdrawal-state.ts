import { DAY_MS, type Ms } from '../../../base/time.ts'
import type { WithdrawConfig } from './config.ts'
import type { Asset, TokenAmount } from '../../../base/money/asset.ts'

/** A requested withdrawal and its stage. */
export type WithdrawalRequest = {
  readonly key: string
  readonly asset: Asset
  readonly amount: TokenAmount
  readonly toAddress: string
  readonly who: string
  /** The token that requested it; null = requested without a token, so it cannot be approved. */
  readonly by: string | null
  readonly requestedAt: Ms
  stage: 'waiting' | 'approved' | 'sent' | 'done' | 'failed' | 'unknown' | 'cancelled' | 'expired'
  approvedBy: string | null
  /** When it leaves, once it is approved. */
  sendAt: Ms | null
  /** When a halt held it after its approval; it then needs another approval. Absent = not held. */
  heldAt?: Ms | undefined
}

type SentWithdrawal = {
  at: Ms
  asset: Asset
  amount: TokenAmount
  /** The transfer on chain that executed it; absent = not seen yet. */
  transfer?: string
}

export type WithdrawalState = {
  /** Withdrawals sent within the last day, regardless of outcome: an unknown outcome counts as spent. */
  sent: SentWithdrawal[]
  /** Withdrawals without a clear answer, until the balances show their outcome, for a day at most. */
  unknown: { at: Ms; asset: Asset; amount: TokenAmount }[]
  /** When a halt last held approved withdrawals; null = never. */
  heldSince: Ms | null
  /** By their keys, oldest first. */
  requests: WithdrawalRequest[]
  /** Since when each destination is listed, in lower case; 0 = since the first configuration. */
  destinations: Record<string, Ms>
  /** Keys of the treasury's transfers into the wallet that were booked, oldest first. */
  topUps: string[]
}

export function createWithdrawals(config: WithdrawConfig): WithdrawalState {
  return {
    sent: [],
    unknown: [],
    heldSince: null,
    requests: [],
    destinations: listed(config.destinations, {}, 0),
    topUps: [],
  }
}

/** Since when each address is listed, in lower case. */
export function listed(
  destinations: readonly string[],
  before: Readonly<Record<string, Ms>>,
  now: Ms,
): Record<string, Ms> {
  return Object.fromEntries(
    destinations.map((address) => {
      const name = address.toLowerCase()
      return [name, before[name] ?? now]
    }),
  )
}

type Outflow = { readonly asset: Asset; readonly amount: TokenAmount; readonly key?: string }

/** A request in one of these stages may have left. */
const LEFT: readonly WithdrawalRequest['stage'][] = ['sent', 'done', 'unknown']

/** A transfer of tokens out of the wallet, as the chain shows it. */
type SeenTransfer = {
  /** `transaction:log index`. */
  readonly key: string
  readonly asset: Asset
  readonly amount: TokenAmount
  readonly to: string
}

/**
 * Returns whether this transfer executes a withdrawal sent within a day. Each withdrawal accounts for one transfer of its
 * amount, and the transfer has to go to the address of a withdrawal of that amount: a theft to another address is not mistaken
 * for it.
 */
export function isWithdrawalTransfer(
  { sent, requests }: WithdrawalState,
  seen: SeenTransfer,
  now: Ms,
): boolean {
  if (sent.some(({ transfer }) => transfer === seen.key)) return true
  const isOfAmount = (one: { asset: Asset; amount: TokenAmount }) =>
    one.asset === seen.asset && one.amount === seen.amount
  const executed = sent.find((one) => one.transfer === undefined && now - one.at <= DAY_MS && isOfAmount(one))
  // Journals of versions without keys have withdrawals without a request: their address is not known.
  const named = requests.filter((one) => isOfAmount(one) && LEFT.includes(one.stage))
  const isToThere =
    named.length === 0 || named.some(({ toAddress }) => toAddress.toLowerCase() === seen.to.toLowerCase())
  if (executed === undefined || !isToThere) return false
  executed.transfer = seen.key
  return true
}

/** Ends a withdrawal that was sent, by the venue's answer or as unknown after a restart. */
export function endWithdrawal(
  withdrawals: WithdrawalState,
  key: string | undefined,
  stage: 'done' | 'failed' | 'unknown',
): void {
  const request = withdrawals.requests.find((one) => key !== undefined && one.key === key)
  if (request?.stage === 'sent') request.stage = stage
}

const REMEMBERED_TOP_UPS = 1_000

/** Records a transfer into the wallet and returns whether it is new. */
export function recordTopUp(withdrawals: WithdrawalState, key: string): boolean {
  if (withdrawals.topUps.includes(key)) return false
  withdrawals.topUps = [...withdrawals.topUps, key].slice(-REMEMBERED_TOP_UPS)
  return true
}

/** Records a withdrawal without a clear answer: the balances will show its outcome. */
export function recordUnknownWithdrawal(
  withdrawals: WithdrawalState,
  { asset, amount, key }: Outflow,
  at: Ms,
): void {
  endWithdrawal(withdrawals, key, 'unknown')
  withdrawals.unknown.push({ at, asset, amount })
}

/** The balances show that a withdrawal with an unknown outcome was executed. Returns it; null = no withdrawal was unknown. */
export function settleUnknownWithdrawal(withdrawals: WithdrawalState, booked: Outflow): Outflow | null {
  const { unknown, requests } = withdrawals
  const isBooked = ({ asset, amount }: Outflow) => asset === booked.asset && amount === booked.amount
  const at = unknown.findIndex(isBooked)
  if (at < 0) return null
  unknown.splice(at, 1)
  const request = requests.find((one) => one.stage === 'unknown' && isBooked(one))
  if (request === undefined) return { asset: booked.asset, amount: booked.amount }
  request.stage = 'done'
  return request
}

/** Returns the part of the day's cap that a failed withdrawal used. */
export function forgetWithdrawal(
  withdrawals: WithdrawalState,
  failed: Outflow & { readonly sentAt: Ms },
): void {
  endWithdrawal(withdrawals, failed.key, 'failed')
  const at = withdrawals.sent.findIndex(
    (sent) => sent.at === failed.sentAt && sent.asset === failed.asset && sent.amount === failed.amount,
  )
  if (at >= 0) withdrawals.sent.splice(at, 1)
}
