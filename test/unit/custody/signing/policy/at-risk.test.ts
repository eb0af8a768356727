import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../src/base/time.ts'
import {
  applyOwnReading,
  atRiskUsd,
  dollarSide,
  emptyPolicyState,
  liveRecords,
  liveOrdersUsd,
  type PolicyState,
  type SignedRecord,
  signedLastMinute,
} from '../../../../../src/custody/signing/policy/policy-state.ts'
import {
  DOLLAR,
  NOW,
  SHILLING,
  signableOrder,
  signingPolicy,
  SOLVER,
  usd,
} from '../../../../support/signing-fixture.ts'

const ORDER = signableOrder()
const LIVE: SignedRecord = {
  order: ORDER,
  usd: usd(3),
  signedAt: NOW,
  filledUsd: 0n,
  endedAtBlock: null,
  endedAt: null,
}

function stateOf(...records: readonly Partial<SignedRecord>[]): PolicyState {
  const state = emptyPolicyState()
  for (const [index, record] of records.entries()) state.signed.set(`${index}`, { ...LIVE, ...record })
  return state
}

const read = (state: PolicyState, number: bigint, t: number, takerFilled = 0n, readAt = t) =>
  applyOwnReading(
    state,
    {
      head: { number, hash: '0x00', t },
      orders: [{ salt: 0n, hash: '0x00', status: 'FILLABLE', takerFilled }],
    },
    readAt,
    signingPolicy(),
  )

describe('what the signer counts', () => {
  test('an order that is live counts whole at risk and without its filled part as outstanding', () => {
    const ended = { endedAt: NOW, filledUsd: usd(1) }
    const state = stateOf({ filledUsd: usd(1) }, ended, { usd: usd(5) })
    expect(liveRecords(state)).toHaveLength(2)
    expect(liveOrdersUsd(state)).toBe(usd(7))
    expect(atRiskUsd(state, NOW, HOUR_MS)).toBe(usd(9))
    expect(atRiskUsd(state, NOW + HOUR_MS - 1, HOUR_MS)).toBe(usd(9))
    expect(atRiskUsd(state, NOW + HOUR_MS, HOUR_MS)).toBe(usd(8))
  })

  test('a signature counts for less than a minute', () => {
    const state = stateOf({ signedAt: NOW - MINUTE_MS }, { signedAt: NOW - MINUTE_MS + 1 }, {})
    expect(signedLastMinute(state, NOW)).toBe(2)
  })

  test('the dollars of an order are those of its side, whichever gives them; without the shilling it has none', () => {
    const { tokens } = signingPolicy()
    const sides = { usd: usd(1), shillings: 2_500n * 10n ** 18n }
    expect(dollarSide(ORDER, tokens)).toEqual(sides)
    const { makerToken, takerToken, makerAmount, takerAmount } = ORDER
    const turned = {
      makerToken: takerToken,
      takerToken: makerToken,
      makerAmount: takerAmount,
      takerAmount: makerAmount,
    }
    expect(dollarSide({ ...ORDER, ...turned }, tokens)).toEqual(sides)
    const bnb = { NTZS: SHILLING, USDC: SOLVER, 'USDT.bnb': DOLLAR } as const
    expect(dollarSide(ORDER, bnb)?.usd).toBe(1_000_000n)
    expect(dollarSide(ORDER, { USDC: DOLLAR })).toBeNull()
    expect(dollarSide({ ...ORDER, makerToken: DOLLAR }, tokens)).toBeNull()
    expect(dollarSide({ ...ORDER, takerToken: SOLVER }, tokens)).toBeNull()
  })
})

describe("the signer's own reading", () => {
  test('of what was filled in part counts it rounded up, and a reading that changes nothing writes nothing', () => {
    const state = stateOf({ usd: 10n, order: signableOrder({ takerAmount: 3n }) })
    expect(read(state, 1n, NOW, 1n).changed).toMatchObject([{ filledUsd: 4n, endedAt: null }])
    expect(read(state, 2n, NOW, 1n)).toEqual({ changed: [], forgotten: [] })
    expect(read(state, 3n, NOW, 3n).changed).toMatchObject([{ filledUsd: 10n }])
  })

  test('at the same block is applied, and of an order that is not known or has ended says nothing', () => {
    const state = stateOf({})
    read(state, 5n, NOW)
    expect(read(state, 5n, NOW, 1n).changed).toHaveLength(1)
    expect(read(emptyPolicyState(), 5n, NOW, 1n).changed).toEqual([])
    expect(read(stateOf({ endedAt: NOW }), 5n, NOW, 1n).changed).toEqual([])
  })

  test('with a clock ahead by exactly what is allowed is applied', () => {
    const { maxClockOffsetMs } = signingPolicy()
    expect(read(stateOf({}), 5n, NOW + maxClockOffsetMs, 1n, NOW).changed).toHaveLength(1)
    expect(read(stateOf({}), 5n, NOW + maxClockOffsetMs + 1, 1n, NOW).changed).toEqual([])
  })

  test('forgets what ended unfilled a minute after its signature, and what was filled a day after its end', () => {
    const ended = { endedAt: NOW, endedAtBlock: 1n }
    const forgotten = (record: Partial<SignedRecord>, after: number) =>
      read(stateOf({ ...ended, ...record }), 9n, NOW + after).forgotten
    expect(forgotten({}, MINUTE_MS - 1)).toEqual([])
    expect(forgotten({}, MINUTE_MS)).toEqual([1n])
    expect(forgotten({ filledUsd: 1n }, DAY_MS - 1)).toEqual([])
    expect(forgotten({ filledUsd: 1n }, DAY_MS)).toEqual([1n])
    expect(forgotten({ signedAt: NOW + DAY_MS }, DAY_MS)).toEqual([])
  })
})
