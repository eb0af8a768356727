import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../src/base/time.ts'
import { addFlow, NO_FLOW } from '../../../src/treasury/model/flow-history.ts'
import { plan } from '../../../src/treasury/policy/plan.ts'
import type { PlanInput, PlannedIntent } from '../../../src/treasury/model/plan-types.ts'
import { CONFIG, holding, input, MID, TUESDAY, TZS, USD } from '../../unit/treasury/policy/plan-world.ts'

const shillings = fc.bigInt({ min: 0n, max: 150_000_000n * TZS })
const dollars = fc.bigInt({ min: 0n, max: 60_000n * USD })
const amounts = fc.record({ NTZS: shillings, USDC: dollars, USDT: dollars })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6 })

const flow = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.bigInt({ min: -5_000_000n, max: 4_000_000n })), {
    maxLength: 30,
  })
  .map((entries) =>
    entries.reduce(
      (history, [hour, net]) =>
        addFlow(history, TUESDAY - (1_000 - hour) * HOUR_MS, {
          NTZS: net * TZS,
          USDC: -net * 100n,
          USDT: 0n,
        }),
      NO_FLOW,
    ),
  )

const rails = fc.array(
  fc.record({
    route: fc.constantFrom('bank-deposit', 'rebalance', 'swap', 'onramp', 'offramp', 'payout'),
    tries: fc.integer({ min: 0, max: 100 }),
    failures: fc.integer({ min: 0, max: 100 }),
    medianMs: maybe(fc.integer({ min: 0, max: 1e9 })),
    p95Ms: maybe(fc.integer({ min: 0, max: 1e9 })),
    costBps: maybe(fc.double({ min: -50, max: 2_000, noNaN: true })),
    restedUntil: maybe(fc.constant(TUESDAY + HOUR_MS)),
  }),
  { maxLength: 4 },
)

const situation: fc.Arbitrary<{ readonly world: PlanInput; readonly cap: bigint | null }> = fc
  .record({
    pool: maybe(amounts),
    treasury: maybe(amounts),
    float: maybe(amounts),
    mid: maybe(fc.constant(MID)),
    bps: maybe(fc.integer({ min: 10, max: 500 })),
    isActive: fc.boolean(),
    isHalted: fc.boolean(),
    flow,
    rails,
    cap: maybe(fc.bigInt({ min: 0n, max: 30_000_000n * TZS })),
    open: fc.array(shillings, { maxLength: 5 }),
    isSkimDue: fc.boolean(),
    profitsTo: fc.constantFrom('house', 'till', 'vault'),
    leadTimeMs: fc.integer({ min: 1, max: 1e9 }),
    minutes: fc.integer({ min: 0, max: 60 * 24 * 60 }),
    unread: maybe(fc.constantFrom('bank-deposit', 'swap', 'float', 'partner')),
  })
  .map((drawn) => {
    const { bps, isActive, isHalted, cap, open } = drawn
    const all = holding({})
    const holdings = {
      ...all,
      pool: drawn.pool,
      treasury: drawn.treasury,
      float: drawn.float,
    }
    const policy = { ...CONFIG.policy, profitsTo: drawn.profitsTo, leadTimeMs: drawn.leadTimeMs }
    const world = input({
      now: TUESDAY + drawn.minutes * 60_000,
      config: { ...CONFIG, policy },
      holdings,
      mid: drawn.mid,
      quote: { bidBps: bps, askBps: bps, isActive, isHalted },
      flow: drawn.flow,
      rails: drawn.rails,
      capsLeft: () => cap,
      openAmounts: open.map((amount) => ({ asset: 'NTZS', amount: amount - (amount % TZS) })),
      isSkimDue: drawn.isSkimDue,
      unreadable: drawn.unread === null ? [] : [{ rail: drawn.unread, words: 'down' }],
    })
    return { world, cap }
  })

/** Each leg starts where value is: outside, in a place that held it, or where a leg before it brought it. */
function expectWalkable({ holdings }: PlanInput, { legs, mostSpent, spendAsset }: PlannedIntent): void {
  const brought = new Set<string>(['bank', 'phone'])
  for (const place of ['pool', 'lpWallet', 'treasury', 'float'] as const)
    if (Object.values(holdings[place] ?? {}).some((amount) => amount > 0n)) brought.add(place)
  for (const leg of legs) {
    expect(brought.has(leg.from)).toBe(true)
    expect(leg.amount).toBeGreaterThan(0n)
    expect(leg.leastReceived).toBeGreaterThan(0n)
    if (leg.asset === 'NTZS' && leg.kind !== 'lpActivation') expect(leg.amount % TZS).toBe(0n)
    brought.add(leg.to)
  }
  const [first] = legs
  expect(first?.asset).toBe(spendAsset)
  expect(first!.amount).toBeLessThanOrEqual(mostSpent)
}

test('whatever is held, flows, failed or is unread: a plan keeps caps, limits, uniqueness and the halt', () => {
  fc.assert(
    fc.property(situation, ({ world, cap }) => {
      const { steps, forecast } = plan(world)
      expect(plan(world).steps).toEqual(steps)
      if (world.quote.isHalted || world.holdings.pool === null) expect(steps).toEqual([])
      const names = steps.map(({ rule, asset, direction }) => `${rule} ${asset} ${direction}`)
      expect(new Set(names).size).toBe(names.length)
      for (const step of steps) {
        expectWalkable(world, step)
        if (cap !== null) expect(step.mostSpent).toBeLessThanOrEqual(cap)
        expect(step.cost).toBeGreaterThanOrEqual(0n)
        expect(step.latestAt).toBeGreaterThanOrEqual(step.arrivesAt)
        expect(step.arrivesAt).toBeGreaterThanOrEqual(world.now)
        const payouts = step.legs.filter(({ kind }) => kind === 'withdrawal')
        const taken = world.openAmounts.map(({ amount }) => amount)
        const nets = payouts.map(({ leastReceived }) => leastReceived)
        expect(new Set([...nets, ...taken]).size).toBe(nets.length + new Set(taken).size)
        for (const { amount, leastReceived } of payouts) {
          expect(amount).toBeLessThan(1_000_000n * TZS)
          expect(leastReceived).toBeGreaterThanOrEqual(5_000n * TZS)
        }
      }
      for (const token of Object.values(forecast))
        for (const { p50, p95 } of token?.hours ?? []) expect(p95).toBeLessThanOrEqual(p50)
    }),
    { numRuns: 40 },
  )
})
