import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { lookUpPayee, plannedStep } from '../../../../../src/daemon/runtime/treasury/payee-lookup.ts'
import { createPartnerClient } from '../../../../../src/treasury/api/client.ts'
import type { Leg } from '../../../../../src/treasury/model/intent.ts'
import { PAYOUT, plannedLeg, REFILL, treasuryConfig, TZS } from '../../../../support/treasury-harness.ts'
import { scriptedServer, sendJson } from '../../../venue/scripted-server.ts'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
})

const CORE = treasuryConfig({
  payees: [
    { name: 'landlord', to: { kind: 'bank', bankCode: 'CRDB', accountNumber: '0150' }, isAdmitted: true },
    { name: 'newcomer', to: { kind: 'phone', phoneNumber: '255700000001' }, isAdmitted: false },
    { name: 'vault', to: { kind: 'address', address: `0x${'1'.repeat(40)}` }, isAdmitted: true },
  ],
})
const QUOTE = { quoteId: null, receiveAmountTzs: 500_000, burnAmountTzs: 503_000, totalFeeTzs: 3_000 }

/** What a look-up of one of the payees brings, and which requests the venue saw. */
async function lookUp(
  who: 'landlord' | 'newcomer' | 'vault',
  answer: (response: ServerResponse) => void,
  requestTimeoutMs = 30_000,
) {
  const server = await scriptedServer((response) => answer(response))
  const client = createPartnerClient(
    { baseUrl: server.url, requestTimeoutMs },
    { apiKey: 'svc_test_0123456789abcdef' },
  )
  opened.push(client, server)
  const payee = CORE.payees.find(({ name }) => name === who)
  if (payee === undefined) throw new Error('no such payee')
  const leg = { ...PAYOUT.legs[0], payee: who } as unknown as Leg
  const config = { core: CORE, lpWallet: '0x1', phone: null } as never
  return { named: await lookUpPayee({ client, config }, leg, payee), seen: server.seen }
}

describe('a look-up of a payee', () => {
  test('of a phone asks the look-up of phones, and of a bank account the quote, with the amount of the payout', async () => {
    const phone = await lookUp('newcomer', (response) =>
      sendJson(response, { phone: '255700000001', network: 'vodacom', name: 'AMINA KIMARO' }),
    )
    expect(phone.named).toEqual({ name: 'AMINA KIMARO', note: null })
    expect(phone.seen.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      ['/api/v1/lookup/recipient-name', { phoneNumber: '255700000001' }],
    ])
    const bank = await lookUp('landlord', (response) =>
      sendJson(response, { ...QUOTE, recipientName: 'JANE DOE' }),
    )
    expect(bank.named).toEqual({ name: 'JANE DOE', note: null })
    expect(bank.seen.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      [
        '/api/v1/withdrawals/quote',
        { amountTzs: 500_000, userId: 'a-user', bankCode: 'CRDB', accountNumber: '0150' },
      ],
    ])
  })

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['no name', (response) => sendJson(response, { name: null }), 'the venue has no name for the account'],
    [
      'a name of 10 kB',
      (response) => sendJson(response, { name: 'A'.repeat(10_240) }),
      'the venue has no name',
    ],
    ['a name of 1 kB', (response) => sendJson(response, { name: 'A'.repeat(1_024) }), '1024 characters'],
    ['control characters', (response) => sendJson(response, { name: '\u001b[31mX' }), 'cannot be shown'],
    ['a number as a name', (response) => sendJson(response, { name: 7 }), 'the venue has no name'],
    ['another kind of body', (response) => sendJson(response, [1]), 'the look-up was not answered'],
    ['HTML', (response) => void response.end('<html>down</html>'), 'the look-up was not answered'],
    ['no answer in time', () => undefined, 'the look-up was not answered'],
    ['a broken connection', (response) => void response.destroy(), 'the look-up was not answered'],
    [
      'too many requests',
      (response) => sendJson(response, { code: 'rate_limited', message: 'later' }, 429),
      'the look-up was refused: rate_limited',
    ],
    ['a refusal', (response) => sendJson(response, { code: 'invalid_phone' }, 400), 'invalid_phone'],
  ])('that brings %s is a name that is not known, with the reason', async (what, answer, note) => {
    const { named, seen } = await lookUp('newcomer', answer, what === 'no answer in time' ? 1_000 : undefined)
    expect(named).toEqual({ name: null, note: expect.stringContaining(note) })
    expect(seen.length).toBeLessThanOrEqual(3)
  })

  test('of an address asks no one', async () => {
    const { named, seen } = await lookUp('vault', (response) => sendJson(response, {}))
    expect([named.name, seen]).toEqual([null, []])
  })
})

describe('a planned step', () => {
  test('waits for a name where it pays a bank account or a phone, and not where it pays an address or ourselves', () => {
    const paying = (payee: string) =>
      plannedStep(CORE, 'id', {
        ...PAYOUT,
        legs: [plannedLeg({ kind: 'transfer', from: 'treasury', to: 'bank', amount: TZS, payee })],
      }).isNamed
    expect([
      paying('landlord'),
      paying('newcomer'),
      paying('vault'),
      plannedStep(CORE, 'id', REFILL).isNamed,
    ]).toEqual([true, true, undefined, undefined])
  })
})
