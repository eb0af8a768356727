import { describe, expect, test } from 'vitest'
import { capLeft } from '../../../../src/treasury/approvals/caps.ts'
import type { Cap } from '../../../../src/treasury/model/config.ts'
import { plannedLeg, plannedStep, TreasuryHarness, TZS } from '../../../support/treasury-harness.ts'

const DAY = 86_400_000
const cap = (change: Partial<Cap>): Cap => ({
  route: null,
  destination: null,
  asset: 'NTZS',
  perDay: null,
  perMonth: null,
  ...change,
})
const move = (shillings: bigint) =>
  plannedStep([plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: shillings * TZS })], {
    route: 'rebalance',
  })

function moved(harness: TreasuryHarness, id: string, shillings: bigint): void {
  harness.plan(id, move(shillings))
  harness.prepare(id, 0)
  harness.answer(id, 0)
}

describe('caps', () => {
  test('exactly the cap of a day may leave, and one unit more is refused in words', () => {
    const harness = new TreasuryHarness({ policy: { caps: [cap({ perDay: 1_000n * TZS })] } })
    moved(harness, 'one', 600n)
    expect(capLeft(harness.state, 'rebalance', 'lpWallet', 'NTZS')).toBe(400n * TZS)
    harness.give({ type: 'planned', steps: [{ id: 'two', step: move(401n) }] })
    expect(harness.observations.at(-1)).toMatchObject({
      code: 'treasury-step-refused',
      message: expect.stringMatching(/^refill NTZS in: .* 400 NTZS .* 401$/),
    })
    moved(harness, 'two', 400n)
    expect(harness.intent('two').stage).toBe('settled')
  })

  test('a day and a month roll: what left 24 hours ago counts for the month alone', () => {
    const harness = new TreasuryHarness({
      policy: { caps: [cap({ perDay: 1_000n * TZS, perMonth: 1_500n * TZS })] },
    })
    moved(harness, 'one', 1_000n)
    harness.pass(DAY - 1)
    expect(capLeft(harness.state, 'rebalance', 'lpWallet', 'NTZS')).toBe(0n)
    harness.pass(1)
    expect(capLeft(harness.state, 'rebalance', 'lpWallet', 'NTZS')).toBe(500n * TZS)
    harness.pass(29 * DAY)
    expect(capLeft(harness.state, 'rebalance', 'lpWallet', 'NTZS')).toBe(1_000n * TZS)
  })

  test('the narrowest of the caps that cover a route and a destination counts', () => {
    const harness = new TreasuryHarness({
      policy: {
        caps: [
          cap({ perDay: 5_000n * TZS }),
          cap({ route: 'rebalance', perDay: 900n * TZS }),
          cap({ destination: 'landlord', perDay: 100n * TZS }),
          cap({ asset: 'USDC', perDay: 1n }),
        ],
      },
    })
    const left = (route: string, destination: string) => capLeft(harness.state, route, destination, 'NTZS')
    expect(left('rebalance', 'lpWallet')).toBe(900n * TZS)
    expect(left('payout', 'landlord')).toBe(100n * TZS)
    expect(left('payout', 'newcomer')).toBe(5_000n * TZS)
    expect(capLeft(harness.state, 'payout', 'newcomer', 'USDT')).toBeNull()
  })

  test('one person alone decides over half of each cap', () => {
    const caps = [cap({ perDay: 1_000n * TZS })]
    const harness = new TreasuryHarness({ policy: { caps }, approval: { people: 1 } })
    expect(capLeft(harness.state, 'payout', 'landlord', 'NTZS')).toBe(500n * TZS)
  })

  test('an attempt that was certainly refused uses nothing, a silent one its whole envelope', () => {
    const harness = new TreasuryHarness({ policy: { caps: [cap({ perDay: 1_000n * TZS })] } })
    harness.plan('one', move(700n))
    harness.prepare('one', 0)
    harness.refuse('one', 0)
    expect(capLeft(harness.state, 'rebalance', 'lpWallet', 'NTZS')).toBe(1_000n * TZS)
    harness.plan('two', move(700n))
    harness.prepare('two', 0)
    harness.silence('two', 0)
    expect(capLeft(harness.state, 'rebalance', 'lpWallet', 'NTZS')).toBe(300n * TZS)
  })
})
