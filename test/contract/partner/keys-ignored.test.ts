import { expect, test } from 'vitest'
import { PAYMENTS, payOverHttp } from './pay-over-http.ts'

// A venue over HTTP that takes no notice of keys loses the answer to each kind of payment, with the payment carried out and
// without. The treasury with its real calls sends it once, whatever it finds.

const LOST = [
  'reset-before',
  'reset-after',
  '500',
  '500-after',
  '503',
  'html',
  'malformed',
  'truncated',
] as const
// The answer of a swap is a stream of lines, of which each is read by itself.
const CASES = PAYMENTS.flatMap(([route, leg]) => LOST.map((fault) => ({ route, leg, fault }))).filter(
  ({ leg, fault }) => leg.kind !== 'swap' || (fault !== 'malformed' && fault !== 'truncated'),
)

const IN_NO_LIST = CASES.filter(({ leg }) => leg.kind !== 'onramp' && leg.kind !== 'offramp')

test.each(IN_NO_LIST)('$route whose answer is lost ($fault) is one request, and a claim', async (one) => {
  const { route, leg, fault } = one
  const { intent, sent, payments } = await payOverHttp(leg, (control) =>
    control('inject', { nextRequest: { route, kind: fault } }),
  )
  expect(intent.legs[0]).toMatchObject({ stage: 'claim', attempts: [{ sendings: 1 }] })
  expect(sent.filter((name) => name === route)).toHaveLength(1)
  expect([0, 1]).toContain(payments)
})

const LISTED = CASES.filter((one) => !IN_NO_LIST.includes(one))

test.each(LISTED)(
  '$route whose answer is lost ($fault) is one request, which the list of the ramp finds if it was carried out',
  async ({ route, leg, fault }) => {
    const { intent, sent, payments } = await payOverHttp(leg, (control) =>
      control('inject', { nextRequest: { route, kind: fault } }),
    )
    const stage = payments === 0 ? 'claim' : 'settled'
    expect(intent.legs[0]).toMatchObject({ stage, attempts: [{ sendings: 1 }] })
    expect(sent.filter((name) => name === route)).toHaveLength(1)
    expect(payments).toBe(fault === 'reset-before' || fault === '500' || fault === '503' ? 0 : 1)
  },
)

// The measured venue answers 502 for a payout and 400 for an off-ramp that it has executed, with the id of what they became.
const FOLLOWED = PAYMENTS.filter(([, { kind }]) => !['transfer', 'swap'].includes(kind)).flatMap(
  ([route, leg]) => [400, 502].map((status) => ({ route, leg, status })),
)

test.each(FOLLOWED)(
  '$route that is answered $status with its id is followed to its end, once',
  async (one) => {
    const { route, leg, status } = one
    const { intent, sent, payments } = await payOverHttp(leg, (control) =>
      control('partner/next', { kind: 'status', route, status }),
    )
    expect(intent.legs[0]).toMatchObject({ stage: 'settled', attempts: [{ sendings: 1 }] })
    expect(intent.legs[0]?.resourceId).not.toBeNull()
    expect(sent.filter((name) => name === route)).toHaveLength(1)
    expect(payments).toBe(1)
  },
)

test('a transfer that is answered 502 with an id cannot be read: the id is evidence for its claim', async () => {
  const [route, leg] = PAYMENTS[1]
  const { intent, payments } = await payOverHttp(leg, (control) =>
    control('partner/next', { kind: 'status', route, status: 502 }),
  )
  expect(intent.legs[0]).toMatchObject({ stage: 'claim', resourceId: null, evidence: [{ by: 'answer' }] })
  expect(payments).toBe(1)
})
