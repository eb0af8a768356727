import { encodeJson } from '../../../base/codec.ts'
import type { Deposit } from '../../../treasury/api/deposits/deposit.ts'
import { readFigure } from '../../../treasury/api/kit/read-answer.ts'
import type { PartnerOutcome } from '../../../treasury/api/outcome.ts'
import type { RampSettlement } from '../../../treasury/api/ramp/settlement.ts'
import type { SwapResult } from '../../../treasury/api/swap/swap.ts'
import type { Transfer } from '../../../treasury/api/transfers/transfer.ts'
import type { Withdrawal } from '../../../treasury/api/withdrawals/withdrawal.ts'
import type { LegPlace } from '../../../treasury/model/effect.ts'
import type { LegFacts, ResourceStatus, TreasuryEvent } from '../../../treasury/model/event.ts'
import type { Leg, LegKind } from '../../../treasury/model/intent.ts'
import { SHILLING } from '../../../treasury/policy/units.ts'
import type { Performing } from './performer-parts.ts'

const NO_FACTS = { reference: null, instructions: null, received: null, fee: null } as const

export function depositFacts(deposit: Deposit): LegFacts {
  const { id, status, amountTzs, reference } = deposit
  const open = {
    ...NO_FACTS,
    resourceId: id,
    reference,
    instructions: instructionsOf(deposit),
    words: status,
  }
  switch (status) {
    case 'completed':
      return { ...open, status: 'completed', received: units(amountTzs), instructions: null }
    case 'failed':
      return { ...open, status: 'failed' }
    case 'review':
      return { ...open, status: 'review', words: 'the payment did not match: the venue holds it for review' }
    case 'submitted':
    case 'pending':
      return { ...open, status: 'waiting_for_payer' }
    default:
      return { ...open, status: 'other' }
  }
}

/** Returns the venue's instructions, one field per line; without any, the reference and the amount. */
function instructionsOf({ instructions, reference, amountTzs }: Deposit): string | null {
  if (typeof instructions === 'string') return instructions
  const fields = instructions ?? { reference, amountTzs }
  const lines = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return lines.length === 0 ? null : lines.map(([name, value]) => `${name}: ${shown(value)}`).join('\n')
}

/** Shows an object as JSON: its `toString` may be data of the venue. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'bigint' ? value.toString() : encodeJson(value)
}

export function transferFacts(transfer: Transfer): LegFacts {
  const { id, status, txHash, recipientAmountTzs, recipientAmount, feeAmountTzs } = transfer
  const received = units(recipientAmountTzs) ?? recipientAmount
  const facts = { ...NO_FACTS, resourceId: id, reference: txHash, words: status }
  if (status === 'completed') return { ...facts, status, received, fee: units(feeAmountTzs) }
  if (status === 'failed') return { ...facts, status }
  return { ...facts, status: status === 'pending' ? 'in_transit' : 'other' }
}

export function withdrawalFacts(withdrawal: Withdrawal): LegFacts {
  const { id, receiveAmountTzs, totalFeeTzs, payoutReference, message, confirmationMessage } = withdrawal
  const status = withdrawalStatus(withdrawal)
  const received = status === 'completed' ? units(receiveAmountTzs) : null
  const words =
    confirmationMessage ?? message ?? `${withdrawal.status}, ${withdrawal.payoutStatus ?? 'no status'}`
  const fee = status === 'completed' ? units(totalFeeTzs) : null
  return { ...NO_FACTS, resourceId: id, status, reference: payoutReference, received, fee, words }
}

/** Uses the status of the payment; if that is not reported yet, the status of the burn. */
function withdrawalStatus({ status, payoutStatus }: Withdrawal): ResourceStatus {
  if (payoutStatus === 'reconcile_required') return payoutStatus
  if (payoutStatus === 'completed' || status === 'paid') return 'completed'
  if (payoutStatus === 'reverted' || status === 'reverted') return 'reverted'
  if (status === 'failed') return 'failed'
  if (status === 'requested') return 'queued'
  return status === 'burned' || status === 'pending' ? 'in_transit' : 'other'
}

