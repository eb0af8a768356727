import { createHash } from 'node:crypto'

/** A webhook's content for the event `webhookSeen`. It is a hint: the named resource is read before it counts. */
export type WebhookDelivery = {
  /** The venue's type, `deposit.completed`; `unreadable` if a signed body is not an event. */
  readonly event: string
  /** The venue's id of the deposit, withdrawal ...; null = not named. */
  readonly resourceId: string | null
  /** Our reference, echoed by the venue: the intent's id on calls of the platform wallet. */
  readonly reference: string | null
  readonly status: string
  /** sha-256 of the bytes, in hexadecimal. */
  readonly hash: string
  readonly body: string
}

type Fields = Readonly<Record<string, unknown>>

/** The field with the resource's id for each type; an unknown type has one of these, or `id`. */
const ID_OF: readonly (readonly [prefix: string, field: string])[] = [
  ['deposit.', 'depositId'],
  ['withdrawal.', 'withdrawalId'],
  ['spend.', 'spendId'],
  ['ramp.settlement.', 'settlementId'],
  ['merchant.sale.', 'collectionId'],
  ['kyc.', 'externalId'],
]
const LONGEST = 200

/** Parses the body of a signed delivery. Never throws: an unreadable body is stored unchanged. */
export function readDelivery(rawBody: Uint8Array): WebhookDelivery {
  const body = Buffer.from(rawBody).toString('utf8')
  const hash = createHash('sha256').update(rawBody).digest('hex')
  const document = parse(body)
  const event = document === null ? null : (text(document['type']) ?? text(document['event']))
  if (document === null || event === null)
    return { event: 'unreadable', resourceId: null, reference: null, status: '', hash, body }
  const data = fields(document['data']) ?? document
  return {
    event,
    resourceId: resourceOf(event, data),
    reference: text(data['externalId']) ?? text(fields(data['endUser'])?.['reference']),
    status: statusOf(event, data),
    hash,
    body,
  }
}

function resourceOf(event: string, data: Fields): string | null {
  const known = ID_OF.find(([prefix]) => event.startsWith(prefix))
  const named = known === undefined ? null : text(data[known[1]])
  if (named !== null || known !== undefined) return named ?? text(data['id'])
  const any = ID_OF.map(([, field]) => text(data[field])).find((id) => id !== null)
  return any ?? text(data['id'])
}

/** A payout has a status of its burn and one of its payment; the payment's status decides. */
function statusOf(event: string, data: Fields): string {
  const written = text(data['payoutStatus']) ?? text(data['status']) ?? text(data['kycStatus'])
  return written ?? event.split('.').at(-1) ?? ''
}

function parse(body: string): Fields | null {
  try {
    return fields(JSON.parse(body))
  } catch {
    return null
  }
}

function fields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

function text(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST) : null
}
