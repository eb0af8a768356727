import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ASSETS } from '../../../src/money/asset.ts'
import { createCalls, type Answer } from '../../../src/venue/endpoints.ts'
import { createFillsWindow } from '../../../src/venue/fills-window.ts'
import { interpret } from '../../../src/venue/interpret.ts'
import { venueSettingsSchema } from '../../../src/venue/settings.ts'
import type { VenueCall } from '../../../src/venue/call.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SHILLING = `0x${'7a'.repeat(20)}`
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const WHEN = '2026-03-02T05:00:00.000Z'
const settings = venueSettingsSchema.parse({
  baseUrl: 'http://venue.invalid',
  tokens: { [SHILLING]: 'NTZS' },
})
const calls = createCalls(settings)
const SPREAD = { bidBps: 50, askBps: 60, quoteBid: true, quoteAsk: false, quotePairs: ['USDC'] }

const fill = {
  id: 'f1',
  fromToken: 'USDC',
  toToken: 'NTZS',
  amountIn: '100.5',
  amountOut: '260000.25',
  feesEarned: '1.5',
  txHash: '0xa',
  createdAt: WHEN,
}
const observedFill = {
  id: 'f2',
  fromToken: SHILLING,
  toToken: USDC,
  amountIn: '1000',
  amountOut: '0.38',
  spreadEarned: '0.01',
  protocolFeeEarned: '0.0004',
  inTxHash: '0xb',
  outTxHash: '0xc',
  createdAt: WHEN,
}
const rate = { midRateTZS: 2568.1584, rateUpdatedAt: WHEN, quotable: true }
const quote = { amountIn: '1', expectedOutput: 95.5, midRate: 2600, spreadBps: 50, protocolFeeBps: 10 }

/** Every endpoint with answers that are good, in both dialects. */
const ROUTES: readonly { readonly call: () => VenueCall<Answer>; readonly good: readonly unknown[] }[] = [
  {
    call: () => calls.account(),
    good: [
      { id: 'a', isActive: true, walletAddress: WALLET },
      { account: { isActive: false, walletAddress: WALLET } },
    ],
  },
  {
    call: () => calls.balances(),
    good: [
      { ntzs: '1.5', usdc: '2', usdt: '3', wallet: { address: WALLET, chain: 'base' } },
      {
        ntzs: '1',
        usdc: '2',
        source: 'pool',
        positions: [{ token: USDC, symbol: 'USDT', chain: 'bnb', amount: '1' }],
      },
    ],
  },
  { call: () => calls.rate(), good: [rate, { midRateTZS: 2600 }] },
  { call: () => calls.quote({ from: 'NTZS', to: 'USDC', amount: 250_000n * 10n ** 18n }), good: [quote] },
  { call: () => calls.quote({ from: 'USDT', to: 'NTZS', amount: 100_000_000n }), good: [quote] },
  { call: () => calls.spread(SPREAD), good: [{ ...SPREAD, updatedAt: WHEN }] },
  {
    call: () => calls.activate(false),
    good: [
      { isActive: false, walletAddress: WALLET, updatedAt: WHEN },
      { isActive: true, partial: true, returned: ['NTZS', { token: USDC }], failed: ['USDT'], error: 'x' },
    ],
  },
  { call: () => calls.fills(), good: [{ fills: [fill, observedFill] }, { fills: [] }] },
  {
    call: () => calls.withdraw({ asset: 'USDC', amount: 5n, toAddress: WALLET }),
    good: [{ txHash: '0xa', status: 'confirmed' }],
  },
  { call: () => calls.custody(true), good: [{ enabled: true }, {}] },
  { call: () => calls.rfqInfo(), good: [{ solver: WALLET, chainId: 8453, exchange: WALLET }] },
  {
    call: () =>
      calls.rfqOrder({
        order: {
          makerToken: USDC,
          takerToken: SHILLING,
          makerAmount: 1n,
          takerAmount: 1n,
          maker: WALLET,
          taker: WALLET,
          txOrigin: WALLET,
          pool: '0x0',
          expiry: 1n,
          salt: 1n,
        },
        signature: { signatureType: 2, v: 27, r: '0x0', s: '0x0' },
      }),
    good: [{ orderHash: '0xa', orderStatus: 'FILLABLE' }],
  },
  {
    call: () => calls.swapRate({ side: 'bid', probe: 10n ** 18n }),
    good: [{ midRate: 2600, bidBps: 50, askBps: 60, spreadBps: 50, protocolFeeBps: 10, lowLiquidity: false }],
  },
]

const VICIOUS: readonly unknown[] = [
  null,
  0,
  -1,
  -0,
  Number.NaN,
  1e21,
  5e-324,
  2 ** 53,
  true,
  '',
  '0',
  '-0',
  '-1',
  '1e5',
  '0x10',
  ' 1',
  '1.',
  '.5',
  '١٢',
  '1,000',
  'NaN',
  '9'.repeat(500),
  `0.${'0'.repeat(30)}1`,
  '__proto__',
  'constructor',
  USDC,
  [],
  {},
  [[]],
  [null],
  { $n: '5' },
  { toString: 1 },
  { length: 1e9 },
]

const junk = fc.oneof(fc.constantFrom(...VICIOUS), fc.jsonValue({ maxDepth: 4 }))

