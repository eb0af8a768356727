import type { Leg } from '../../../treasury/model/intent.ts'
import { type LegCallParts, payeeOf, phoneOf } from './leg-calls.ts'
import { SHILLING } from '../../../treasury/policy/units.ts'

/** The fields of a deposit, a payout or a settlement that identify its owner; null or absent = not stated. */
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
 * Returns why a resource from an answer is not ours; null = it has our amount and our destination. A missing field counts
 * against it, because following a wrong resource would book the outcome of another payment as ours.
 */
export function whyNotOurs(own: Own, leg: Leg, resource: Named): string | null {
  const { amountTzs, receiveAmountTzs, tzsAmount } = resource
  const shown = amountTzs ?? receiveAmountTzs ?? tzsAmount ?? null
  const wanted = leg.kind === 'deposit' || leg.kind === 'onramp' ? leg.amount : leg.leastReceived
  if (shown === null) return 'it states no amount'
  if (shown * SHILLING !== wanted) return `its amount is ${shown} TZS, and ours is ${wanted / SHILLING}`
  const pairs = destinations(own, leg, resource).filter(([stated]) => stated !== null && stated !== undefined)
  if (pairs.length === 0) return 'it states no destination that can be compared'
  const other = pairs.find(([stated, ours]) => stated?.toLowerCase() !== ours?.toLowerCase())
  return other === undefined
    ? null
    : `it goes to ${other[0]}, and ours to ${other[1] ?? 'another destination'}`
}

type Pair = readonly [stated: string | null | undefined, ours: string | null]

/** Returns the destinations that a resource states, each with ours. */
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
      // Without a number, compare the name that the quote showed for our destination.
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

/** Returns a phone number without its country code or leading 0; a venue may use either form. */
export function subscriber(phone: string | null | undefined): string | null {
  return phone == null ? null : phone.replace(/^(?:\+?255|0)(?=\d{9}$)/, '')
}
