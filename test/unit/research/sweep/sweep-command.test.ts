import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { renderSweep } from '../../../../src/cli/research/sweep/render.ts'
import { workProgress } from '../../../../src/cli/output/progress.ts'
import { sweepSpace } from '../../../../src/research/jobs/sweep/check-variants.ts'
import { mergeUnchanged, variantChanges } from '../../../../src/research/sweep/variant.ts'
import { sweepResult } from '../../../../src/research/sweep/results/sweep-result.ts'
import { fakeManifest } from './fake-sweep.ts'
import { triedVariant } from './tried-variant.ts'

const strategy = (params: Readonly<Record<string, unknown>>, schema: z.ZodType) => ({
  use: 'any',
  params,
  inner: {},
  sourceHash: '',
  definition: {
    name: 'any',
    params: schema,
    init: () => ({}),
    quote: () => ({ bidBps: null, askBps: null, reasons: [] }),
  },
})

describe('where a random sweep draws from when no one says it', () => {
  test('is half to twice of every number above 0, as far as the strategy allows', () => {
    const schema = z.strictObject({
      halfSpreadBps: z.number().min(10).max(100),
      offBeyond: z.number().max(1),
      name: z.string(),
      shift: z.number(),
      off: z.number(),
    })
    const space = sweepSpace(
      strategy({ halfSpreadBps: 60, offBeyond: 0.9, name: 'x', shift: -4, off: 0 }, schema),
    )
    expect(JSON.parse(space ?? 'null')).toEqual({ halfSpreadBps: [30, 100], offBeyond: [0.45, 1] })
  })

  test('is nothing where no parameter is a number that may vary', () => {
    expect(
      sweepSpace(strategy({ name: 'x', fixed: 7 }, z.object({ fixed: z.number().min(7).max(7) }))),
    ).toBeNull()
  })

  test('is there too where a schema cannot be written down', () => {
    const schema = z.object({ a: z.number().transform((a) => a * 2), b: z.custom<Date>() })
    expect(sweepSpace(strategy({ a: 10 }, schema))).toBe('{"a":[5,20]}')
  })
})

test('a variant that names its strategy begins with that one’s defaults', () => {
  expect(Object.entries(variantChanges({ 'strategy.params.a': 1, 'strategy.use': 'b' }))).toEqual([
    ['strategy.params', {}],
    ['strategy.params.a', 1],
    ['strategy.use', 'b'],
  ])
  expect(variantChanges({ 'strategy.params.a': 1 })).toEqual({ 'strategy.params.a': 1 })
})

test('the point of a grid that equals the configuration is the unchanged variant, and counts once', () => {
  const grid = [{ a: 40 }, { a: 60 }, { a: 80 }]
  const merged = mergeUnchanged(grid, ['own', '40', 'own', '80'])
  expect(merged.variants.map(({ index, label }) => [index, label])).toEqual([
    [0, 'unchanged (a=60)'],
    [1, 'a=40'],
    [2, 'a=80'],
  ])
  expect(merged.configs).toEqual(['own', '40', '80'])
  const apart = mergeUnchanged(grid, ['own', '40', '60', '80'])
  expect(apart.variants.map(({ label }) => label)).toEqual(['unchanged', 'a=40', 'a=60', 'a=80'])
})

describe('what is shown of a sweep', () => {
  const grid = JSON.stringify({ a: Array.from({ length: 40 }, (_, i) => i) })
  const manifest = fakeManifest(grid)
  const days = (variant: number) => Array.from({ length: 40 }, (_, day) => variant - 20 + (day % 3))
  const results = manifest.variants.map(({ index }) => triedVariant(index, days(index)).result)
  const shown = (splits = 4) =>
    renderSweep(sweepResult(manifest, results, [], { splits, heatmap: [] }), 'out').split('\n')

  test('has the best, the unchanged one whatever its rank, and how many are left out', () => {
    const lines = shown()
    const ranked = lines.filter((line) => /^ +\d+ .*(a=\d+|unchanged)$/.test(line) && !line.includes(' to '))
    expect(ranked).toHaveLength(16)
    expect(ranked[0]).toMatch(/^ +1 .* a=39$/)
    expect(ranked.at(-1)).toMatch(/^ +41 .* unchanged$/)
    expect(lines).toContain('and 25 more in ranking.parquet')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(170)
  })

  test('says what few days and a warning of all variants mean, once', () => {
    const warned = results.map((result) => ({
      ...result,
      warnings: ['the tape has a gap', ...(result.variant === 3 ? ['trading was halted'] : [])],
    }))
    const few = warned.map((result) => ({
      ...result,
      daily: { ...result.daily, day: result.daily.day.slice(0, 4), pnlUsd: result.daily.pnlUsd.slice(0, 4) },
      to: 4 * 86_400_000,
    }))
    const result = sweepResult(manifest, few, [], { splits: 4, heatmap: [] })
    const text = renderSweep(result, 'out')
    expect(text.match(/the tape has a gap/g)).toHaveLength(1)
    expect(text).toMatch(/^warning +4 days/m)
    expect(text).toMatch(/^warning +4 days .* 5 stretches/m)
    expect(text).toMatch(/^warning +1 of 41 variants/m)
    expect(text).not.toMatch(/NaN|walk-forward: /)
    const halted = result.ranking.variants.find(({ variant }) => variant === 3)
    expect(halted?.warnings).toEqual(['trading was halted'])
  })
})

describe('the progress of a sweep', () => {
  const output = (isTTY: boolean) => {
    const written: string[] = []
    const stream = {
      isTTY,
      columns: 80,
      write: (text: string) => Boolean(written.push(text)),
      on: () => undefined,
      removeListener: () => undefined,
      cursorTo: () => undefined,
      clearLine: () => undefined,
    }
    return { written, stream: stream as unknown as NodeJS.WriteStream }
  }

  test('is a line every few seconds with what is left, counted from what was there before', () => {
    const { written, stream } = output(false)
    let now = 0
    const progress = workProgress('variants', stream, () => now)
    for (const [at, done] of [
      [0, 40],
      [1_000, 41],
      [4_900, 44],
      [10_000, 50],
      [12_000, 52],
    ] as const) {
      now = at
      progress.show({ done, total: 100, before: 40 })
    }
    progress.end()
    expect(written).toEqual(['40 of 100 variants\n', '50 of 100 variants, 50s left\n'])
  })

  test('is a bar on a terminal', () => {
    const { written, stream } = output(true)
    const progress = workProgress('variants', stream, () => 0)
    progress.show({ done: 3, total: 12, before: 0 })
    progress.end()
    expect(written.join('')).toContain('3 of 12 variants')
    expect(written.join('')).toContain('25 %')
  })
})
