import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mustConserve, partnerClient } from './partner-client.ts'

const LIVE = 'svc_live_sandbox'

/** Every route that takes a body, with fields that bring it past its first checks. */
const ROUTES: Readonly<Record<string, object>> = {
  '/users': {
    externalId: 'a',
    email: 'a@b.example',
    nidaNumber: '19900101141210000333',
    phone: '0754000123',
  },
  '/users/:id/kyc': { nidaNumber: '19900101141210000333' },
  '/users/:id/kyc/attestation': { status: 'approved', nationalId: '1', fullName: 'A', provider: 'p' },
  '/deposits': { userId: ':id', amountTzs: 1_000, phoneNumber: '0754000123' },
  '/transfers': { fromUserId: ':id', toUserId: ':id', amountTzs: 1_000 },
  '/withdrawals/quote': { userId: ':id', amountTzs: 5_000, phoneNumber: '0754000123' },
  '/withdrawals': { userId: ':id', amountTzs: 5_000, phoneNumber: '0754000123', quoteId: 'x' },
  '/spend/quote': { userId: ':id', kind: 'lipa', payNumber: '512345', amountTzs: 1_000 },
  '/spend': { userId: ':id', kind: 'lipa', payNumber: '512345', amountTzs: 1_000, quoteId: 'x' },
  '/lookup/recipient-name': { phoneNumber: '0754000123' },
  '/lookup/merchant-name': { kind: 'bill', utilityCode: 'LUKU', utilityRef: '04123456780', amountTzs: 5 },
  '/lookup/qr': { payload: '000201' },
  '/merchant/pay': { payerUserId: ':id', handle: 'sample-shop', amountTzs: 1_000, externalReference: 'a' },
  '/api/merchant/pay': { payerPhone: '0754000123', handle: 'sample-shop', amountTzs: 1_000 },
  '/swap': { userId: ':id', from: 'USDC', to: 'TZS_TOKEN', amount: 1, minOutput: 1, slippageBps: 1 },
  '/ramp/quote': {
    direction: 'offramp',
    tzsAmount: 1_000,
    destination: { kind: 'lipa', payNumber: '512345' },
  },
  '/ramp/offramp': { quoteId: 'x', phoneNumber: '0754000123' },
  '/ramp/onramp': { quoteId: 'x', phoneNumber: '0754000123', destinationAddress: '0x' },
  '/testmode/signup': { name: 'A', email: 'c@d.example' },
  '/partners/sub-wallets': { label: 'a' },
  '/commerce/accounts': {
    userId: ':id',
    email: 'a@b.example',
    businessName: 'A',
    settlementPhone: '0754000123',
  },
  '/commerce/links': { amountTzs: 1_000, label: 'a' },
  '/commerce/withdraw': { amountTzs: 5_000 },
  '/commerce/transfer-to-wallet': { amountTzs: 5_000, idempotencyKey: 'a' },
  '/commerce/financing/withdraw': { amountTzs: 5_000 },
  '/payouts': {},
}

const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  0.5,
  1e21,
  1e308,
  9_007_199_254_740_992,
  '',
  ' ',
  '__proto__',
  'constructor',
  '٣',
  '\u0000',
  'x'.repeat(5_000),
  [],
  [1],
  {},
  { toString: 1 },
  { reference: { toString: 1 } },
  { kind: 'lipa', payNumber: { toString: 1 } },
  { kind: 'bill', utilityCode: '__proto__', utilityRef: 'constructor' },
]

test('whatever stands in a field, a route answers in the words of the contract and no unit goes astray', () => {
  const client = partnerClient({
    partner: {
      liveKey: LIVE,
      owner: { NTZS: '1000000', USDC: '100' },
      requestsPerMinute: 1_000_000,
    },
  })
  const { model, ownerId } = client
  const liveId = model.partner.partners.get(LIVE)?.ownerId
  const account = {
    userId: liveId,
    email: 'shop@b.example',
    businessName: 'B',
    settlementPhone: '0754000123',
  }
  const shop = client.ask('POST', '/commerce/accounts', account, { key: LIVE })
  const merchantId = String(shop.json['merchantId'])
  for (const [route, template] of Object.entries(ROUTES)) {
    const more = route.startsWith('/commerce') ? { key: LIVE, merchantId } : {}
    const fields = Object.entries(template).map(([name, value]) => [name, value === ':id' ? ownerId : value])
    const send = (body: unknown) => {
      const { status, json } = client.ask('POST', route.replace(':id', ownerId), body, more)
      expect(
        [200, 201, 202, 400, 403, 404, 409, 410, 429, 502, 503],
        `${route} ${JSON.stringify(body)}`,
      ).toContain(status)
      if (status >= 400) expect(typeof json['error']).toBe('string')
      return status
    }
    for (const [name] of fields) {
      for (const value of HOSTILE)
        send(JSON.parse(JSON.stringify({ ...Object.fromEntries(fields), [String(name)]: value })))
    }
    for (const body of [undefined, null, 5, 'text', [], [{}]]) send(body)
    client.wait(10_000)
  }
  mustConserve(client)
})

test('any JSON at all is answered', () => {
  const client = partnerClient({ partner: { requestsPerMinute: 1_000_000 } })
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(ROUTES)),
      fc.jsonValue(),
      fc.dictionary(fc.string(), fc.string()),
      (route, body, query) => {
        const search = new URLSearchParams(query).toString()
        const answer = client.ask('POST', `${route.replace(':id', client.ownerId)}?${search}`, body)
        expect(answer.status).toBeGreaterThanOrEqual(200)
      },
    ),
    { numRuns: 1_000 },
  )
})
