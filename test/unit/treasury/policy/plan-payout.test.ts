import { describe, expect, test } from 'vitest'
import { plan } from '../../../../src/treasury/policy/plan.ts'
import { planPayout } from '../../../../src/treasury/policy/plan-payout.ts'
import type { PlanInput, PlannedIntent } from '../../../../src/treasury/model/plan-types.ts'
import { CONFIG, holding, input, TZS, USD } from './plan-world.ts'

const rich = holding({ NTZS: 95_000_000n * TZS, USDC: 20_000n * USD })
const ordered = (change: Partial<PlanInput>, order: Parameters<typeof planPayout>[1]): PlannedIntent => {
  const planned = planPayout(input(change), order)
  if (!planned.ok) throw new Error(planned.error)
  return planned.value
}
const refused = (change: Partial<PlanInput>, order: Parameters<typeof planPayout>[1]): string => {
  const planned = planPayout(input(change), order)
  return planned.ok ? 'planned' : planned.error
}
const netOf = (step: PlannedIntent) =>
  step.legs.flatMap(({ kind, leastReceived }) => (kind === 'withdrawal' ? [leastReceived] : []))

describe('a payout', () => {
  const million = 1_000_000n * TZS

  test('of 40 million shillings is 41 unequal payouts, each below the million with its fees', () => {
    const step = ordered({ holdings: rich }, { payee: 'house', asset: 'NTZS', amount: 40n * million })
    const lots = netOf(step)
    expect(lots).toHaveLength(41)
    expect(new Set(lots).size).toBe(41)
    expect(lots.reduce((sum, lot) => sum + lot, 0n)).toBe(40n * million)
    for (const { kind, amount, leastReceived, payee } of step.legs.slice(1)) {
      expect([kind, payee]).toEqual(['withdrawal', 'house'])
      expect(amount).toBeLessThan(million)
      expect(amount).toBeGreaterThan(leastReceived)
      expect(leastReceived % TZS).toBe(0n)
    }
    expect(step.legs[0]).toMatchObject({
      kind: 'lpWithdrawal',
      from: 'pool',
      to: 'treasury',
      amount: step.mostSpent,
    })
    expect(step).toMatchObject({
      rule: 'payout',
      direction: 'out',
      destination: 'house',
      leastReceived: 40n * million,
    })
  })

  test("needs no tokens of the pool where the treasury's wallet holds enough", () => {
    const step = ordered(
      { holdings: holding({}, { NTZS: million }) },
      { payee: 'till', asset: 'NTZS', amount: 500_000n * TZS },
    )
    expect(step.legs).toMatchObject([{ kind: 'withdrawal', from: 'treasury', to: 'phone' }])
  })

  test('differs from every open amount, so that a lost answer can be found', () => {
    const openAmounts = [{ asset: 'NTZS' as const, amount: 500_000n * TZS }]
    const step = ordered(
      { holdings: rich, openAmounts },
      { payee: 'house', asset: 'NTZS', amount: 500_000n * TZS },
    )
    expect(netOf(step)).toHaveLength(2)
    expect(netOf(step)).not.toContain(500_000n * TZS)
  })

  test('of dollars to a bank becomes shillings at the venue first', () => {
    const step = ordered({ holdings: rich }, { payee: 'house', asset: 'USDC', amount: 1_000n * USD })
    expect(step.legs.map(({ kind }) => kind)).toEqual([
      'lpWithdrawal',
      'swap',
      'withdrawal',
      'withdrawal',
      'withdrawal',
    ])
    expect(step).toMatchObject({ spendAsset: 'USDC', mostSpent: 1_000n * USD, receiveAsset: 'NTZS' })
    const swapped = step.legs[1]!.leastReceived
    const spent = step.legs.slice(2).reduce((sum, { amount }) => sum + amount, 0n)
    expect(spent).toBeLessThanOrEqual(swapped)
  })

  test('of dollars to a phone may go over the ramp, from its float first', () => {
    const policy = { ...CONFIG.policy, routes: ['offramp'] }
    const config = { ...CONFIG, policy }
    const holdings = holding({ USDC: 20_000n * USD }, {}, { USDC: 400n * USD })
    const step = ordered({ config, holdings }, { payee: 'till', asset: 'USDC', amount: 500n * USD })
    expect(step.legs.map(({ kind }) => kind)).toEqual(['lpWithdrawal', 'transfer', 'offramp', 'offramp'])
    expect(step.legs[1]).toMatchObject({ to: 'float', amount: 100n * USD })
    const spent = step.legs.slice(2).reduce((sum, { amount }) => sum + amount, 0n)
    expect(spent).toBeLessThanOrEqual(500n * USD)
  })

  test('of a token to an address is one transfer', () => {
    const step = ordered({ holdings: rich }, { payee: 'vault', asset: 'USDC', amount: 500n * USD })
    expect(step.legs.map(({ kind, payee }) => [kind, payee])).toEqual([
      ['lpWithdrawal', null],
      ['transfer', 'vault'],
    ])
    expect(refused({ holdings: rich }, { payee: 'vault', asset: 'USDT', amount: USD })).toContain(
      'only NTZS and USDC',
    )
  })

  test('of shillings to an address is divided by the cap of one transfer', () => {
    const order = { payee: 'vault', asset: 'NTZS', amount: 2_500_000n * TZS } as const
    const holdings = holding({}, { NTZS: 3_000_000n * TZS })
    const { legs, mostSpent } = ordered(
      { holdings, transferCaps: { perTransaction: million, left: null } },
      order,
    )
    expect(legs.map(({ kind, payee }) => `${kind} ${payee}`)).toEqual(Array(3).fill('transfer vault'))
    expect(legs.every(({ amount }) => amount <= million)).toBe(true)
    expect(legs.reduce((sum, { amount }) => sum + amount, 0n)).toBe(mostSpent)
  })

  test('of dust to an address is refused: what a cap leaves of it, and what a fee may take whole', () => {
    const holdings = rich
    const order = { payee: 'vault', asset: 'USDC', amount: 500n * USD } as const
    expect(refused({ holdings, capsLeft: () => 1n }, order)).toContain('leaves 0.000001 USDC')
    expect(refused({ holdings }, { ...order, amount: 1n })).toContain('left after the fee')
  })

  test.each([
    [
      'to no one of the configuration',
      { payee: 'friend', asset: 'NTZS', amount: TZS },
      'friend is not among',
    ],
    ['of nothing', { payee: 'house', asset: 'NTZS', amount: 0n }, 'more than zero'],
    [
      'of a part of a shilling',
      { payee: 'house', asset: 'NTZS', amount: 6_000n * TZS + 1n },
      '6000.000000000000000001 NTZS are not whole shillings',
    ],
    [
      'below the least of a rail',
      { payee: 'house', asset: 'NTZS', amount: 4_999n * TZS },
      'less than the 5000',
    ],
    ['beyond what there is', { payee: 'house', asset: 'NTZS', amount: 99_000_000n * TZS }, 'payout: '],
  ] as const)('%s is refused with the reason', (_claim, order, why) => {
    expect(refused({}, order)).toContain(why)
  })

  test('to a payee without earlier payments is 5,000 first, with the reason', () => {
    const firstPayout = () => 5_000n * TZS
    expect(refused({ firstPayout }, { payee: 'house', asset: 'NTZS', amount: 6_000n * TZS })).toContain(
      'first payout of 5000 NTZS',
    )
    const step = ordered({ firstPayout }, { payee: 'house', asset: 'NTZS', amount: 5_000n * TZS })
    expect(step.leastReceived).toBe(5_000n * TZS)
  })

  test('leaves no halted book and no position that is out of the market', () => {
    const order = { payee: 'house', asset: 'NTZS', amount: million } as const
    const quote = { bidBps: 60, askBps: 60, isActive: true, isHalted: true }
    expect(refused({ quote }, order)).toMatch(/halted: nothing starts/)
    expect(refused({ quote: { ...quote, isActive: false, isHalted: false } }, order)).toContain(
      'is not active',
    )
  })
})

