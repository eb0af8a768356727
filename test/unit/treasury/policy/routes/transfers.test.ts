import { expect, test } from 'vitest'
import { plan } from '../../../../../src/treasury/policy/plan.ts'
import { CONFIG, holding, input, shillingBand, TZS } from '../plan-world.ts'
import type { PlanInput } from '../../../../../src/treasury/model/plan-types.ts'

const config = {
  ...CONFIG,
  policy: { ...CONFIG.policy, bands: { NTZS: shillingBand(6_000_000n, 4_000_000n, 80_000_000n) } },
}
const MOVED = ['transfer', 'lpActivation']
const MOST = 1_000_000n * TZS

/** The first step of a plan for a position that lacks 2,500,000 TZS. */
function stepOf(change: Partial<PlanInput>) {
  const step = plan(input({ config, holdings: holding({ NTZS: 3_500_000n * TZS }), ...change })).steps[0]
  return step?.legs.map(({ kind, amount }) => ({ kind, amount })) ?? []
}

const sumOf = (kind: string, legs: readonly { kind: string; amount: bigint }[]) =>
  legs.filter((leg) => leg.kind === kind).reduce((sum, { amount }) => sum + amount, 0n)

test('a refill continues in transfers of different amounts within the cap, each swept alone', () => {
  const legs = stepOf({ transferCaps: { perTransaction: MOST, left: null } })
  expect(legs.map(({ kind }) => kind)).toEqual(['deposit', ...MOVED, ...MOVED, ...MOVED])
  const transfers = legs.filter(({ kind }) => kind === 'transfer').map(({ amount }) => amount)
  expect(new Set(transfers).size).toBe(3)
  expect(transfers.every((amount) => amount <= MOST)).toBe(true)
  expect(sumOf('transfer', legs)).toBe(2_500_000n * TZS)
})

test('a refill is one transfer where no cap is known', () => {
  expect(stepOf({}).map(({ kind }) => kind)).toEqual(['deposit', 'transfer', 'lpActivation'])
})

test('what lies in the wallet of the treasury is moved as far as the day allows', () => {
  const holdings = holding({ NTZS: 3_500_000n * TZS }, { NTZS: 2_500_000n * TZS })
  const legs = stepOf({ holdings, transferCaps: { perTransaction: MOST, left: 1_200_000n * TZS } })
  expect(sumOf('transfer', legs)).toBe(1_200_000n * TZS)
  expect(stepOf({ holdings, transferCaps: { perTransaction: MOST, left: 0n } })).toEqual([])
})
