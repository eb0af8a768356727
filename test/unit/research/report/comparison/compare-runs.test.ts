import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dailyRows } from '../../../../../src/research/backtest/metrics/daily-rows.ts'
import { comparisonText } from '../../../../../src/cli/research/report/compare.ts'
import { compareRuns, type Comparison } from '../../../../../src/research/report/comparison/compare-runs.ts'
import type { ComparedRun } from '../../../../../src/research/report/comparison/compared-run.ts'
import { comparisonPage } from '../../../../../src/research/report/comparison/comparison-page.ts'
import { readBacktestResult } from '../../../../../src/research/report/comparison/read-result.ts'
import { exampleRun, resultOfRun } from '../../backtest/metrics/example-result.ts'

const folder = mkdtempSync(join(tmpdir(), 'compare-'))

const run = exampleRun()
const result = resultOfRun(run, 12 * 24)
const daily = dailyRows(run.trail.days())
const configuration = [
  { key: 'quote.safeBps', value: '200' },
  { key: 'strategy.params.halfSpreadBps', value: '60' },
]
const a: ComparedRun = { name: 'a.json', result, daily, configuration }
/** A dollar a day more, and another dollar every second day. */
const better = daily.map((day, i) => ({ ...day, pnlUsd: day.pnlUsd + 1 + (i % 2) }))
const b: ComparedRun = { ...a, name: 'b.json', daily: better }

function compared(first: ComparedRun, second: ComparedRun): Comparison {
  const found = compareRuns(first, second)
  if (!found.ok) throw new Error(found.error)
  return found.value
}

const problem = (first: ComparedRun, second: ComparedRun) => {
  const found = compareRuns(first, second)
  return found.ok ? 'accepted' : found.error
}