describe('the skim of profits', () => {
  test('pays what exceeds the target to the payee when it is due, fees included', () => {
    const [step, ...others] = plan(input({ holdings: rich, isSkimDue: true })).steps
    expect(others).toEqual([])
    expect(step).toMatchObject({ rule: 'skim', asset: 'NTZS', direction: 'out', destination: 'house' })
    expect(step!.mostSpent).toBeLessThanOrEqual(45_000_000n * TZS)
    expect(step!.mostSpent).toBeGreaterThan(44_000_000n * TZS)
  })

  test('waits for its schedule, for its band, and for a payee', () => {
    expect(plan(input({ holdings: rich })).steps).toEqual([])
    expect(plan(input({ isSkimDue: true })).steps).toEqual([])
    const config = { ...CONFIG, policy: { ...CONFIG.policy, profitsTo: null } }
    expect(plan(input({ holdings: rich, isSkimDue: true, config })).steps).toEqual([])
  })

  test('to a new payee is the first small payout', () => {
    const firstPayout = () => 5_000n * TZS
    const [step] = plan(input({ holdings: rich, isSkimDue: true, firstPayout })).steps
    expect(step?.leastReceived).toBe(5_000n * TZS)
  })

  test('takes nothing from a token that an intent is moving', () => {
    const active = [{ rule: 'payout', asset: 'NTZS', direction: 'out' }] as const
    const { steps, rejected } = plan(input({ holdings: rich, isSkimDue: true, active }))
    expect(steps).toEqual([])
    expect(rejected.map(({ why }) => why)).toContainEqual(expect.stringMatching(/already moves NTZS/))
  })
})
