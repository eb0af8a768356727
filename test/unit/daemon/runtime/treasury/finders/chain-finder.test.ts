import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findOnChain,
  pickTransfer,
} from '../../../../../../src/daemon/runtime/treasury/finders/chain-finder.ts'
import type { SeenTransfer } from '../../../../../../src/custody/chain/token-finder.ts'
import type { Leg } from '../../../../../../src/treasury/model/intent.ts'
import { treasuryConfig, TZS } from '../../../../../support/treasury-harness.ts'

const AMOUNT = 1_000_000n * TZS
const LEG = {
  kind: 'transfer',
  asset: 'NTZS',
  amount: AMOUNT,
  sentAt: 1,
  reference: null,
  stage: 'silent',
} as Leg
const hash = (digit: string) => `0x${digit.repeat(64)}` as const
const seen = (...amounts: bigint[]): SeenTransfer[] =>
  amounts.map((amount, index) => ({ hash: hash(String(index + 1)), amount }))
const rival = (amount: bigint, change: Partial<Leg> = {}): Leg => ({ ...LEG, amount, ...change })
const settled = (amount: bigint, received: bigint, reference = hash('f')): Leg =>
  rival(amount, { received, reference, stage: 'settled', endedAt: 1 })

function pick(amounts: readonly bigint[], others: readonly Leg[] = [], leg = LEG) {
  const { found, candidates } = pickTransfer({ leg, seen: seen(...amounts), others })
  return found?.received ?? candidates.map(({ received }) => received)
}

describe('the transfer of a silent attempt on chain', () => {
  test('is found by its exact amount, and less a fee within the bound where it is the only one', () => {
    expect(pick([AMOUNT])).toBe(AMOUNT)
    expect(pick([995_000n * TZS])).toBe(995_000n * TZS)
    expect(pick([990_000n * TZS])).toBe(990_000n * TZS)
  })

  test.each([
    ['a unit beyond the bound of the fee', 990_000n * TZS - 1n],
    ['a unit more than was sent', AMOUNT + 1n],
    ['nothing', 0n],
  ])('is not one that brings %s', (_what, amount) => expect(pick([amount])).toEqual([]))

  test('is evidence only where two fit, of one amount or of two', () => {
    expect(pick([995_000n * TZS, 994_000n * TZS])).toEqual([995_000n * TZS, 994_000n * TZS])
    expect(pick([AMOUNT, AMOUNT])).toEqual([AMOUNT, AMOUNT])
    expect(pick([AMOUNT, 995_000n * TZS])).toEqual([AMOUNT, 995_000n * TZS])
  })

  test('is the one that costs what the last transfer cost, where two are within the bound', () => {
    const known = settled(200_000n * TZS, 199_000n * TZS)
    expect(pick([995_000n * TZS, 994_000n * TZS], [known])).toBe(995_000n * TZS)
    expect(pick([995_001n * TZS, AMOUNT], [known])).toBe(995_001n * TZS)
    const free = settled(200_000n * TZS, 200_000n * TZS)
    expect(pick([AMOUNT, 995_000n * TZS], [free])).toBe(AMOUNT)
  })

  test('is never one that belongs to another step by its hash, however it is written', () => {
    const upper = settled(AMOUNT, AMOUNT, hash('1').replace('0x', '0X').toUpperCase() as never)
    expect(pick([AMOUNT], [{ ...upper, reference: hash('1') }])).toEqual([])
    expect(pick([AMOUNT, AMOUNT], [{ ...upper, reference: hash('1') }])).toBe(AMOUNT)
  })

  test('is evidence only where it fits another step that was not found, unless it is exactly ours', () => {
    const other = rival(AMOUNT - TZS)
    expect(pick([995_000n * TZS], [other])).toEqual([995_000n * TZS])
    expect(pick([AMOUNT - TZS], [rival(AMOUNT)], rival(AMOUNT - TZS))).toBe(AMOUNT - TZS)
    expect(pick([AMOUNT, AMOUNT - TZS], [other])).toBe(AMOUNT)
    // A claim that a person resolved without naming its transfer may be it as well.
    expect(pick([995_000n * TZS], [{ ...other, stage: 'settled', received: 1n }])).toEqual([995_000n * TZS])
    expect(pick([995_000n * TZS], [{ ...other, sentAt: null }])).toBe(995_000n * TZS)
  })

  test('of two steps is never found for both', () => {
    const unit = fc.bigInt({ min: 0n, max: 30_000n }).map((thousand) => AMOUNT - thousand * TZS)
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 4 }), unit, unit, (amounts, first, second) => {
        fc.pre(first !== second)
        const [a, b] = [rival(first), rival(second)]
        const list = seen(...amounts)
        const ofA = pickTransfer({ leg: a, seen: list, others: [b] }).found?.reference
        const ofB = pickTransfer({ leg: b, seen: list, others: [a] }).found?.reference
        return ofA === undefined || ofA !== ofB
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the search of the chain', () => {
  const ADDRESS = `0x${'b'.repeat(40)}`
  const attempts = [{ n: 1, block: 7n }]
  const parts = (transfers: (wanted: unknown) => unknown, change: object = {}) =>
    ({
      chain: { transfers },
      config: () => ({ core: treasuryConfig(), lpWallet: ADDRESS }),
      treasuryAddress: () => '0xaa',
      state: () => null,
      ...change,
    }) as never
  const leg = { ...LEG, payee: null, attempts } as unknown as Leg

  test('asks for what the fee may leave of the amount, since the block before it was sent', async () => {
    const asked: unknown[] = []
    const finding = await findOnChain(
      parts((wanted) => {
        asked.push(wanted)
        return { ok: true, value: seen(992_000n * TZS) }
      }),
      leg,
      1,
    )
    expect(asked).toEqual([
      { asset: 'NTZS', from: '0xaa', to: ADDRESS, least: 990_000n * TZS, most: AMOUNT, sinceBlock: 7n },
    ])
    expect(finding).toEqual({
      found: { reference: hash('1'), received: 992_000n * TZS },
      candidates: [],
      words: 'the chain log shows it, less a fee',
    })
  })

  test('reads our own address where a restart came before the balances, and fails where that fails', async () => {
    const asked: unknown[] = []
    const searching = (user: object) =>
      findOnChain(
        parts(
          (wanted) => {
            asked.push(wanted)
            return { ok: true, value: seen(AMOUNT) }
          },
          { treasuryAddress: () => null, client: { readUser: async () => user } },
        ),
        leg,
        1,
      )
    const found = await searching({ kind: 'answered', value: { walletAddress: '0xAA' } })
    expect(found.found?.received).toBe(AMOUNT)
    expect(asked).toMatchObject([{ from: '0xaa' }])
    for (const user of [{ kind: 'unknown' }, { kind: 'answered', value: { walletAddress: null } }])
      expect((await searching(user)).found).toBeNull()
    expect(asked).toHaveLength(1)
  })

  test('that fails, or has no block to begin with, finds nothing and gives the reason', async () => {
    const failed = await findOnChain(
      parts(() => ({ ok: false, error: { words: 'HTTP 503' } })),
      leg,
      1,
    )
    expect(failed).toEqual({ found: null, candidates: [], words: 'the chain could not be read: HTTP 503' })
    const none = await findOnChain(
      parts(() => expect.unreachable()),
      leg,
      2,
    )
    expect(none.words).toBe('no chain was searched for it')
  })
})