let written = 0
function file(content: unknown): string {
  const path = join(folder, `${written++}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('the difference of two runs', () => {
  test('is B less A, paired by day: mean, standard error and t by hand', () => {
    // Six ones and six twos: mean 1.5, sd sqrt(12 * 0.25 / 11), se sd / sqrt(12).
    const { paired } = compared(a, b)
    expect(paired?.meanUsd).toBeCloseTo(1.5, 9)
    expect(paired?.seUsd).toBeCloseTo(Math.sqrt(3 / 11 / 12), 9)
    expect(paired?.t).toBeCloseTo(1.5 / Math.sqrt(3 / 11 / 12), 6)
    expect(paired?.days).toBe(12)
    const [low, high] = paired?.ci90Usd ?? [NaN, NaN]
    expect(low > 1 && low < 1.5 && high > 1.5 && high < 2).toBe(true)
  })

  test('of a run with itself is nothing, without an error of t', () => {
    expect(compared(a, a).paired).toMatchObject({ meanUsd: 0, seUsd: 0, t: null, p: 1 })
    expect(compared(a, a).configuration).toEqual([])
  })

  test('turns its sign with the order of the runs', () => {
    expect(compared(b, a).paired?.meanUsd).toBeCloseTo(-1.5, 9)
  })

  test('lists the keys that differ, and those that only one has', () => {
    const other = {
      ...b,
      configuration: [
        { key: 'quote.safeBps', value: '250' },
        { key: 'new', value: '1' },
      ],
    }
    expect(compared(a, other).configuration).toEqual([
      { key: 'quote.safeBps', a: '200', b: '250' },
      { key: 'strategy.params.halfSpreadBps', a: '60', b: null },
      { key: 'new', a: null, b: '1' },
    ])
  })
})

describe('runs that are not over one market', () => {
  test('of different windows are refused with both windows', () => {
    const later = { ...b, result: { ...result, to: '2026-12-01T00:00:00.000Z' } }
    expect(problem(a, later)).toMatch(/^a\.json .*2026-11-02.*b\.json .*2026-12-01.*--from/)
  })

  test('of different tapes are refused with the day on which the fair value differs', () => {
    const tape = daily.map((day, i) => (i === 3 ? { ...day, fair: day.fair * 1.0001 } : day))
    expect(problem(a, { ...b, daily: tape })).toMatch(/2026-11-05 .*backtest\.fairValue$/)
  })

  test.each([
    ['fewer days', daily.slice(1)],
    ['no last day', daily.slice(0, -1)],
    ['no day', []],
  ])('with %s are refused', (_name, days) => {
    expect(problem(a, { ...b, daily: days })).toContain('the same days')
    expect(problem({ ...b, daily: days }, a)).toContain('the same days')
  })

  test('drawn by different fill models or seeds are compared with a warning', () => {
    const other = { ...b, result: { ...result, fillModel: 'recorded', seed: 8 } as const }
    expect(compared(a, other).warnings.slice(0, 2)).toEqual([
      expect.stringContaining('(thinned, recorded)'),
      expect.stringContaining('(7, 8)'),
    ])
  })
})

describe('a result file', () => {
  test('of this version is read whole, whatever it holds besides', () => {
    const read = readBacktestResult(file({ ...result, daily, configuration, later: 1 }))
    expect(read).toMatchObject({ ok: true, value: { daily, configuration } })
  })

  test('of a version that wrote neither days nor configuration is read, and compared without paired differences', () => {
    const old = readBacktestResult(file(result))
    if (!old.ok) throw new Error(old.error)
    const comparison = compared(old.value, b)
    expect([comparison.paired, comparison.configuration]).toEqual([null, null])
    expect(comparison.warnings[0]).toMatch(/without days/)
    expect(comparisonText(comparison)).toContain('PnL USD')
    expect(comparisonPage(comparison)).toContain('has no days')
  })

  test.each([
    ['is missing', join(folder, 'none.json'), /does not exist/],
    ['is a folder', folder, /is not a file; .*`mizani backtest --json`/],
    ['is not JSON', file('{'), /is not JSON/],
    ['is a list', file([]), /is not the result of a backtest/],
    ['lacks a field', file({ ...result, fills: undefined }), /at fills: /],
    ['has a text for a number', file({ ...result, turnoverUsd: 'much' }), /at turnoverUsd: /],
    [
      'is the error of a run',
      file({ error: 'no tape', exitCode: 2 }),
      /is not the result of a backtest at strategy/,
    ],
  ])('that %s is refused with its name and what is expected', (_name, path, why) => {
    const read = readBacktestResult(path)
    expect(read.ok ? 'read' : read.error).toMatch(why)
    expect(read.ok ? '' : read.error).toContain(path)
  })

  test('of any JSON is read or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readBacktestResult(file(value))
        expect(read.ok ? '' : read.error).toMatch(/`mizani backtest --json`$/)
      }),
      { numRuns: 50 },
    )
  })
})

describe('the comparison on a page and on a terminal', () => {
  test('escapes strategy names, parameters, warnings and file names', () => {
    const hostile = '<img src=x onerror="alert(1)">'
    const from = { ...result, strategy: hostile, warnings: [hostile], params: { x: hostile } }
    const bad = { ...a, name: hostile, result: from, configuration: [{ key: hostile, value: hostile }] }
    const html = comparisonPage(compared(bad, b))
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x')
  })

  test('states the paired difference in its headline, and shows the days of both', () => {
    const html = comparisonPage(compared(a, b)).replaceAll('\u00a0', ' ')
    expect(html).toContain('B less A')
    expect(html).toContain('+1.50 USD')
    expect(html.match(/<figure[^>]*data-chart=/g)).toHaveLength(3)
    expect(html.replaceAll(/<(script|style)[^]*?<\/\1>/g, '')).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('has the edge of each side, and a dash where a result does not split it', () => {
    const { bySide: _split, ...old } = result
    const text = comparisonPage(compared(a, { ...b, result: old }))
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/bid 60\.00, \d+ .* - .* ask 60\.00, \d+ /)
  })

  test('has the same difference as text', () => {
    expect(comparisonText(compared(a, b))).toMatch(/\+1\.50 USD .* 12 days, se 0\.15 \(90 %/)
  })

  test('names a warning once that both runs have, and whose it is where only one has it', () => {
    const warned = { ...b, result: { ...result, warnings: [...result.warnings, 'only here'] } }
    expect(compared(a, warned).warnings).toEqual([...result.warnings, 'b.json: only here'])
  })

  test('of too few days for an interval states no p', () => {
    const few = { ...a, daily: daily.slice(0, 4) }
    const text = comparisonText(compared(few, { ...b, daily: better.slice(0, 4) }))
    expect(text).toContain('too few days for an interval')
    expect(text).not.toMatch(/, p /)
  })

  test('of one day states that there are too few days for an error', () => {
    const one = { ...a, daily: daily.slice(0, 1) }
    expect(comparisonText(compared(one, { ...b, daily: better.slice(0, 1) }))).toContain('too few days for')
  })
})
