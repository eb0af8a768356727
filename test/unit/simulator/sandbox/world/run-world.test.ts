import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../../src/base/time.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { conservationGap } from '../../../../support/conservation-gap.ts'
import { createVenueModel, type VenueModel } from '../../../../../src/simulator/sandbox/model.ts'
import type { CompetitorOpening, WorldStep } from '../../../../../src/simulator/sandbox/world/world.ts'
import { modelClient } from '../model-client.ts'
import { rival, scriptedWorld, START } from '../scripted-world.ts'

const NO_UNITS = { NTZS: 0n, USDC: 0n, USDT: 0n, 'USDT.bnb': 0n }
const DOLLAR = 1_000_000n
const SHILLING = 10n ** 18n
/** 12,000 USDC and 3,000 USDT beside 15,000 dollars' worth of shillings at the mid of 2500. */
const OPENING = { NTZS: '37500000', USDC: '12000', USDT: '3000' }

function market(
  steps: readonly WorldStep[],
  competitors: readonly CompetitorOpening[] = [],
  spread = { bidBps: 40, askBps: 40 },
): VenueModel {
  const options = { startMs: START, isActive: true, opening: OPENING, protocolFeeBps: 0, spread }
  return createVenueModel(options, scriptedWorld(steps, competitors))
}

const taken = (at: number, side: 'bid' | 'ask', limitBps: number, usd = 40_000): WorldStep => ({
  at,
  type: 'takeStocks',
  taker: 'informed-1',
  side,
  limitBps,
  usd,
})
const refilled = (name: string, bps: number): CompetitorOpening => {
  const plain = rival(name, bps, bps, 15_000n)
  return { ...plain, amounts: { ...plain.amounts, USDT: 0n }, refills: true }
}
const usd = (model: VenueModel) => {
  const { USDC, USDT } = model.state.ours.pool
  return Number(USDC + USDT) / 1e6
}

test('no taker comes before the quiet time after the first activation has passed', () => {
  const steps = [1_000, 60_000, 120_000].map((ms) => taken(START + ms, 'bid', 120, 100))
  const { model, goLive } = modelClient({ opening: OPENING, quietMs: 90_000 }, scriptedWorld(steps))
  goLive()
  model.advanceTo(START + 90_000)
  expect(model.book().ours.fills).toEqual([])
  expect(model.state.counters).toMatchObject({ 'takers: before their time': 2 })
  model.advanceTo(START + 120_000)
  expect(model.book().ours.fills).toHaveLength(1)
})

describe('an informed taker at the simulated venue', () => {
  test('takes our whole stock of both dollars, but for a rest of no worth, and every unit is kept', () => {
    const model = market([taken(START + 1_000, 'bid', 60)])
    model.advanceTo(START + 2_000)
    expect(usd(model)).toBeLessThan(25)
    expect(model.book().ours.fills.map(({ to }) => to)).toContain('USDT')
    expect(model.book().ours.fills.every(({ spreadBps }) => spreadBps === 40)).toBe(true)
    expect(conservationGap(model.book())).toEqual(NO_UNITS)
  })

  test('takes our shillings on the ask, and no more than its budget', () => {
    const model = market([taken(START + 1_000, 'ask', 60, 10_000)])
    model.advanceTo(START + 2_000)
    expect(model.state.ours.pool.NTZS).toBe(37_500_000n * SHILLING - 9_960n * 2_500n * SHILLING)
    expect(usd(model)).toBe(25_000)
  })

  test('takes nothing at a spread that does not pay: the limit itself is too dear', () => {
    const model = market([taken(START + 1_000, 'bid', 40)])
    model.advanceTo(START + 2_000)
    expect(model.book().ours.fills).toEqual([])
    expect(model.state.counters).toMatchObject({ 'informed takers: nothing pays': 1 })
  })

  test('begins with the cheapest provider and goes upward while it pays; a taken rival is full a day later', () => {
    const steps = [taken(START + 1_000, 'bid', 60, 20_000)]
    const model = market(steps, [refilled('cheap', 20), refilled('dear', 80)])
    model.advanceTo(START + 2_000)
    const { competitors, ours } = model.book()
    expect(Number(competitors[0]?.pool.USDC) / 1e6).toBeLessThan(100)
    expect(competitors[1]?.pool.USDC).toBe(15_000n * DOLLAR)
    expect(ours.fills.length).toBeGreaterThan(0)
    expect(conservationGap(model.book())).toEqual(NO_UNITS)
    model.advanceTo(START + DAY_MS)
    expect(Number(model.book().competitors[0]?.pool.USDC) / 1e6).toBeLessThan(100)
    model.advanceTo(START + DAY_MS + 1_000)
    expect(model.book().competitors[0]?.pool.USDC).toBe(15_000n * DOLLAR)
    expect(conservationGap(model.book())).toEqual(NO_UNITS)
  })

  test('leaves a suspended position and a side that is off alone', () => {
    const model = market([taken(START + 1_000, 'bid', 60)])
    model.inject({ suspended: true })
    model.advanceTo(START + 2_000)
    expect(model.book().ours.fills).toEqual([])
  })
})

