import { describe, expect, test } from 'vitest'
import { leastSaltAt } from '../../../../src/rfq/build-order.ts'
import { planSeal, SALTS_AHEAD_MS, sealFees, type SealPlan } from '../../../../src/rfq/sealed/plan-seal.ts'
import {
  encodeSealed,
  parseSealed,
  sealedPairs,
  type SealedCancels,
} from '../../../../src/rfq/sealed/sealed-cancels.ts'
import { rfqSettings } from '../../../support/order-harness.ts'

const T = 1_800_000_000_000
const { tokens, chainId, exchange, maker } = rfqSettings()
const TERMS = { pairs: sealedPairs(tokens), fees: sealFees(5_000_000_000n, 10_000_000n) }

/** The seal that a plan becomes once it is signed. */
function signed(plan: SealPlan | null): SealedCancels {
  if (plan === null) throw new Error('nothing was planned')
  const { minValidSalt, kept, unsigned } = plan
  const fresh = unsigned.map((one) => ({ ...one, hash: '0xaa', raw: `0x02f8${one.nonce}` }) as const)
  const transactions = [...kept, ...fresh]
  return {
    chainId,
    exchange,
    maker,
    pairs: TERMS.pairs,
    minValidSalt,
    sealedAt: T,
    usefulUntil: T + 600_000,
    transactions,
  }
}

const nonces = ({ transactions }: Pick<SealedCancels, 'transactions'>) => [
  ...new Set(transactions.map(({ nonce }) => nonce)),
]
const at = (ms: number) => leastSaltAt(T + ms)
const first = () => signed(planSeal(null, { mined: 7, next: 7 }, at(0), T, TERMS))

describe('A seal', () => {
  test('covers the salts of the next half minute, at three levels of fees, for the next nonce and the one after it', () => {
    const seal = first()
    expect(seal.minValidSalt).toBe(at(SALTS_AHEAD_MS))
    expect(nonces(seal)).toEqual([7, 8])
    expect(seal.transactions.map(({ level }) => level)).toEqual([1, 2, 3, 1, 2, 3])
  })

  test('suffices for every order below its salt while the wallet sends nothing', () => {
    for (const ms of [0, 1, SALTS_AHEAD_MS - 1])
      expect(planSeal(first(), { mined: 7, next: 7 }, at(ms), T + ms, TERMS)).toBeNull()
  })

  test('is renewed whole for the order whose salt it does not cover', () => {
    const plan = planSeal(first(), { mined: 7, next: 7 }, at(SALTS_AHEAD_MS), T + SALTS_AHEAD_MS, TERMS)
    expect(plan).toMatchObject({ minValidSalt: at(2 * SALTS_AHEAD_MS), kept: [] })
    expect(plan?.unsigned).toHaveLength(6)
  })

  test('covers, while a transaction waits, its nonce and the two after it, and signs only what is missing', () => {
    const plan = planSeal(first(), { mined: 7, next: 8 }, at(1), T + 1, TERMS)
    expect(nonces(signed(plan))).toEqual([7, 8, 9])
    expect(plan?.unsigned.map(({ nonce }) => nonce)).toEqual([9, 9, 9])
    expect(plan?.minValidSalt).toBe(first().minValidSalt)
  })

  test('drops the nonces that are in a block, and has those that are free', () => {
    const waiting = signed(planSeal(first(), { mined: 7, next: 8 }, at(1), T + 1, TERMS))
    const plan = planSeal(waiting, { mined: 8, next: 8 }, at(2), T + 2, TERMS)
    expect([nonces(signed(plan)), plan?.unsigned]).toEqual([[8, 9], []])
  })

  test('is void after transactions of others, and is signed anew for where the wallet is', () => {
    const plan = planSeal(first(), { mined: 12, next: 13 }, at(3), T + 3, TERMS)
    expect([nonces(signed(plan)), plan?.kept]).toEqual([[12, 13, 14], []])
  })

  test('covers a bounded number of nonces, the first ones', () => {
    expect(nonces(signed(planSeal(null, { mined: 7, next: 700 }, at(0), T, TERMS)))).toEqual([
      7, 8, 9, 10, 11, 12, 13, 14,
    ])
  })

  test('never has a lower salt than the one before it, which may be on the chain: also where the clock is set back', () => {
    const back = T - 3_600_000
    const plan = planSeal(first(), { mined: 7, next: 7 }, at(SALTS_AHEAD_MS), back, TERMS)
    expect(plan?.minValidSalt).toBe(at(2 * SALTS_AHEAD_MS))
  })

  test('is signed anew where the pairs of the configuration or its fees are others', () => {
    const other = { ...TERMS, pairs: TERMS.pairs.slice(0, 2) }
    expect(planSeal(first(), { mined: 7, next: 7 }, at(1), T + 1, other)?.unsigned).toHaveLength(6)
    const dearer = { ...TERMS, fees: sealFees(6_000_000_000n, 10_000_000n) }
    expect(planSeal(first(), { mined: 7, next: 7 }, at(1), T + 1, dearer)?.unsigned).toHaveLength(6)
  })
})

describe('The fees of a seal', () => {
  test('end at the cap, and each level outbids the one before it and our other transactions', () => {
    expect(sealFees(5_000_000_000n, 10_000_000n)).toEqual([
      { maxFeePerGas: 1_250_000_000n, maxPriorityFeePerGas: 20_000_000n },
      { maxFeePerGas: 2_500_000_000n, maxPriorityFeePerGas: 40_000_000n },
      { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 80_000_000n },
    ])
  })

  test('never tip more than the whole fee, and outbid also where no tip is configured', () => {
    for (const { maxFeePerGas, maxPriorityFeePerGas } of sealFees(8n, 8n))
      expect(maxPriorityFeePerGas).toBeLessThanOrEqual(maxFeePerGas)
    expect(sealFees(400n, 0n).map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas)).toEqual([1n, 2n, 4n])
  })
})

describe('The file of a seal', () => {
  test('reads back as it was, and has every transaction on a line of its own', () => {
    const text = encodeSealed(first())
    expect(parseSealed(text)).toEqual(first())
    expect(text.match(/^ +"raw": "0x02f8\w+",?$/gm)).toHaveLength(6)
  })

  test.each([
    ['nothing', ''],
    ['no object', 'null'],
    ['another version', '"version": 1'],
    ['no transaction', /"transactions": \[[^]*\]/],
    ['a salt that is no number', /"minValidSalt": "\d+"/],
    ['bytes that are none', /"raw": "0x/],
    ['a pair of no addresses', /"makerToken": "0x/],
  ])('that holds %s is none', (_what, piece) => {
    const whole = encodeSealed(first())
    const text = piece === '' || piece === 'null' ? piece : whole.replace(piece, (found) => broken(found))
    expect(text).not.toBe(whole)
    expect(parseSealed(text)).toBeNull()
  })
})

function broken(found: string): string {
  if (found.startsWith('"version"')) return '"version": 2'
  if (found.startsWith('"transactions"')) return '"transactions": []'
  return found.startsWith('"minValidSalt"') ? '"minValidSalt": "1e9"' : found.replace('0x', 'zz')
}
