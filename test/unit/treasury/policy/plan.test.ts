import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../../../src/base/time.ts'
import { plan } from '../../../../src/treasury/policy/plan.ts'
import type { PlanInput } from '../../../../src/treasury/model/plan-types.ts'
import { CONFIG, eat, holding, input, steadyOutflow, TUESDAY, TZS, USD } from './plan-world.ts'

const low = holding({ NTZS: 9_000_000n * TZS, USDC: 20_000n * USD })
const whyNot = (change: Partial<PlanInput>, route: string) =>
  plan(input({ holdings: low, ...change })).rejected.find((one) => one.route === route)?.why

describe('a refill', () => {
  test('is not planned while the position is within its bands', () => {
    expect(plan(input())).toMatchObject({ steps: [], rejected: [], warnings: [] })
  })

  test('of shillings is paid from the bank in lots of an EFT, each all the way before the next', () => {
    const [step, ...others] = plan(input({ holdings: low })).steps
    expect(others).toEqual([])
    expect(step).toMatchObject({
      rule: 'refill',
      asset: 'NTZS',
      direction: 'in',
      route: 'bank-deposit',
      destination: 'pool',
      mostSpent: 41_000_000n * TZS,
    })
    expect(step?.legs.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 3 }, () => ['deposit', 'transfer', 'lpActivation']).flat(),
    )
    const lots = step!.legs.flatMap(({ kind, amount }) => (kind === 'deposit' ? [amount] : []))
    expect(new Set(lots).size).toBe(3)
    expect(lots.reduce((sum, lot) => sum + lot, 0n)).toBe(41_000_000n * TZS)
    for (const lot of lots) expect(lot).toBeLessThanOrEqual(20_000_000n * TZS)
    expect(step?.why).toContain(' 10000000 NTZS')
  })

  test('arrives on the same day before the cut-off and after the weekend when it is planned behind it', () => {
    expect(plan(input({ holdings: low })).steps[0]?.arrivesAt).toBe(TUESDAY + 2 * HOUR_MS)
    const late = plan(input({ holdings: low, now: eat('2026-11-13T13:30:00') })).steps[0]
    expect(late?.arrivesAt).toBe(eat('2026-11-16T10:30:00'))
    expect(late?.latestAt).toBe(eat('2026-11-16T12:30:00'))
  })

  test("takes what the treasury's wallet holds first, because that costs next to nothing", () => {
    const holdings = holding(
      { NTZS: 9_000_000n * TZS, USDC: 20_000n * USD },
      { NTZS: 30_000_000n * TZS + 1n },
    )
    const [step] = plan(input({ holdings })).steps
    expect(step).toMatchObject({ route: 'rebalance', mostSpent: 30_000_000n * TZS })
    expect(step?.legs.map(({ kind, to }) => `${kind} ${to}`)).toEqual([
      'transfer lpWallet',
      'lpActivation pool',
    ])
  })

  test('is not doubled while one of the same token is active', () => {
    const active = [{ rule: 'refill', asset: 'NTZS', direction: 'in' }] as const
    const { steps, rejected } = plan(input({ holdings: low, active }))
    expect(steps).toEqual([])
    expect(rejected.map(({ why }) => why)).toContainEqual(expect.stringMatching(/NTZS is active/))
  })

  test('counts amounts in transit, so that they are not ordered twice', () => {
    expect(
      plan(input({ holdings: low, inTransit: { NTZS: 41_000_000n * TZS, USDC: 0n, USDT: 0n } })).steps,
    ).toEqual([])
  })

  test('swaps dollars that there are too many of when the banks are closed and the side would be off', () => {
    const now = eat('2026-11-14T10:00:00')
    const holdings = holding({ NTZS: 9_000_000n * TZS, USDC: 34_000n * USD })
    const flow = steadyOutflow(now, 4, 2_000_000n * TZS)
    const quote = { bidBps: 150, askBps: 150, isActive: true, isHalted: false }
    // At a spread of 60 bps the swap costs more than the side earns until Monday, and the bank is taken.
    expect(plan(input({ now, holdings, flow })).steps[0]?.route).toBe('bank-deposit')
    const [step] = plan(input({ now, holdings, flow, quote })).steps
    expect(step).toMatchObject({ route: 'swap', spendAsset: 'USDC', receiveAsset: 'NTZS' })
    expect(step?.mostSpent).toBe(14_000n * USD)
    expect(step?.legs.map(({ kind }) => kind)).toEqual(['lpWithdrawal', 'swap', 'transfer', 'lpActivation'])
    expect(step!.worth!).toBeGreaterThan(step!.cost)
  })

  test('is never planned for a token whose refillBelow is 0, however empty it is', () => {
    const bands = { NTZS: { ...CONFIG.policy.bands.NTZS!, refillBelow: 0n } }
    const config = { ...CONFIG, policy: { ...CONFIG.policy, bands } }
    const flow = steadyOutflow(TUESDAY, 4, 1_000_000n * TZS)
    const { steps, forecast } = plan(input({ config, holdings: holding({}), flow }))
    expect(steps).toEqual([])
    expect(forecast.NTZS?.refillAt).toBe(null)
  })

  test('leaves dollars alone that are not above their own target', () => {
    expect(whyNot({}, 'swap')).toContain('above its target')
  })

  test('buys dollars over the ramp in one prompt below the limit of a phone', () => {
    const policy = { ...CONFIG.policy, routes: ['onramp'] }
    const holdings = holding({ NTZS: 50_000_000n * TZS, USDC: 1_000n * USD })
    const [step] = plan(input({ holdings, config: { ...CONFIG, policy } })).steps
    expect(step).toMatchObject({ route: 'onramp', spendAsset: 'NTZS', mostSpent: 999_999n * TZS })
    expect(step?.legs[0]).toMatchObject({ from: 'phone', to: 'lpWallet', receiveAsset: 'USDC' })
    expect(step?.leastReceived).toBe((999_999n * USD * 9_700n) / (2_568n * 10_000n))
  })

  test('of USDT has no route, and a warning names why', () => {
    const bands = { USDT: { target: 5_000n * USD, refillBelow: 1_000n * USD, skimAbove: 9_000n * USD } }
    const config = { ...CONFIG, policy: { ...CONFIG.policy, bands } }
    const { steps, warnings } = plan(input({ config, holdings: holding({}, { USDT: 900n * USD }) }))
    expect(steps).toEqual([])
    expect(warnings[0]).toMatchObject({ code: 'treasury-no-route' })
    expect(warnings[0]?.message).toMatch(/^.*rebalance: .*only NTZS and USDC/)
  })
})

