import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../../src/rfq/exchange-abi.ts'
import { leastSaltAt } from '../../../../src/rfq/build-order.ts'
import { sealedGas } from '../../../../src/rfq/sealed/sealed-cancels.ts'
import { sealProblem } from '../../../../src/signing/policy/check-seal.ts'
import { checkTransaction } from '../../../../src/signing/policy/check-transaction.ts'
import { LONGEST_LIFE_MS } from '../../../../src/signing/policy/signing-policy.ts'
import {
  DOLLAR,
  EXCHANGE,
  MAKER,
  NOW,
  SHILLING,
  signingPolicy,
  SOLVER,
} from '../../../support/signing-fixture.ts'

// A cancellation that is signed in advance lies in a file: whoever has the file can send it, so it must be able to do nothing else.

const LAST = leastSaltAt(NOW)
const SALT = leastSaltAt(NOW + 30_000)
const LIMITS = { maxFeePerGas: 5_000_000_000n }
const BOTH: readonly [Hex, Hex][] = [
  [SHILLING, DOLLAR],
  [DOLLAR, SHILLING],
]

type Change = {
  readonly to?: Hex
  readonly value?: bigint
  readonly chainId?: number
  readonly pairs?: readonly [Hex, Hex][]
  readonly salts?: readonly bigint[]
  readonly gas?: bigint
  readonly maxFeePerGas?: bigint
  readonly type?: 'eip1559' | 'eip2930'
  readonly tail?: string
  readonly seals?: typeof LIMITS | null
  readonly stopAt?: number
}

function judged(change: Change = {}): string | null {
  const { to = EXCHANGE, pairs = BOTH, seals = LIMITS, tail = '', type = 'eip1559' } = change
  const data = encodeFunctionData({
    abi: parseAbi(EXCHANGE_ABI),
    functionName: 'batchCancelPairRfqOrders',
    args: [pairs.map(([give]) => give), pairs.map(([, get]) => get), change.salts ?? pairs.map(() => SALT)],
  })
  const common = {
    chainId: change.chainId ?? 8_453,
    to,
    data: `${data}${tail}` as Hex,
    value: change.value ?? 0n,
  }
  const gas = change.gas ?? sealedGas(pairs.length)
  const maxFeePerGas = change.maxFeePerGas ?? LIMITS.maxFeePerGas
  const transaction =
    type === 'eip1559'
      ? ({ ...common, type, gas, maxFeePerGas } as const)
      : ({ ...common, type, gas, gasPrice: maxFeePerGas } as const)
  return checkTransaction({
    transaction,
    wallet: MAKER,
    stopAt: change.stopAt ?? null,
    state: { lastSalt: LAST },
    policy: signingPolicy({ seals }),
    now: NOW,
  })
}

describe('the signer signs in advance a cancellation of pairs that', () => {
  test.each<[string, Change]>([
    ['covers every pair of the configuration', {}],
    ['covers one of them', { pairs: [[DOLLAR, SHILLING]] }],
    ['has the lowest salt that covers every signed order', { salts: [LAST + 1n, LAST + 1n] }],
    ['has the salt of an order fifteen minutes from now', { salts: [SALT, leastSaltAt(NOW + 900_000)] }],
    ["is sealed after the operator's stop, which only lowers what is at risk", { stopAt: 0 }],
  ])('%s', (_what, change) => {
    expect(judged(change)).toBeNull()
  })
})

