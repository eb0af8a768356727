import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  announceNext,
  fundWallet,
  patchSettings,
  payIn,
  setReceiver,
  setState,
} from '../../../../src/simulator/sandbox/partner/control/control.ts'
import { PARTNER_ROUTES } from '../../../../src/simulator/sandbox/partner/routes.ts'
import { mustConserve, partnerClient } from '../../../unit/simulator/sandbox/partner/partner-client.ts'

const LIVE_KEY = 'svc_live_sandbox'
const LP_WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const FIELDS = [
  'userId fromUserId toUserId payerUserId subWalletId merchantId id amountTzs tzsAmount',
  'usdcAmount amount minOutput slippageBps quoteId token from to direction paymentMethod',
  'phoneNumber phone bankCode accountNumber fromTreasury collectToTreasury endUser toAddress',
  'destinationAddress destination kind payNumber utilityCode utilityRef network payload',
  'handle linkId externalId email country nidaNumber decision status verifiedAt',
  'idempotencyKey',
].flatMap((names) => names.split(' '))

/** Bodies that are right, of which a caller then spoils some fields. `owner` and `quote` stand for what there is. */
const RIGHT: Readonly<Record<string, object>> = {
  '/users': {
    externalId: 'b',
    email: 'b@b.example',
    phone: '0754123456',
    nidaNumber: '19880101141210000125',
  },
  '/deposits': { userId: 'owner', amountTzs: 5_000, phoneNumber: '0754123456' },
  '/transfers': { fromUserId: 'owner', amountTzs: 700, toAddress: LP_WALLET },
  '/withdrawals/quote': { userId: 'owner', amountTzs: 5_000, phoneNumber: '0754123456' },
  '/withdrawals': { userId: 'owner', amountTzs: 5_000, phoneNumber: '0754123456', quoteId: 'quote' },
  '/spend/quote': { userId: 'owner', amountTzs: 5_000, kind: 'lipa', payNumber: '555001' },
  '/spend': { userId: 'owner', amountTzs: 5_000, kind: 'lipa', payNumber: '555001', quoteId: 'quote' },
  '/ramp/quote': { direction: 'offramp', tzsAmount: 5_000 },
  '/ramp/offramp': { quoteId: 'quote', phoneNumber: '0754123456' },
  '/ramp/onramp': { quoteId: 'quote', phoneNumber: '0754123456', destinationAddress: LP_WALLET },
  '/swap': { userId: 'owner', from: 'USDC', to: 'TZS_TOKEN', amount: 5 },
  '/lookup/merchant-name': { kind: 'lipa', payNumber: '555001' },
}
const MONEY_ROUTES = PARTNER_ROUTES.filter(({ path }) => Object.hasOwn(RIGHT, path))

/** Values that are right somewhere, and whatever else JSON can carry. `owner` stands for the owner's id. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    'owner',
    LP_WALLET,
    'TZS_TOKEN',
    'USDC',
    'offramp',
    'lipa',
    'bill',
    'approved',
    'TZ',
  ),
  fc.constantFrom<unknown>('0754123456', '19880101141210000125', 'LUKU', '555001', 'NMB', '0150123456789'),
  fc.constantFrom<unknown>(500, 5_000, 1_000_000, 0.5, -1, 0, 1e300, Number.MAX_SAFE_INTEGER, true, null),
  fc.constantFrom<unknown>(
    '',
    'a@b.example',
    { reference: 'r' },
    { kind: 'lipa', payNumber: '555001' },
    '__proto__',
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
const fields = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 2 }) },
  { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 12 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
)
const request = fc.record({
  route: fc.oneof(fc.constantFrom(...PARTNER_ROUTES), fc.constantFrom(...MONEY_ROUTES)),
  body: fields,
  id: fc.oneof(fc.constantFrom('owner', '%', '..', '__proto__', 'constructor'), fc.string({ minLength: 1 })),
  isLive: fc.boolean(),
  idempotencyKey: fc.option(fc.string({ maxLength: 300 }), { nil: undefined, freq: 2 }),
  query: fc.constantFrom('', '?from=USDC&to=TZS_TOKEN&amount=1', '?limit=9999&cursor=x', '?id=1'),
})

test('whatever a caller sends is answered in a known shape, as JSON, and no unit is made or lost', () => {
  fc.assert(
    fc.property(fc.array(request, { minLength: 10, maxLength: 40 }), (requests) => {
      const client = partnerClient({
        partner: { liveKey: LIVE_KEY, owner: { NTZS: '4000000', USDC: '500' }, platformNtzs: '900000' },
      })
      const { ask, model } = client
      let quoteId = 'none'
      for (const { route, body, id, isLive, idempotencyKey, query } of requests) {
        const key = isLive ? LIVE_KEY : model.options.partner.apiKey
        const ownerId = model.partner.partners.get(key)?.ownerId ?? ''
        const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
        const wish = JSON.stringify(isObject ? { ...RIGHT[route.path], ...body } : body)
        const text = wish.replaceAll('"owner"', `"${ownerId}"`).replaceAll('"quote"', `"${quoteId}"`)
        const named = JSON.parse(text) as unknown
        const segment = id === 'owner' ? ownerId : encodeURIComponent(id)
        const path = `${route.isUnversioned === true ? '/api' : '/v1'}${route.path.replace(/:\w+/, segment)}`
        const more = idempotencyKey === undefined ? {} : { idempotencyKey }
        const { status, json } = ask(route.method, `${path}${query}`, named, { key, ...more })
        expect(status).toBeGreaterThanOrEqual(200)
        expect(status).toBeLessThan(600)
        expect(() => JSON.stringify(json)).not.toThrow()
        if (status >= 400) expect(json['error']).toEqual(expect.any(String))
        if (typeof json?.['quoteId'] === 'string') quoteId = json['quoteId']
        client.wait(2_000)
      }
      mustConserve(client)
      expect(ask('GET', '/reconcile').json).toMatchObject({ difference: 0 })
    }),
    { numRuns: 80 },
  )
})

test('a control call with a senseless body is refused with a sentence and changes nothing', () => {
  const calls = [announceNext, fundWallet, patchSettings, payIn, setReceiver]
  fc.assert(
    fc.property(fc.constantFrom(...calls), fc.jsonValue({ maxDepth: 2 }), (call, body) => {
      const client = partnerClient()
      const before = JSON.stringify(client.model.partner.settings)
      const done = call(client.model.partner, body)
      if (done.ok) expect([patchSettings, setReceiver]).toContain(call)
      else expect(done.error.sentence).not.toBe('')
      expect(JSON.stringify(client.model.partner.settings)).toBe(before)
    }),
    { numRuns: 60 },
  )
})

test('a state of no kind, of no resource or with a senseless body is refused with a sentence', () => {
  const word = fc.oneof(
    fc.constantFrom('deposit', 'withdrawal', 'user', 'paid', '__proto__', 'toString'),
    fc.string(),
  )
  fc.assert(
    fc.property(word, word, word, fc.jsonValue({ maxDepth: 1 }), (kind, id, state, body) => {
      const client = partnerClient()
      const done = setState(client.model.partner, { kind, id, state }, body)
      expect(done).toMatchObject({ ok: false, error: { sentence: expect.any(String) } })
    }),
    { numRuns: 60 },
  )
})
