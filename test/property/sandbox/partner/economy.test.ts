import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { setState } from '../../../../src/simulator/sandbox/partner/control/control.ts'
import {
  mustConserve,
  partnerClient,
  type PartnerClient,
} from '../../../unit/simulator/sandbox/partner/partner-client.ts'

const SHILLINGS = [500, 4_999, 5_000, 40_013, 60_099, 70_002, 999_999, 1_000_000, 5_000_000]
const PHONES = ['0754123456', '0754123413', '0754123402', '0754123499', '0754123400']

const amountTzs = fc.constantFrom(...SHILLINGS)
const phoneNumber = fc.constantFrom(...PHONES)
const idempotencyKey = fc.constantFrom('a', 'b', 'c', undefined)
const chance = fc.constantFrom(0, 0.3, 1)

const step = fc.oneof(
  fc.record({
    do: fc.constant('deposit' as const),
    amountTzs,
    phoneNumber,
    idempotencyKey,
    paymentMethod: fc.constantFrom('mobile_money', 'bank_transfer', 'lipa_namba', 'card'),
    isPlatform: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('transfer' as const),
    amountTzs,
    idempotencyKey,
    to: fc.constantFrom('lp', 'other', 'stranger', 'self'),
    token: fc.constantFrom('TZS_TOKEN', 'USDC'),
  }),
  fc.record({
    do: fc.constant('withdraw' as const),
    amountTzs,
    phoneNumber,
    idempotencyKey,
    isPlatform: fc.boolean(),
    isBank: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('spend' as const),
    amountTzs: fc.constantFrom(500, 5_000, 900_000),
    payNumber: fc.constantFrom('555001', '555013', '555002', '555099', '955001'),
    isPlatform: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('ramp' as const),
    direction: fc.constantFrom('onramp', 'offramp'),
    tzsAmount: fc.constantFrom(5_000, 60_013, 700_000),
    phoneNumber,
    toLp: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('partner-swap' as const),
    pair: fc.constantFrom(['USDC', 'TZS_TOKEN'] as const, ['TZS_TOKEN', 'USDC'] as const),
    amount: fc.constantFrom(0.5, 12, 10_000),
    idempotencyKey,
  }),
  fc.record({ do: fc.constant('lp-withdraw' as const), amount: fc.integer({ min: 1, max: 90_000 }) }),
  fc.record({ do: fc.constant('lp-activate' as const), isActive: fc.boolean() }),
  fc.record({
    do: fc.constant('operator' as const),
    kind: fc.constantFrom('deposit', 'withdrawal', 'withdrawal', 'spend', 'settlement'),
    at: fc.nat({ max: 2 }),
    state: fc.constantFrom(
      'completed',
      'failed',
      'review',
      'pending',
      'paid',
      'reverted',
      'burned',
      'reconcile_required',
      'constructor',
    ),
    refundTzs: fc.constantFrom(undefined, 0, 4_000, 41_000),
  }),
  fc.record({ do: fc.constantFrom('advance' as const, 'reset' as const, 'swap' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

function perform(client: PartnerClient, otherId: string, wanted: Step): void {
  const { ask, model, partner, ownerId } = client
  const more =
    'idempotencyKey' in wanted && wanted.idempotencyKey !== undefined
      ? { idempotencyKey: wanted.idempotencyKey }
      : {}
  const lp = (method: string, path: string, body: object) =>
    ask(method, `/api/v1/mm${path}`, body, { key: model.options.apiKey })
  const endUser = { reference: 'r' }
  switch (wanted.do) {
    case 'deposit': {
      const target = wanted.isPlatform ? { endUser } : { userId: ownerId }
      const urls = { redirectUrl: 'https://a.example', cancelUrl: 'https://b.example' }
      ask('POST', '/deposits', { ...wanted, ...target, ...urls }, more)
      return
    }
    case 'transfer': {
      const { to, token } = wanted
      const targets = {
        lp: { toAddress: model.options.walletAddress },
        other: { toUserId: otherId },
        stranger: { toAddress: STRANGER },
        self: { toUserId: ownerId },
      }
      const amount = token === 'USDC' ? { amount: wanted.amountTzs / 4_000 } : { amountTzs: wanted.amountTzs }
      ask('POST', '/transfers', { fromUserId: ownerId, token, ...amount, ...targets[to] }, more)
      return
    }
    case 'withdraw': {
      const source = wanted.isPlatform ? { fromTreasury: true, endUser } : { userId: ownerId }
      const to = wanted.isBank
        ? { bankCode: 'NMB', accountNumber: `0150${wanted.phoneNumber}` }
        : { phoneNumber: wanted.phoneNumber }
      const payout = { amountTzs: wanted.amountTzs, ...source, ...to }
      const { quoteId } = ask('POST', '/withdrawals/quote', payout).json
      ask('POST', '/withdrawals', { ...payout, quoteId }, more)
      return
    }
    case 'spend': {
      const source = wanted.isPlatform ? { fromTreasury: true, endUser } : { userId: ownerId }
      const bill = { kind: 'lipa', amountTzs: wanted.amountTzs, payNumber: wanted.payNumber, ...source }
      const { quoteId } = ask('POST', '/spend/quote', bill).json
      ask('POST', '/spend', { ...bill, quoteId })
      return
    }
    case 'ramp': {
      const { direction, tzsAmount, phoneNumber: phone, toLp } = wanted
      const { quoteId } = ask('POST', '/ramp/quote', { direction, tzsAmount, phoneNumber: phone }).json
      const to = direction === 'onramp' && toLp ? { destinationAddress: model.options.walletAddress } : {}
      ask('POST', `/ramp/${direction}`, { quoteId, phoneNumber: phone, ...to })
      return
    }
    case 'partner-swap': {
      const [from, to] = wanted.pair
      ask('POST', '/swap', { userId: ownerId, from, to, amount: wanted.amount }, more)
      return
    }
    case 'lp-withdraw': {
      const toAddress = partner.users.get(ownerId)?.walletAddress
      lp('POST', '/withdraw', { token: 'ntzs', amount: String(wanted.amount), toAddress })
      return
    }
    case 'lp-activate':
      lp('POST', '/activate', { isActive: wanted.isActive })
      return
    case 'operator': {
      const { deposits, withdrawals, payments } = partner
      const { spends: spend, settlements: settlement } = payments
      const records = { deposit: deposits, withdrawal: withdrawals, spend, settlement }[wanted.kind]
      const id = [...records.keys()][wanted.at] ?? 'none'
      const body = wanted.refundTzs === undefined ? {} : { refundTzs: wanted.refundTzs }
      const done = setState(model.partner, { kind: wanted.kind, id, state: wanted.state }, body)
      if (wanted.state === 'constructor') expect(done.ok).toBe(false)
      return
    }
    case 'advance':
    case 'reset':
      ask('POST', `/testmode/${wanted.do}`, {})
      return
    case 'swap':
      model.swap({ from: 'USDC', to: 'NTZS', amountIn: 1_000_000n })
  }
}

test('no unit of any token is made or lost, no wallet or rail goes below zero, and the supply adds up, whatever is called', () => {
  const options = fc.record({
    duplicate: chance,
    beforeAnswer: chance,
    transferBps: fc.constantFrom(0, 37),
    keyLifeMs: fc.constantFrom(null, 60_000),
  })
  fc.assert(
    fc.property(
      options,
      fc.array(fc.tuple(step, fc.constantFrom(0, 1_000, 3_000, 400_000)), { minLength: 20, maxLength: 60 }),
      ({ duplicate, beforeAnswer, transferBps, keyLifeMs }, steps) => {
        const client = partnerClient({
          isActive: true,
          partner: {
            owner: { NTZS: '3000000', USDC: '900' },
            platformNtzs: '1500000',
            settings: { fees: { transferBps }, webhooks: { duplicate, beforeAnswer }, keyLifeMs },
          },
        })
        const other = {
          externalId: 'b',
          email: 'b@b.example',
          phone: '0754123456',
          nidaNumber: '19880101141210000125',
        }
        const otherId = String(client.ask('POST', '/users', other).json['id'])
        for (const [wanted, pauseMs] of steps) {
          perform(client, otherId, wanted)
          client.wait(pauseMs)
          mustConserve(client)
          const overdrawn = [...client.model.book().accounts].filter(
            ([name, { NTZS, USDC }]) => /^(0x|rail:)/.test(name) && (NTZS < 0n || USDC < 0n),
          )
          expect(overdrawn).toEqual([])
          expect(client.ask('GET', '/reconcile').json).toMatchObject({ difference: 0 })
        }
      },
    ),
    { numRuns: 80 },
  )
})
