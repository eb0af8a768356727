import { describe, expect, test } from 'vitest'
import { figuresOf, killAgain, LIMIT_MS } from './measure-kills.ts'

// A slice of `npm run guard-kills`, which makes the figure of the documentation.

const KILLS = 4

describe('From kill -9 of the daemon', { timeout: 240_000 }, () => {
  test('to a safe quote that is read back, it takes under 10 s every time, and no longer than that after the latch is lifted', async () => {
    const figures = figuresOf(await killAgain(KILLS, 7))
    expect(figures.kills).toBe(KILLS)
    expect(figures.worstMs).toBeLessThan(LIMIT_MS)
    // Sooner than D less one renewal it would act on a daemon that lives.
    expect(figures.p50Ms).toBeGreaterThan(3_000)
  })
})

describe('The figures of kills', () => {
  test('are those of the sorted times, with the chance that the rule of three leaves', () => {
    expect(figuresOf([4_000, 3_000, 5_000, 11_000])).toEqual({
      kills: 4,
      p50Ms: 5_000,
      p95Ms: 11_000,
      worstMs: 11_000,
      overLimit: 1,
      chanceBelow: null,
    })
    expect(figuresOf([4_000, 3_000, 5_000]).chanceBelow).toBe(1)
  })
})
