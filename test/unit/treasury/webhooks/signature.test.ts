import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTimestamp, verifyWebhookSignature } from '../../../../src/treasury/webhooks/signature.ts'

/** treasury.md: secret, timestamp, body and signature that were computed apart from this code. */
const GOLDEN = {
  secret: 'whsec_test_secret',
  timestamp: '1767225600',
  body: '{"type":"deposit.completed"}',
  signature: 'dd588bdbf94dc9d93f1f70315e03767292a7026bc7c49939a434b85514a382bd',
}
const AT = 1_767_225_600_000
const rules = { secrets: [GOLDEN.secret], toleranceMs: 300_000, now: AT }

function delivery(change: Partial<typeof GOLDEN> & { headers?: Record<string, string[]> } = {}) {
  const { timestamp, signature, body } = { ...GOLDEN, ...change }
  const headers = {
    'x-webhook-timestamp': [timestamp],
    'x-webhook-signature': [signature],
    ...change.headers,
  }
  return { headers, rawBody: Buffer.from(body) }
}

function signed(secret: string, timestamp: string, body: string) {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}

describe('the signature of a webhook', () => {
  test('of the golden vector holds, in upper case too', () => {
    expect(verifyWebhookSignature(delivery(), rules)).toEqual({ ok: true, value: 0 })
    const upper = delivery({ signature: GOLDEN.signature.toUpperCase() })
    expect(verifyWebhookSignature(upper, rules)).toEqual({ ok: true, value: 0 })
  })

  test('may be of any secret of the list, and the answer is which one', () => {
    const rotated = { ...rules, secrets: ['whsec_new_one_of_length', GOLDEN.secret] }
    expect(verifyWebhookSignature(delivery(), rotated)).toEqual({ ok: true, value: 1 })
  })

  test.each([
    ['another body', { body: '{"type":"deposit.completed" }' }, 'forged'],
    ['another timestamp', { timestamp: '1767225601' }, 'forged'],
    ['another signature', { signature: '0'.repeat(64) }, 'forged'],
    ['a short signature', { signature: GOLDEN.signature.slice(2) }, 'headers'],
    ['a long signature', { signature: `${GOLDEN.signature}00` }, 'headers'],
    ['no hexadecimal', { signature: `${GOLDEN.signature.slice(0, 63)}g` }, 'headers'],
    ['no timestamp', { headers: { 'x-webhook-timestamp': [] } }, 'headers'],
    ['a repeated timestamp', { headers: { 'x-webhook-timestamp': ['1767225600', '1767225600'] } }, 'headers'],
    [
      'a repeated signature',
      { headers: { 'x-webhook-signature': [GOLDEN.signature, GOLDEN.signature] } },
      'headers',
    ],
    ['a timestamp of no form', { timestamp: 'yesterday' }, 'headers'],
  ] as const)('with %s is refused', (_what, change, error) => {
    expect(verifyWebhookSignature(delivery(change as never), rules)).toEqual({ ok: false, error })
  })

  test.each([
    [-300_000, true],
    [300_000, true],
    [-300_001, false],
    [300_001, false],
  ])('dated %i ms away from our clock holds: %s', (away, holds) => {
    const verified = verifyWebhookSignature(delivery(), { ...rules, now: AT + away })
    expect(verified).toEqual(holds ? { ok: true, value: 0 } : { ok: false, error: 'stale' })
  })

  test('is of the literal timestamp: seconds, milliseconds and ISO 8601 are each signed as they are written', () => {
    for (const timestamp of [
      '1767225600',
      '1767225600000',
      '2026-01-01T00:00:00Z',
      '2026-01-01T03:00:00.000+03:00',
    ]) {
      expect(readTimestamp(timestamp)).toBe(AT)
      const signature = signed(GOLDEN.secret, timestamp, GOLDEN.body)
      expect(verifyWebhookSignature(delivery({ timestamp, signature }), rules)).toEqual({
        ok: true,
        value: 0,
      })
    }
  })

  test.each([
    '',
    '1',
    '17672256',
    '-1767225600',
    '1767225600s',
    '176722560000000000',
    '2026-01-01',
    '2026-13-01T00:00:00Z',
    ' 1767225600',
  ])('has no time in %j', (text) => {
    expect(readTimestamp(text)).toBeNull()
  })

  test('never holds for bytes that the secret did not sign, and no input makes it throw', () => {
    const header = fc.array(fc.string({ maxLength: 80 }), { maxLength: 3 })
    fc.assert(
      fc.property(header, header, fc.uint8Array({ maxLength: 200 }), (signature, timestamp, rawBody) => {
        const headers = { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp }
        return !verifyWebhookSignature({ headers, rawBody }, rules).ok
      }),
    )
  })

  test('holds for whatever bytes the secret signed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.string({ minLength: 1 }), (bytes, secret) => {
        const rawBody = Buffer.from(bytes)
        const signature = createHmac('sha256', secret).update('1767225600.').update(rawBody).digest('hex')
        const headers = { 'x-webhook-signature': [signature], 'x-webhook-timestamp': ['1767225600'] }
        return verifyWebhookSignature({ headers, rawBody }, { ...rules, secrets: [secret] }).ok
      }),
    )
  })
})
