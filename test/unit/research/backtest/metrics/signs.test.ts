import { describe, expect, test } from 'vitest'
import { trailRun } from './trail-run.ts'

describe('signs, in words', () => {
  test('dollars bought on the ask before the shilling weakens are a gain: the markout is above the edge', () => {
    const run = trailRun()
    run.fill(1, 'ask', 100, 60)
    run.print(2, 2510)
    const { edgeBps, markouts, halfSpreadBps, inventoryTzs } = run.end(24).metrics()
    expect(markouts[0]?.bps).toBeGreaterThan(edgeBps.mean ?? Infinity)
    expect(halfSpreadBps.impact).toBeLessThan(0)
    expect(inventoryTzs.adverse).toBeGreaterThan(0)
  })

  test('dollars sold on the bid before the shilling weakens are a loss: the taker knew more', () => {
    const run = trailRun()
    run.fill(1, 'bid', 100, 60)
    run.print(2, 2530)
    const { edgeBps, markouts, halfSpreadBps, inventoryTzs } = run.end(24).metrics()
    expect(edgeBps.mean).toBeCloseTo(60, 10)
    // 120 bps up against 60 bps of spread.
    expect(markouts[0]?.bps).toBeCloseTo(-60, 8)
    expect(halfSpreadBps.impact).toBeCloseTo(120, 8)
    expect(inventoryTzs.adverse).toBeLessThan(0)
  })

  test('a weaker shilling is a loss in dollars on shillings held, and none in shillings on shillings alone', () => {
    const run = trailRun({ usdc: 0 })
    run.print(1, 2600)
    const { maxDrawdown } = run.end(24).metrics()
    expect(maxDrawdown.usd).toBeCloseTo(400 - 1_000_000 / 2600, 6)
    expect(maxDrawdown.tzs).toBe('0')
  })

  test('a stronger shilling is a loss in shillings on dollars held, and none in dollars on dollars alone', () => {
    const run = trailRun({ ntzs: 0 })
    run.print(1, 2400)
    const { maxDrawdown } = run.end(24).metrics()
    expect(maxDrawdown.usd).toBe(0)
    expect(maxDrawdown.tzs).toBe('40000')
  })

  test('long dollars with only the ask off is at a limit; with only the bid off it is not', () => {
    const run = trailRun()
    run.fill(0, 'ask', 50, 60)
    run.quote(0, 60, null)
    run.quote(6, null, 60)
    run.quote(14, null, null)
    run.quote(18, 60, 60)
    expect(run.end(24).metrics().inventory.timeAtLimit).toBe(0.25)
  })

  test('long shillings with only the bid off is at a limit; with only the ask off it is not', () => {
    const run = trailRun()
    run.fill(0, 'bid', 50, 60)
    run.quote(0, null, 60)
    run.quote(6, 60, null)
    run.quote(14, 60, 60)
    expect(run.end(24).metrics().inventory.timeAtLimit).toBe(0.25)
  })

  test('a pool that cannot pay the usual taker is at a limit, on either side', () => {
    const dollars = trailRun({ usdc: 150, ntzs: 1_000_000 })
    dollars.quote(0, 60, 60)
    dollars.fill(12, 'bid', 100, 60)
    expect(dollars.end(24).metrics().inventory.timeAtLimit).toBe(0.5)
    const shillings = trailRun({ usdc: 400, ntzs: 300_000 })
    shillings.quote(0, 60, 60)
    shillings.fill(18, 'ask', 100, 60)
    expect(shillings.end(24).metrics().inventory.timeAtLimit).toBe(0.25)
  })

  test('q is dollars above the target: with a target of 0.2 half in dollars is 240 USD too many', () => {
    expect(trailRun({ target: 0.2 }).end(24).metrics().inventory.meanAbs).toBeCloseTo(240, 8)
  })

  test('the share of synthetic fills counts what they moved, whichever way', () => {
    // Edges: recorded 60 bps of 100 USD; synthetic 180 bps of 100 USD: three quarters.
    const run = trailRun()
    run.fill(1, 'ask', 100, 60)
    run.fill(2, 'ask', 100, 180, { synthetic: true })
    const metrics = run.end(24).metrics()
    expect(metrics.syntheticPnlShare).toBeCloseTo(0.75, 12)
    expect(metrics.syntheticFills).toBe(1)
  })
})