describe('a refill starts early enough', () => {
  const flow = (now: number) => steadyOutflow(now, 4, 600_000n * TZS)
  const onHand = holding({ NTZS: 40_000_000n * TZS, USDC: 20_000n * USD })

  test('40 million last through a working day, so that nothing is planned on Tuesday', () => {
    const { steps, forecast } = plan(input({ holdings: onHand, flow: flow(TUESDAY) }))
    expect(steps).toEqual([])
    expect(forecast.NTZS?.basis).toBe('hour-of-week')
    // 40 million at 600,000 an hour: not quite 67 hours.
    expect(forecast.NTZS?.runsDryAt).toBe(eat('2026-11-13T05:00:00'))
    expect(forecast.NTZS?.refillAt).toBeGreaterThan(TUESDAY)
  })

  test('the same holding is refilled on Friday before the cut-off, because the next arrival is on Monday', () => {
    const noon = eat('2026-11-13T12:30:00')
    const [step] = plan(input({ now: noon, holdings: onHand, flow: flow(noon) })).steps
    expect(step?.route).toBe('bank-deposit')
    expect(step?.arrivesAt).toBe(noon + 2 * HOUR_MS)
  })

  test('without a history only the band decides', () => {
    const noon = eat('2026-11-13T12:30:00')
    const { steps, forecast } = plan(input({ now: noon, holdings: onHand }))
    expect(steps).toEqual([])
    expect(forecast.NTZS).toMatchObject({ basis: 'none', runsDryAt: null, refillAt: null })
  })

  test('a target that does not last through the lead time is named, and no more than the target is ordered', () => {
    const now = eat('2026-11-13T12:30:00')
    const { steps, warnings } = plan(
      input({ now, holdings: onHand, flow: steadyOutflow(now, 4, 2_000_000n * TZS) }),
    )
    expect(warnings.map(({ code }) => code)).toEqual(['treasury-target-low'])
    expect(steps[0]?.mostSpent).toBe(10_000_000n * TZS)
  })

  test('the plan shows what published rules would keep beside our levels', () => {
    const { benchmarks } = plan(input({ flow: flow(TUESDAY) }))
    expect(benchmarks[0]).toMatchObject({ asset: 'NTZS', orderUpTo: 50_000_000n * TZS, millerOrr: null })
    expect(benchmarks[0]?.daysCovered).toBeCloseTo(40 / 14.4, 1)
  })
})

