import { createHmac, timingSafeEqual } from 'node:crypto'
import { err, ok, type Result } from '../../base/result.ts'
import { SECOND_MS, type Ms } from '../../base/time.ts'

export const WEBHOOK_SIGNATURE_HEADER = 'x-webhook-signature'
export const TIMESTAMP_HEADER = 'x-webhook-timestamp'

/**
 * Why a delivery is rejected. `headers`: one of the two is missing, repeated or malformed. `forged`: no secret signed
 * it. `stale`: a secret signed it at a time too far from ours, as in a replay.
 */
export type SignatureRefusal = 'headers' | 'forged' | 'stale'

type SignedDelivery = {
  /** All values of each header, by lower-case name. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  /** The received bytes: a body that was parsed and reserialised has another signature. */
  readonly rawBody: Uint8Array
}

type SignatureRules = {
  /** Any of them may have signed: during a rotation the old and the new secret are valid. */
  readonly secrets: readonly string[]
  readonly toleranceMs: Ms
  /** Our own clock, uncorrected. */
  readonly now: Ms
}

const HEX_SHA256 = /^[0-9a-f]{64}$/i

/**
 * Returns the index of the secret that signed this delivery recently. The signed text is the literal timestamp header,
 * a full stop and the raw body. The comparison takes constant time, wherever the signatures differ and whichever secret
 * matches.
 */
export function verifyWebhookSignature(
  { headers, rawBody }: SignedDelivery,
  { secrets, toleranceMs, now }: SignatureRules,
): Result<number, SignatureRefusal> {
  const signature = single(headers[WEBHOOK_SIGNATURE_HEADER])
  const timestamp = single(headers[TIMESTAMP_HEADER])
  if (signature === null || timestamp === null || !HEX_SHA256.test(signature)) return err('headers')
  const signedAt = readTimestamp(timestamp)
  if (signedAt === null) return err('headers')
  const given = Buffer.from(signature, 'hex')
  const matches = secrets.map((secret) => {
    const own = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest()
    return timingSafeEqual(own, given)
  })
  const which = matches.indexOf(true)
  if (which === -1) return err('forged')
  return Math.abs(now - signedAt) > toleranceMs ? err('stale') : ok(which)
}

function single(values: readonly string[] | undefined): string | null {
  return values?.length === 1 ? (values[0] ?? null) : null
}

const SECONDS = /^\d{9,11}(?:\.\d{1,9})?$/
const MILLISECONDS = /^\d{12,14}$/
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** Parses a timestamp whose unit the contract does not define: seconds, milliseconds, or ISO 8601 with a zone. */
export function readTimestamp(text: string): Ms | null {
  if (SECONDS.test(text)) return Number(text) * SECOND_MS
  if (MILLISECONDS.test(text)) return Number(text)
  if (!ISO.test(text)) return null
  const t = Date.parse(text)
  return Number.isNaN(t) ? null : t
}
