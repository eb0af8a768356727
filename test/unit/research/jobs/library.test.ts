import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defineStrategy, z } from '../../../../src/core/strategy/kit.ts'
import { backtest, loadTape } from '../../../../src/research/jobs/library.ts'
import { freshFolder } from '../../store/store-fixture.ts'

const steady = defineStrategy({
  name: 'steady',
  params: z.strictObject({ halfSpreadBps: z.number().default(60) }),
  init: () => ({}),
  quote: (_context, _state, { halfSpreadBps }) => ({
    bidBps: halfSpreadBps,
    askBps: halfSpreadBps,
    reasons: ['the same on both sides'],
  }),
})

/** Six hours of mids, one a minute, and nothing else. */
function midsOnly(): string {
  const path = join(freshFolder(), 'mids.jsonl')
  const rows = Array.from({ length: 360 }, (_, minute) => ({
    t: new Date(Date.UTC(2026, 8, 1) + minute * 60_000).toISOString(),
    type: 'rate',
    midRateTZS: 2500 + (minute % 7),
  }))
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'))
  return path
}

const OPENING = { 'backtest.opening': { NTZS: '12500000', USDC: '5000' } }

describe('a backtest over mids alone', () => {
  test('names the fill model that draws takers, where recorded fills are wanted', async () => {
    const { fills, warnings } = await backtest({ tape: loadTape(midsOnly()), strategy: steady, set: OPENING })
    expect(fills).toBe(0)
    expect(warnings.join()).toMatch(/fill model recorded .* --fills simulated draws takers/)
    expect(warnings.join()).not.toContain('no other provider')
  })

  test('has fills of drawn takers without that warning', async () => {
    const set = { ...OPENING, 'backtest.fills': 'simulated' }
    const { fills, warnings } = await backtest({ tape: loadTape(midsOnly()), strategy: steady, set })
    expect(fills).toBeGreaterThan(0)
    expect(warnings.join()).not.toContain('--fills simulated')
    expect(warnings.join()).toContain('no other provider: with the fill model simulated no taker goes to one')
  })
})

describe('a mistake of JavaScript is named', () => {
  const tape = loadTape(midsOnly())
  test.each([
    [{ strategy: steady, fills: 'simulated' }, 'backtest does not take fills, only tape, strategy, params'],
    [{ strategy: './steady.ts' }, 'strategy must be what defineStrategy returns'],
    [{ strategy: steady, params: { halfSpread: 40 } }, 'Unrecognized key: "halfSpread"'],
  ])('%j', async (request, message) => {
    await expect(backtest({ tape, ...request } as never)).rejects.toThrow(message)
  })

  test('a window with texts', () => {
    expect(() => loadTape('mids.jsonl', { from: '2026-09-01' } as never)).toThrow('milliseconds since 1970')
  })
})

test('a strategy that is suspended before its first fill is an error with its reason', async () => {
  const broken = { ...steady, quote: () => (undefined as unknown as { bid: number }).bid } as never
  const run = backtest({ tape: loadTape(midsOnly()), strategy: broken, set: OPENING })
  await expect(run).rejects.toThrow(
    /^the strategy was suspended before its first fill, at 2026-09-01T.*'bid'/,
  )
})

describe('mids outside the price corridor are the first warning', () => {
  const warnings = async (min: string, max: string) => {
    const set = { ...OPENING, 'risk.priceCorridor': { min, max } }
    return (await backtest({ tape: loadTape(midsOnly()), strategy: steady, set })).warnings
  }

  test('with their range and the key to set, if every mid is outside', async () => {
    expect((await warnings('3000', '3100'))[0]).toBe(
      'every mid is outside risk.priceCorridor (3000 to 3100), and nothing is quoted there: the mids of the tape are 2500 to 2506 TZS per USD; set risk.priceCorridor to a range that holds them',
    )
  })

  test('with their number, if more than half are', async () => {
    expect((await warnings('2500', '2502'))[0]).toMatch(/^204 of 360 mids are outside risk.priceCorridor/)
  })

  test('not if at most half are', async () => {
    expect((await warnings('2500', '2504')).join()).not.toContain('priceCorridor')
  })
})