describe('nothing starts', () => {
  test.each<[string, Partial<PlanInput>, string]>([
    [
      'from a halted book',
      { quote: { bidBps: null, askBps: null, isActive: true, isHalted: true } },
      'the book is halted',
    ],
    [
      'that would put a position into the market which a person took out of it',
      { quote: { bidBps: 60, askBps: 60, isActive: false, isHalted: false } },
      'the position is not active',
    ],
    [
      'while a balance is unread',
      { holdings: { ...low, treasury: null } },
      'the balance of treasury could not be read',
    ],
    [
      'while the rail of a token is unread',
      { unreadable: [{ rail: 'bank-deposit', words: 'timeout' }] },
      'bank-deposit could not be read (timeout)',
    ],
    [
      'while a rail of an unknown name is unread',
      { unreadable: [{ rail: 'partner', words: 'HTTP 503' }] },
      'partner could not be read (HTTP 503)',
    ],
  ])('%s', (_claim, change, why) => {
    expect(plan(input({ holdings: low, ...change })).steps).toEqual([])
    expect(whyNot(change, 'bank-deposit')).toContain(why)
  })

  test('and nothing is forecast of a holding that could not be read', () => {
    const { forecast } = plan(input({ holdings: { ...low, pool: null } }))
    expect(forecast).toEqual({ NTZS: null, USDC: null, USDT: null })
  })

  test('on the ramp because of a bank that was not read: dollars are no shillings', () => {
    const holdings = holding({ NTZS: 50_000_000n * TZS, USDC: 1_000n * USD })
    const unreadable = [{ rail: 'bank-deposit', words: 'timeout' }]
    expect(plan(input({ holdings, unreadable })).steps.map(({ asset }) => asset)).toEqual(['USDC'])
  })

  test.each<[string, Partial<PlanInput>, string]>([
    [
      'a route that is not among those of the policy',
      { config: { ...CONFIG, policy: { ...CONFIG.policy, routes: ['swap'] } } },
      'it is not among treasury.policy.routes',
    ],
    [
      'a route that failed twice',
      {
        rails: [
          {
            route: 'bank-deposit',
            tries: 2,
            failures: 2,
            medianMs: null,
            p95Ms: null,
            costBps: null,
            restedUntil: TUESDAY + HOUR_MS,
          },
        ],
      },
      'it failed twice and pauses for another 60 min',
    ],
    [
      'a route whose cap is used up',
      { capsLeft: () => 40_000n * TZS },
      'its cap leaves 40000 NTZS, less than 50000 NTZS',
    ],
  ])('over %s', (_claim, change, why) => {
    expect(plan(input({ holdings: low, ...change })).steps).toEqual([])
    expect(whyNot(change, 'bank-deposit')).toContain(why)
  })

  test('beyond a cap: what it leaves is moved, and no more', () => {
    const [step] = plan(input({ holdings: low, capsLeft: () => 7_000_999n * TZS })).steps
    expect(step?.mostSpent).toBe(7_000_000n * TZS)
  })
})

describe('what outcomes have shown changes the plan', () => {
  const rail = (route: string, change: object) => ({
    route,
    tries: 20,
    failures: 0,
    medianMs: null,
    p95Ms: null,
    costBps: null,
    restedUntil: null,
    ...change,
  })
  const holdings = holding({ NTZS: 9_000_000n * TZS, USDC: 34_000n * USD })

  test('a cheap swap is preferred to a bank that always fails, and the reason has both costs', () => {
    const rails = [rail('bank-deposit', { failures: 20, costBps: 400 }), rail('swap', { costBps: 5 })]
    const { steps, rejected } = plan(input({ holdings, rails }))
    expect(steps[0]?.route).toBe('swap')
    expect(rejected.find(({ route }) => route === 'bank-deposit')?.why).toMatch(
      /^it costs \d+ TZS with its delay; swap costs \d+ TZS$/,
    )
  })

  test('a bank that is slower than assumed moves the refill forward', () => {
    const slow = [rail('bank-deposit', { medianMs: 20 * HOUR_MS, p95Ms: 60 * HOUR_MS })]
    const onHand = holding({ NTZS: 40_000_000n * TZS, USDC: 20_000n * USD })
    const flow = steadyOutflow(TUESDAY, 4, 500_000n * TZS)
    const before = plan(input({ holdings: onHand, flow })).forecast.NTZS?.refillAt
    const after = plan(input({ holdings: onHand, flow, rails: slow })).forecast.NTZS?.refillAt
    expect(after).toBeLessThan(before!)
  })
})
