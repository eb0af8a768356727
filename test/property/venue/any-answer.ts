import type { LpAnswer } from '../../unit/venue/read-answer.ts'
import { ASSETS } from '../../../src/base/money/asset.ts'
import { createVenueCalls } from '../../../src/venue/endpoints.ts'
import { createFillsWindow } from '../../../src/venue/fills-window.ts'
import { venueSettingsSchema } from '../../../src/venue/settings.ts'
import type { VenueCall } from '../../../src/venue/call.ts'
import { violated } from '../../world/step.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const BNB_USDT = '0x55d398326f99059fF775485246999027B3197955'
const SHILLING = `0x${'7a'.repeat(20)}`
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const WHEN = '2026-03-02T05:00:00.000Z'
const settings = venueSettingsSchema.parse({
  baseUrl: 'http://venue.invalid',
  tokens: { [SHILLING]: 'NTZS' },
})
const calls = createVenueCalls(settings)
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
export const ROUTES: readonly {
  readonly call: () => VenueCall<LpAnswer>
  readonly good: readonly unknown[]
}[] = [
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
        positions: [{ token: BNB_USDT, symbol: 'USDT', chain: 'bnb', amount: '1' }],
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

/** What a careless reader takes for something else. */
export const VICIOUS: readonly unknown[] = [
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
  { length: { toString: 1 } },
]

/** Somewhere inside a value something is replaced, removed, doubled or added. Changes what it is given. */
export function mutate(
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

/** An answer that was read has sane amounts and numbers, whatever it was read from. */
export function checkAnswer(answer: LpAnswer): void {
  noStrangeNumber(answer)
  if (answer.type === 'fills') checkFills(answer)
  if (answer.type === 'balances')
    for (const [asset, amount] of Object.entries(answer.amounts))
      if (!isAsset(asset) || typeof amount !== 'bigint')
        violated(`a balance of ${asset} is read as ${String(amount)}`)
  if ('mid' in answer && answer.mid !== null && !isPositive(answer.mid))
    violated(`a mid is read as ${String(answer.mid)}`)
  if (answer.type === 'rate' && (answer.mid === null) !== (answer.problem !== null))
    violated('a rate without a mid names no problem, or one with a mid does')
  if (answer.type === 'quoteRead' && !Number.isInteger(answer.spreadBps))
    violated(`a spread is read as ${answer.spreadBps} bps`)
}

function checkFills(answer: Extract<LpAnswer, { type: 'fills' }>): void {
  const news = createFillsWindow().reduce(answer, 0)
  if (!news.ok) throw new Error(news.error)
  const { fills, quarantined } = news.value
  const distinct = new Set(answer.rows.map(({ raw }) => raw)).size
  if (fills.length + quarantined.length !== distinct)
    violated('a row is neither a fill nor put aside, or is both')
  for (const { amountIn, amountOut, fee, inAsset, outAsset, id } of fills) {
    if (!isPositive(amountIn) || !isPositive(amountOut))
      violated(`fill ${id} has ${amountIn} in and ${amountOut} out`)
    if (fee !== null && !(typeof fee === 'bigint' && fee >= 0n))
      violated(`fill ${id} has a fee of ${String(fee)}`)
    const isPair = isAsset(inAsset) && isAsset(outAsset) && (inAsset === 'NTZS') !== (outAsset === 'NTZS')
    if (!isPair || id === '') violated(`fill ${id} is of ${inAsset} for ${outAsset}`)
  }
}

function isPositive(value: unknown): boolean {
  return typeof value === 'bigint' && value > 0n
}

function isAsset(name: string): boolean {
  return (ASSETS as readonly string[]).includes(name)
}

function noStrangeNumber(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value)) violated(`a number is read as ${value}`)
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(noStrangeNumber)
}
