import { describe, expect, test } from 'vitest'
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

const LIMITS = { maxFeePerGas: 5_000_000_000n }
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

test.each(['eip4844', 'eip7702'] as const)('a transaction of type %s is signed by nobody', (type) => {
  const transaction = { chainId: 8_453, to: EXCHANGE, data: '0x', value: 0n, type } as never
  const [wallet, state, policy] = [MAKER, { lastSalt: null }, signingPolicy({ seals: LIMITS })]
  expect(checkTransaction({ transaction, wallet, stopAt: null, state, policy, now: NOW })).toContain(
    `of type ${type}`,
  )
})