describe('the signer refuses to seal a cancellation that', () => {
  test.each<[string, Change, string]>([
    ['goes to another contract', { to: SOLVER }, 'neither the exchange nor a token'],
    ['goes to a token', { to: DOLLAR }, 'something else with a token'],
    ['sends coins', { value: 1n }, 'it would send coins away'],
    ['is for another chain', { chainId: 1 }, 'chain 1 is not chain 8453'],
    ['leaves the last order', { salts: [SALT, LAST] }, 'is not above'],
    ['leaves orders before it', { salts: [1n, 1n] }, 'is not above'],
    ['ends orders that nobody has signed yet', { salts: [SALT, (1n << 256n) - 1n] }, 'nobody has signed yet'],
    ['ends orders beyond the longest life', { salts: [SALT, leastSaltAt(NOW + 900_000) + 1n] }, 'nobody has'],
    ['cancels a pair of other tokens', { pairs: [[SHILLING, SOLVER]] }, 'other pairs'],
    ['cancels a pair of one token', { pairs: [[DOLLAR, DOLLAR]] }, 'other pairs'],
    ['cancels none', { pairs: [] }, 'other pairs'],
    ['repeats pairs until it costs more', { pairs: [...BOTH, ...BOTH] }, 'other pairs'],
    ['may cost more a unit of gas', { maxFeePerGas: LIMITS.maxFeePerGas + 1n }, 'rfq.gas.maxFeeGwei'],
    ['may use more gas', { gas: sealedGas(2) + 1n }, 'units of gas'],
    ['names a price instead of a highest fee', { type: 'eip2930' }, 'no highest fee'],
    ['has something behind the call', { tail: '00' }, 'no cancellation of orders'],
    ['has a salt for one pair only', { salts: [SALT] }, 'no cancellation of orders'],
    ['nobody configured', { seals: null }, 'rfq.maxLifeMs'],
  ])('%s', (_what, change, words) => {
    expect(judged(change)).toContain(words)
  })
})

const PAIR = { makerToken: SHILLING, takerToken: DOLLAR }
const FEES = { type: 'eip1559', gas: sealedGas(1), maxFeePerGas: LIMITS.maxFeePerGas } as const

function problem(
  change: object = {},
  minValidSalts: readonly bigint[] = [leastSaltAt(NOW)],
  lastSalt: bigint | null = null,
  pairs = [PAIR],
): string | null {
  const fees = { chainId: 8_453, ...FEES, ...change }
  const check = { state: { lastSalt }, policy: signingPolicy({ seals: LIMITS }), now: NOW }
  return sealProblem(fees, { pairs, minValidSalts }, check)
}

describe('a cancellation in advance is not signed', () => {
  test('while it leaves open what it may cost', () => {
    expect(problem()).toBeNull()
    for (const change of [
      { type: 'legacy' },
      { type: 'eip2930' },
      { gas: undefined },
      { maxFeePerGas: undefined },
    ])
      expect([change, problem(change)]).toEqual([change, 'it names no highest fee'])
  })

  test('where one of its pairs is a stranger beside a known one', () => {
    const stranger = { makerToken: SOLVER, takerToken: DOLLAR }
    const salt = leastSaltAt(NOW)
    const fees = { gas: sealedGas(2) }
    expect(problem(fees, [salt, salt], null, [PAIR, stranger])).toContain('other pairs')
  })

  test('at the salt that was used last, and is at the next one, which is 0 before any', () => {
    expect(problem({}, [0n])).toBeNull()
    expect(problem({}, [-1n])).toContain('not above -1')
    expect(problem({}, [7n], 7n)).toContain('not above 7')
    expect(problem({}, [8n], 7n)).toBeNull()
  })

  test.each([
    ['the time', null, leastSaltAt(NOW)],
    ['the last salt, where that is ahead of the time', leastSaltAt(NOW + 5_000), leastSaltAt(NOW + 5_000)],
    ['the time, where the last salt is behind it', leastSaltAt(NOW - 5_000), leastSaltAt(NOW)],
  ])('beyond the longest life of an order after %s', (_what, lastSalt, from) => {
    const most = from + leastSaltAt(LONGEST_LIFE_MS)
    expect(problem({}, [most], lastSalt)).toBeNull()
    expect(problem({}, [most + 1n], lastSalt)).toContain(`above ${most},`)
  })
})