describe('a small taker at the simulated venue', () => {
  const swap: WorldStep = {
    at: START + 1_000,
    type: 'swap',
    taker: 'retail-ask-1',
    from: 'USDC',
    to: 'NTZS',
    amountIn: 5_000n * DOLLAR,
    maxSpreadBps: 100,
  }

  test('does not deplete a rival that refills, and depletes another', () => {
    for (const refills of [true, false]) {
      const model = market([swap], [{ ...rival('other', 20, 20), refills }])
      const before = model.book().competitors[0]?.pool
      model.advanceTo(START + 2_000)
      const after = model.book().competitors[0]
      expect(after?.fillCount).toBe(1)
      if (refills) expect(after?.pool).toEqual(before)
      else expect(after?.pool.USDC).toBe((before?.USDC ?? 0n) + 5_000n * DOLLAR)
      expect(conservationGap(model.book())).toEqual(NO_UNITS)
    }
  })
})

describe('restocking at the simulated venue', () => {
  const restock = (belowShare: number | null, costBps: number, rate = 2_600n): WorldStep => ({
    at: START + HOUR_MS,
    type: 'restock',
    rate: rate * RATE_ONE,
    belowShare,
    costBps,
  })

  test('brings our dollars back to the opening ones against shillings at the true rate, at a cost', () => {
    const model = market([taken(START + 1_000, 'bid', 60), restock(0.2, 50)])
    model.advanceTo(START + 2_000)
    const { pool } = model.book().ours
    const missing = 12_000n * DOLLAR - pool.USDC + 3_000n * DOLLAR - pool.USDT
    model.advanceTo(START + HOUR_MS)
    const after = model.book().ours
    expect([after.pool.USDC, after.pool.USDT]).toEqual([12_000n * DOLLAR, 3_000n * DOLLAR])
    const paid = Number(pool.NTZS - after.pool.NTZS) / 1e18
    expect(paid).toBeCloseTo((Number(missing) / 1e6) * 2_600 * 1.005, 3)
    expect(after.transfers.map(({ kind }) => kind)).toEqual(['deposit', 'deposit', 'withdrawal'])
    expect(conservationGap(model.book())).toEqual(NO_UNITS)
  })

  test('leaves a position alone that holds enough on both sides, or is not in the pool', () => {
    const enough = market([taken(START + 1_000, 'bid', 60, 5_000), restock(0.2, 50)])
    enough.advanceTo(START + HOUR_MS)
    expect(enough.book().ours.transfers).toEqual([])
    const outside = createVenueModel({ startMs: START, opening: OPENING }, scriptedWorld([restock(null, 0)]))
    outside.advanceTo(START + HOUR_MS)
    expect(outside.book().ours.transfers).toEqual([])
  })

  test('brings nothing where the shillings do not suffice, and counts it', () => {
    const model = market([taken(START + 1_000, 'ask', 60), restock(null, 0, 1n)])
    // Dollars too many go back however little they bring.
    model.advanceTo(START + HOUR_MS)
    expect(model.state.counters).toMatchObject({ restocking: 1 })
    const dear = market([taken(START + 1_000, 'bid', 60), restock(null, 0, 9_000n)])
    dear.advanceTo(START + HOUR_MS)
    expect(dear.state.counters).toMatchObject({ 'restocking: not enough shillings': 1 })
    expect(dear.book().ours.transfers).toEqual([])
  })
})