export function settlementFacts(settlement: RampSettlement): LegFacts {
  const { settlementId, status, returnedAsTokenTo, txHash, feeTzs } = settlement
  const facts = { ...NO_FACTS, resourceId: settlementId, reference: txHash, words: status }
  if (status === 'completed') return { ...facts, status, fee: units(feeTzs) }
  if (status === 'reconcile_required') return { ...facts, status }
  if (status === 'paying_out' || status === 'minting') return { ...facts, status: 'in_transit' }
  if (status !== 'failed' && status !== 'reverted') return { ...facts, status: 'other' }
  const back = returnedAsTokenTo === null ? '' : `, returned as the token to ${returnedAsTokenTo}`
  return { ...facts, status: 'reverted', words: `${status}${back}` }
}

/** Returns null if the outcome is unknown: a swap that failed after its first transfer has left our wallet. */
export function swapFacts({ status, txHash, sentTxHash, words }: SwapResult): LegFacts | null {
  const facts = { ...NO_FACTS, resourceId: null, reference: txHash, words: words ?? status }
  if (status === 'FILLED') return { ...facts, status: 'completed' }
  return sentTxHash === null ? { ...facts, status: 'failed' } : null
}

/** Returns the facts of a money call's answer; null = the answer does not show the outcome. */
function factsOf(kind: LegKind, value: unknown): LegFacts | null {
  switch (kind) {
    case 'deposit':
      return depositFacts(value as Deposit)
    case 'transfer':
      return transferFacts(value as Transfer)
    case 'withdrawal':
      return withdrawalFacts(value as Withdrawal)
    case 'swap':
      return swapFacts(value as SwapResult)
    case 'onramp':
    case 'offramp':
      return settlementFacts(value as RampSettlement)
    case 'spend':
    case 'lpWithdrawal':
    case 'lpActivation':
    case 'lpDeactivation':
      return null
  }
}

/** Returns the outcome of one sending as an event. */
export function sendingEvent(
  place: LegPlace & { readonly n: number; readonly t: number },
  kind: LegKind,
  outcome: PartnerOutcome<unknown>,
  isFirst: boolean,
): TreasuryEvent {
  if (outcome.kind === 'refused') {
    const { code, words, retry } = outcome
    const limit = limitOf(outcome.details)
    return { ...place, type: 'legRefused', isFirst, code, words, retry, ...(limit !== null && { limit }) }
  }
  if (outcome.kind === 'unknown') {
    const { sent, words, id } = outcome
    return { ...place, type: 'legSilent', sent, words, ...(id === undefined ? {} : { named: id }) }
  }
  const facts = factsOf(kind, outcome.value)
  const { replayed } = outcome
  if (facts !== null)
    return { ...place, type: 'legAnswered', ...facts, ...(replayed === undefined ? {} : { replayed }) }
  return {
    ...place,
    type: 'legSilent',
    sent: 'yes',
    words: 'the venue answered, but its answer does not show the outcome',
  }
}

/** Returns the figures of a limit from a refusal, converted from whole shillings; null = the refusal states no limit. */
function limitOf(details: Readonly<Record<string, unknown>> | null) {
  const limit = readFigure(details?.['limit'], 0)
  if (limit === null || limit <= 0n) return null
  const used = readFigure(details?.['usedInPeriod'], 0)
  return { limit: limit * SHILLING, used: used === null ? null : used * SHILLING }
}

/**
 * Adds the delivered amount of a swap, whose answer has its last transaction but no amount. The chain shows the amount of
 * that transaction. Without a chain the books use the quote until the balances show the amount.
 */
export async function withDelivery(
  { chain, treasuryAddress, log }: Pick<Performing, 'chain' | 'treasuryAddress' | 'log'>,
  { kind, receiveAsset }: Pick<Leg, 'kind' | 'receiveAsset'>,
  event: TreasuryEvent,
): Promise<TreasuryEvent> {
  if (kind !== 'swap' || event.type !== 'legAnswered') return event
  const { status, received, reference } = event
  const to = treasuryAddress()
  if (status !== 'completed' || received !== null) return event
  if (chain === null || reference === null || to === null) return event
  const delivered = await chain.delivered({ asset: receiveAsset, to: to as `0x${string}`, hash: reference })
  if (!delivered.ok) log(`the amount that the swap delivered could not be read: ${delivered.error.words}`)
  return delivered.ok ? { ...event, received: delivered.value } : event
}

function units(shillings: bigint | null): bigint | null {
  return shillings === null ? null : shillings * SHILLING
}
