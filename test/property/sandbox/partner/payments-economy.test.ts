import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { setState } from '../../../../src/simulator/sandbox/partner/control/control.ts'
import {
  mustConserve,
  partnerClient,
  type PartnerClient,
  type PartnerReply,
} from '../../../unit/simulator/sandbox/partner/partner-client.ts'

const LIVE = 'svc_live_sandbox'
const TARGETS = [
  { kind: 'lipa', payNumber: '512345' },
  { kind: 'lipa', payNumber: '512313' },
  { kind: 'lipa', payNumber: '512302' },
  { kind: 'lipa', payNumber: '512399' },
  { kind: 'lipa', payNumber: '912345' },
  { kind: 'bill', utilityCode: 'LUKU', utilityRef: '04123456780' },
  { kind: 'bill', utilityCode: 'GEPG', utilityRef: '991234567813' },
]
const PHONES = ['0754123456', '0754123413', '0754123402', '0754123499']

const amountTzs = fc.constantFrom(500, 1_999, 10_013, 40_099, 250_000, 990_000)
const key = fc.constantFrom('test' as const, 'live' as const)
const idempotencyKey = fc.constantFrom('a', 'b', undefined)
const doing = <K extends string>(name: K) => fc.constant(name)

const step = fc.oneof(
  fc.record({
    do: doing('spend'),
    key,
    idempotencyKey,
    amountTzs,
    target: fc.constantFrom(...TARGETS),
    from: fc.constantFrom('user', 'platform', 'float'),
  }),
  fc.record({
    do: doing('offramp'),
    key,
    idempotencyKey,
    amountTzs,
    phoneNumber: fc.constantFrom(...PHONES),
  }),
  fc.record({ do: doing('onramp'), key, amountTzs, to: fc.constantFrom('lp', 'float', 'stranger', 'user') }),
  fc.record({
    do: doing('pay'),
    key,
    idempotencyKey,
    amountTzs,
    handle: fc.constantFrom('sample-shop', 'shop'),
  }),
  fc.record({ do: doing('phone-pay'), key, amountTzs, handle: fc.constantFrom('sample-shop', 'shop') }),
  fc.record({ do: doing('swap'), key, isBuying: fc.boolean(), amount: fc.integer({ min: 1, max: 400 }) }),
  fc.record({
    do: doing('commerce'),
    path: fc.constantFrom('withdraw', 'transfer-to-wallet', 'financing/withdraw'),
    amountTzs,
    idempotencyKey: fc.string({ minLength: 1, maxLength: 3 }),
  }),
  fc.record({ do: doing('settle'), percent: fc.integer({ min: 0, max: 100 }) }),
  fc.record({
    do: doing('operator'),
    kind: fc.constantFrom('spend', 'settlement'),
    at: fc.nat({ max: 8 }),
    state: fc.constantFrom('completed', 'reverted', 'failed', 'reconcile_required'),
  }),
  fc.record({ do: fc.constantFrom('advance' as const, 'reset' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

type Players = PartnerClient & {
  readonly liveOwnerId: string
  readonly merchantId: string
  readonly floatId: string
}

function play(): Players {
  const client = partnerClient({
    isActive: true,
    partner: {
      liveKey: LIVE,
      owner: { NTZS: '3000000', USDC: '900' },
      platformNtzs: '1500000',
      settings: { webhooks: { beforeAnswer: 0.3 } },
    },
  })
  const { ask, model } = client
  const liveOwnerId = model.partner.partners.get(LIVE)?.ownerId ?? ''
  const account = { email: 'a@b.example', businessName: 'Shop', settlementPhone: '0754000999' }
  const shop = ask('POST', '/commerce/accounts', { userId: liveOwnerId, ...account }, { key: LIVE })
  const float = ask('POST', '/partners/sub-wallets', { label: 'bot' }).json
  ask('POST', '/transfers', { fromUserId: client.ownerId, toAddress: float['address'], amountTzs: 600_000 })
  return {
    ...client,
    liveOwnerId,
    merchantId: shop.json['merchantId'] as string,
    floatId: float['id'] as string,
  }
}

function perform(players: Players, wanted: Step): void {
  const { ask, model, partner, merchantId } = players
  const isLive = 'key' in wanted && wanted.key === 'live'
  const userId = isLive ? players.liveOwnerId : players.ownerId
  const more = {
    ...(isLive ? { key: LIVE } : {}),
    ...('idempotencyKey' in wanted && wanted.idempotencyKey !== undefined && wanted.do !== 'commerce'
      ? { idempotencyKey: wanted.idempotencyKey }
      : {}),
  }
  const post = (path: string, body: object): PartnerReply => ask('POST', path, body, more)
  switch (wanted.do) {
    case 'spend': {
      const sources = {
        user: { userId },
        platform: { fromTreasury: true, endUser: { reference: 'r' } },
        float: { subWalletId: players.floatId },
      }
      const body = {
        ...sources[wanted.from],
        ...wanted.target,
        amountTzs: wanted.amountTzs,
      }
      const { quoteId } = post('/spend/quote', body).json
      post('/spend', { ...body, quoteId })
      return
    }
    case 'offramp': {
      const { quoteId } = post('/ramp/quote', { direction: 'offramp', tzsAmount: wanted.amountTzs }).json
      post('/ramp/offramp', { quoteId, phoneNumber: wanted.phoneNumber })
      return
    }
    case 'onramp': {
      const addresses = {
        lp: model.options.walletAddress,
        float: undefined,
        stranger: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
        user: partner.users.get(players.ownerId)?.walletAddress,
      }
      const { quoteId } = post('/ramp/quote', { direction: 'onramp', tzsAmount: wanted.amountTzs }).json
      const destinationAddress = addresses[wanted.to]
      post('/ramp/onramp', { quoteId, phoneNumber: '0754123456', destinationAddress })
      return
    }
    case 'pay':
      post('/merchant/pay', { payerUserId: userId, handle: wanted.handle, amountTzs: wanted.amountTzs })
      return
    case 'phone-pay':
      post('/api/merchant/pay', {
        payerPhone: '0754123456',
        handle: wanted.handle,
        amountTzs: wanted.amountTzs,
      })
      return
    case 'swap': {
      const { amount, isBuying } = wanted
      const pair = isBuying
        ? { from: 'TZS_TOKEN', to: 'USDC', amount: amount * 2_500 }
        : { from: 'USDC', to: 'TZS_TOKEN', amount }
      post('/swap', { userId, ...pair })
      return
    }
    case 'commerce':
      ask('POST', `/commerce/${wanted.path}`, wanted, { key: LIVE, merchantId })
      return
    case 'settle':
      ask('PATCH', '/commerce/settlement', { autoSettlePercent: wanted.percent }, { key: LIVE, merchantId })
      return
    case 'operator': {
      const records = wanted.kind === 'spend' ? partner.payments.spends : partner.payments.settlements
      const id = [...records.keys()][wanted.at] ?? 'none'
      setState(model.partner, { kind: wanted.kind, id, state: wanted.state }, {})
      return
    }
    case 'advance':
    case 'reset':
      ask('POST', `/testmode/${wanted.do}`, {})
  }
}

test('payments, ramp, swaps and merchants of both keys make and lose no unit, overdraw nothing and keep the supply tied', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(step, fc.constantFrom(0, 1_000, 3_000, 400_000)), { minLength: 20, maxLength: 60 }),
      (steps) => {
        const players = play()
        for (const [wanted, pauseMs] of steps) {
          perform(players, wanted)
          players.wait(pauseMs)
          mustConserve(players)
          const overdrawn = [...players.model.book().accounts].filter(
            ([name, { NTZS, USDC }]) => /^(0x|rail:)/.test(name) && (NTZS < 0n || USDC < 0n),
          )
          expect(overdrawn).toEqual([])
          expect(players.ask('GET', '/reconcile').json).toMatchObject({ difference: 0 })
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('the steps of the property reach every kind of payment and every end of one', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 60, maxLength: 60 }), (steps) => {
      const players = play()
      for (const wanted of steps) {
        perform(players, wanted)
        players.wait(3_000)
        for (const { payoutStatus } of players.partner.payments.spends.values())
          seen.add(`spend ${payoutStatus}`)
        for (const { direction, status } of players.partner.payments.settlements.values())
          seen.add(`${direction} ${status}`)
      }
    }),
    { numRuns: 20, seed: 7 },
  )
  expect([...seen].toSorted()).toEqual([
    'offramp completed',
    'offramp failed',
    'offramp paying_out',
    'offramp reconcile_required',
    'onramp completed',
    'onramp failed',
    'onramp minting',
    'spend completed',
    'spend pending',
    'spend reconcile_required',
    'spend reverted',
  ])
})
