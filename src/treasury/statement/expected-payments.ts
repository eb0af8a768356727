import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import type { Intent, Leg } from '../model/intent.ts'
import { civilDayOf, civilDayText } from '../policy/calendar/civil-day.ts'

/** A reference of a bank deposit is valid for 72 hours. Source: contract, limits. */
const DEPOSIT_VALID_MS = 72 * HOUR_MS
/** After this long a payout to a bank is late. */
const PAYOUT_LATE_MS = 3 * DAY_MS

/** A payment that the bank statement should show, from the LP account's side. */
export type ExpectedPayment = {
  readonly intent: string
  readonly leg: number
  /** Base units of NTZS: negative = debited (a deposit at the venue), positive = credited. */
  readonly amount: bigint
  /** Text that the bank's line must contain; null = the venue stated no reference. */
  readonly reference: string | null
  /** It is on time between these days (YYYY-MM-DD, East Africa Time), inclusive. */
  readonly firstDay: string
  readonly lastDay: string
  /** Whether the venue has reported its outcome. */
  readonly isEnded: boolean
}

/** Returns the payments of all sent legs that touch the LP's bank account. */
export function expectedPayments(intents: Iterable<Pick<Intent, 'id' | 'legs'>>): readonly ExpectedPayment[] {
  const expected: ExpectedPayment[] = []
  for (const { id, legs } of intents)
    legs.forEach((leg, index) => {
      const payment = paymentOf(leg)
      if (payment !== null) expected.push({ intent: id, leg: index, ...payment })
    })
  return expected
}

function paymentOf(leg: Leg): Omit<ExpectedPayment, 'intent' | 'leg'> | null {
  if (leg.sentAt === null || leg.asset !== 'NTZS') return null
  const isDeposit = leg.kind === 'deposit' && leg.from === 'bank'
  const isPayout = leg.kind === 'withdrawal' && leg.to === 'bank'
  if (!isDeposit && !isPayout) return null
  const never: readonly Leg['stage'][] = ['refused', 'cancelled', 'expired', 'reverted']
  if (never.includes(leg.stage)) return null
  const until: Ms = leg.sentAt + (isDeposit ? DEPOSIT_VALID_MS : PAYOUT_LATE_MS)
  return {
    amount: isDeposit ? -leg.amount : leg.leastReceived,
    reference: leg.reference ?? leg.resourceId,
    firstDay: civilDayText(civilDayOf(leg.sentAt)),
    lastDay: civilDayText(civilDayOf(until)),
    isEnded: leg.endedAt !== null,
  }
}