/** Somewhere inside a good answer something is replaced, removed, doubled or added. */
function mutated(good: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.array(fc.nat(50), { maxLength: 4 }), fc.nat(3), junk, fc.string({ maxLength: 12 }))
    .map(([path, how, value, name]) => mutate(structuredClone(good), path, how, value, name))
}

function mutate(
  target: unknown,
  path: readonly number[],
  how: number,
  value: unknown,
  name: string,
): unknown {
  if (typeof target !== 'object' || target === null) return value
  const keys = Object.keys(target)
  const key = keys[(path[0] ?? 0) % Math.max(1, keys.length)]
  const fields = target as Record<string, unknown>
  if (key === undefined || (path.length <= 1 && how === 3)) {
    Object.defineProperty(target, Array.isArray(target) ? target.length : name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  } else if (path.length > 1) fields[key] = mutate(fields[key], path.slice(1), how, value, name)
  else if (how === 0) delete fields[key]
  else if (how === 1) fields[key] = value
  else fields[key] = [fields[key], fields[key]]
  return target
}

const status = fc.constantFrom(
  200,
  200,
  200,
  207,
  204,
  302,
  400,
  401,
  403,
  404,
  408,
  409,
  418,
  429,
  500,
  502,
  503,
)
const headers = fc.dictionary(
  fc.constantFrom('date', 'retry-after', 'content-type'),
  fc.oneof(fc.string(), fc.constantFrom('3', '-1', 'Mon, 02 Mar 2026 06:00:00 GMT', '9'.repeat(400))),
)

/** As an object, and as the text it would be on the wire. */
function check(call: VenueCall<Answer>, body: unknown, code: number, head: Record<string, string>): void {
  for (const form of [body, JSON.stringify(body)]) {
    const result = interpret(call, { status: code, headers: head, body: form, receivedAt: 0 })
    if (result.ok) checkAnswer(result.value)
    else {
      const { error } = result
      expect(error.route).toBe(call.route)
      expect(error.message.length).toBeLessThan(500)
      expect(error.status).toBe(code)
      if (!call.isWrite) expect(error.outcome).toBe('failed')
      if (error.retryAfterMs !== null) expect(error.retryAfterMs).toSatisfy(Number.isFinite)
    }
  }
}

function checkAnswer(answer: Answer): void {
  noStrangeNumber(answer)
  if (answer.type === 'fills') {
    const news = createFillsWindow().reduce(answer, 0)
    if (!news.ok) throw new Error(news.error)
    const reduced = news.value
    const distinct = new Set(answer.rows.map(({ raw }) => raw)).size
    expect(reduced.fills.length + reduced.quarantined.length).toBe(distinct)
    for (const { amountIn, amountOut, fee, inAsset, outAsset, id } of reduced.fills) {
      expect(typeof amountIn === 'bigint' && amountIn > 0n).toBe(true)
      expect(typeof amountOut === 'bigint' && amountOut > 0n).toBe(true)
      expect(fee === null || (typeof fee === 'bigint' && fee >= 0n)).toBe(true)
      expect(ASSETS).toContain(inAsset)
      expect(ASSETS).toContain(outAsset)
      expect((inAsset === 'NTZS') !== (outAsset === 'NTZS')).toBe(true)
      expect(id).not.toBe('')
    }
  }
  if (answer.type === 'balances') {
    for (const [asset, amount] of Object.entries(answer.amounts)) {
      expect(ASSETS).toContain(asset)
      expect(typeof amount).toBe('bigint')
    }
  }
  if ('mid' in answer && answer.mid !== null)
    expect(typeof answer.mid === 'bigint' && answer.mid > 0n).toBe(true)
  if (answer.type === 'rate') expect(answer.mid === null).toBe(answer.problem !== null)
  if (answer.type === 'quoteRead') expect(answer.spreadBps).toSatisfy(Number.isInteger)
}

function noStrangeNumber(value: unknown): void {
  if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite)
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(noStrangeNumber)
}

describe.each(ROUTES.map((route) => [route.call().route, route] as const))(
  'the answer of %s',
  (_name, { call, good }) => {
    test('is read when it is good', () => {
      for (const body of good) {
        expect(interpret(call(), { status: 200, headers: {}, body, receivedAt: 0 }).ok).toBe(true)
      }
    })

    test('is a value for any JSON: never thrown, no amount that is no bigint, no NaN', () => {
      fc.assert(
        fc.property(junk, status, headers, (body, code, head) => check(call(), body, code, head)),
        { numRuns: 150 },
      )
    })

    test('is a value for a good answer gone wrong anywhere', () => {
      fc.assert(
        fc.property(fc.oneof(...good.map(mutated)), status, headers, (body, code, head) =>
          check(call(), body, code, head),
        ),
        { numRuns: 300 },
      )
    })

    test('is a value for any text', () => {
      const text = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.constantFrom(...good).chain((body) => {
          const whole = JSON.stringify(body)
          return fc.nat(whole.length).map((length) => whole.slice(0, length))
        }),
      )
      fc.assert(
        fc.property(text, status, (body, code) => {
          const result = interpret(call(), { status: code, headers: {}, body, receivedAt: 0 })
          if (result.ok) checkAnswer(result.value)
        }),
        { numRuns: 150 },
      )
    })
  },
)
