import { decodeJson } from '../../../../base/codec.ts'
import type { Ms } from '../../../../base/time.ts'
import type { TreasuryEvent } from '../../../../treasury/model/event.ts'
import type { Leg } from '../../../../treasury/model/intent.ts'
import { SHILLING } from '../../../../treasury/policy/units.ts'

type WebhookSeen = Extract<TreasuryEvent, { readonly type: 'webhookSeen' }>

/** For each kind of leg the event that proves its end, and the event's fields with the amount and the id. */
const PROOF = {
  deposit: { event: 'deposit.completed', amount: 'amountTzs', id: 'depositId' },
  withdrawal: { event: 'withdrawal.updated', amount: 'receiveAmountTzs', id: 'withdrawalId' },
} as const

/**
 * Searches for the event of a leg whose answer was lost. A user's calls echo no reference, so it matches the exact amount,
 * which no other open leg has, since the sending. Null = not found, which proves nothing.
 */
export function findInWebhooks(
  webhooks: readonly WebhookSeen[],
  leg: Leg,
  { userId, since }: { readonly userId: string; readonly since: Ms },
): { readonly reference: string; readonly received: bigint; readonly resourceId: string } | null {
  if (leg.kind !== 'deposit' && leg.kind !== 'withdrawal') return null
  const proof = PROOF[leg.kind]
  const wanted = leg.kind === 'deposit' ? leg.amount : leg.leastReceived
  for (const { t, event, status, body } of webhooks) {
    if (t < since || event !== proof.event || status !== 'completed') continue
    const data = dataOf(body)
    const isOurs = leg.kind !== 'deposit' || data['userId'] === userId
    const amount = data[proof.amount]
    if (!isOurs || typeof amount !== 'number' || !Number.isSafeInteger(amount)) continue
    const received = BigInt(amount) * SHILLING
    const id = data[proof.id]
    // Without an id there is nothing to read later.
    if (received === wanted && typeof id === 'string') return { reference: id, received, resourceId: id }
  }
  return null
}

function dataOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const { data } = decodeJson(body) as { readonly data?: unknown }
    return typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {}
  } catch {
    // A signed body that is not an event is stored unchanged.
    return {}
  }
}
