import type { Leg } from '../../../treasury/model/intent.ts'
import { type LegCallParts, payeeOf, phoneOf } from './leg-calls.ts'
import { SHILLING } from '../../../treasury/policy/units.ts'

/** The fields of a deposit, a payout or a settlement that show whose it is; null or absent = not stated. */
export type Named = {
  readonly amountTzs?: bigint | null
  readonly receiveAmountTzs?: bigint | null
  readonly tzsAmount?: bigint | null
  readonly userId?: string | null
  readonly phoneNumber?: string | null
  readonly accountNumber?: string | null
  readonly destinationAddress?: string | null
  readonly recipientName?: string | null
}

type Own = Pick<LegCallParts['config'], 'core' | 'lpWallet' | 'phone'> & {
  readonly treasuryAddress: string | null
}

/**
 * Why a resource that an answer named is not followed; null = it shows our amount and our destination. What it does not state
 * it does not show: a wrong one would take the end of another payment for ours.
 */
export function whyNotOurs(own: Own, leg: Leg, resource: Named): string | null {
  const { amountTzs, receiveAmountTzs, tzsAmount } = resource
  const shown = amountTzs ?? receiveAmountTzs ?? tzsAmount ?? null
  const wanted = leg.kind === 'deposit' || leg.kind === 'onramp' ? leg.amount : leg.leastReceived
  if (shown === null) return 'it states no amount'
  if (shown * SHILLING !== wanted) return `it is of ${shown} TZS, and ours is of ${wanted / SHILLING}`
  const pairs = destinations(own, leg, resource).filter(([stated]) => stated !== null && stated !== undefined)
  if (pairs.length === 0) return 'it states no destination that can be compared'
  const other = pairs.find(([stated, ours]) => stated?.toLowerCase() !== ours?.toLowerCase())
  return other === undefined ? null : `it goes to ${other[0]}, and ours to ${other[1] ?? 'another one'}`
}

type Pair = readonly [stated: string | null | undefined, ours: string | null]

/** What a resource states of where it goes, beside what we asked for. */
function destinations(own: Own, leg: Leg, resource: Named): readonly Pair[] {
  const { userId, phoneNumber, accountNumber, destinationAddress, recipientName } = resource
  const to = payeeOf(own, leg)?.to
  switch (leg.kind) {
    case 'deposit':
      return [[userId, own.core.userId]]
    case 'onramp':
      return [[destinationAddress, leg.to === 'lpWallet' ? own.lpWallet : own.treasuryAddress]]
    case 'withdrawal': {
      const account = to?.kind === 'bank' ? to.accountNumber : null
      const number = to?.kind === 'phone' ? to.phoneNumber : null
      const stated: readonly Pair[] = [
        [accountNumber, account],
        [subscriber(phoneNumber), subscriber(number)],
      ]
      // The name that the quote had for this very destination shows it where no number is stated.
      return accountNumber == null && phoneNumber == null
        ? [[leg.quote?.recipientName == null ? null : recipientName, leg.quote?.recipientName ?? null]]
        : stated
    }
    case 'offramp':
      return [[subscriber(phoneNumber), subscriber(phoneOf(own, leg))]]
    case 'transfer':
    case 'swap':
    case 'spend':
    case 'lpWithdrawal':
    case 'lpActivation':
    case 'lpDeactivation':
      return []
  }
}

/** The number of a phone without its country or its leading 0, of which a venue may write either. */
export function subscriber(phone: string | null | undefined): string | null {
  return phone == null ? null : phone.replace(/^(?:\+?255|0)(?=\d{9}$)/, '')
}
