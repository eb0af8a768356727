import { describe, expect, test } from 'vitest'
import { renderBacktest } from '../../../../../src/cli/research/backtest/render.ts'
import { reportOf } from '../../../../../src/research/report/backtest/backtest-report.ts'
import { checkReportData } from '../../../../../src/research/report/render-report.ts'
import { exampleRun, resultOfRun } from '../../../research/backtest/metrics/example-result.ts'
import type { BacktestResult } from '../../../../../src/research/backtest/result.ts'
import { trailRun, type TrailRun } from '../../../research/backtest/metrics/trail-run.ts'

const run = exampleRun()
const result = resultOfRun(run, 12 * 24)

const reported = (result: BacktestResult, { trail }: TrailRun) => ({
  result,
  series: trail.series(),
  law: null,
  configuration: [],
})

function emptyRun() {
  const empty = trailRun()
  empty.quote(0, 60, 60)
  empty.end(5)
  return empty
}

describe('the summary of a backtest', () => {
  const lines = renderBacktest(result).split('\n')

  test('leads with edge, interval, fills, prints, variants and synthetic share', () => {
    expect(lines[0]).toMatch(
      /^edge \+60\.00 bps per USD traded \(90 % CI .*\), .*24 fills, 12 prints, 3 variants tried, 8\.3 % of the fills synthetic$/,
    )
  })

  test("beside an edge that is only the venue's spread it says what the next print left of it", () => {
    expect(lines[0]).toContain('the next print (90 % CI')
    expect(renderBacktest({ ...result, fairValue: 'reference' })).not.toContain('left at')
  })

  test('warnings come before any money', () => {
    const warning = lines.findIndex((line) => line.startsWith('warning'))
    const money = lines.findIndex((line) => line.startsWith('PnL '))
    expect(warning).toBeGreaterThan(0)
    expect(warning).toBeLessThan(money)
  })

  test('the terms of the PnL add up as they are shown, in both currencies', () => {
    const from = lines.findIndex((line) => line.startsWith('PnL ')) + 1
    const rows = lines.slice(from, from + 6).map((line) => line.split(/ {2,}/).slice(1))
    for (const [column, unit] of [
      [0, 100],
      [1, 10_000],
    ] as const) {
      const cells = rows.map((row) => Math.round(Number(row[column]?.replaceAll(',', '')) * unit))
      expect(cells.slice(0, 5).reduce((sum, cell) => sum + cell, 0)).toBe(cells[5])
      expect(cells[5]).not.toBe(0)
    }
  })

  test('numbers have their thousands apart, and lines fit the width but for the headline', () => {
    expect(lines.join('\n')).toContain('1,234,567 rows')
    const narrow = renderBacktest(result, 80).split('\n').slice(1)
    expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(80)
  })

  test('what was not measured is reported in words: never NaN, null or undefined', () => {
    const text = renderBacktest(resultOfRun(emptyRun(), 5))
    expect(text).toMatch(
      /^no edge, nothing was traded, 0 fills.*\na day: PnL 0\.00 USD, less holding 0\.00 USD\n/,
    )
    expect(text).toContain('too little data')
    expect(`${text}${lines.join('\n')}`).not.toMatch(/NaN|null|undefined|Infinity|\[object/)
  })

  test('takers that were turned away are counted by the reason', () => {
    const text = renderBacktest({ ...result, rejectedFor: { inventory: 12, dust: 1 } })
    expect(text).toMatch(/12 takers .* pool/)
    expect(text).toMatch(/1 taker .* dust/)
  })
})

describe('the report of a backtest', () => {
  const data = reportOf(reported(result, run), 'base')

  test('keeps the promises that the report makes about its data', () => {
    expect(() => checkReportData(data)).not.toThrow()
    expect(() =>
      checkReportData(reportOf(reported(resultOfRun(emptyRun(), 5), emptyRun()), 'x')),
    ).not.toThrow()
  })

  test('its headline and warnings say what the summary says', () => {
    expect(data.headline.map(({ label }) => label)).toEqual([
      'Edge per USD traded',
      'Left at the next print',
      'PnL a day',
      'Fills',
      'Prints',
      'Variants tried',
      'Synthetic fills',
    ])
    expect(data.headline[0]).toMatchObject({ value: '+60.00 bps' })
    expect(data.warnings).toEqual(result.warnings)
  })

  test('its attribution ends in the terms of the PnL', () => {
    const total = data.attribution.terms.reduce((sum, { tzs }) => sum + (tzs.at(-1) ?? 0), 0)
    expect(total).toBeCloseTo(Number(result.pnl.tzs.total), 4)
  })

  test('horizons that no fill has reached are left out, the others keep their intervals', () => {
    const short = trailRun()
    short.fill(1, 'ask', 100, 60)
    short.print(2, 2510)
    short.end(24)
    const { markouts } = reportOf(reported(resultOfRun(short, 24), short), 'x')
    expect(markouts.map(({ horizon }) => horizon)).toEqual(['next print'])
    expect(markouts[0]?.ci90).toBeNull()
    expect(data.markouts).toHaveLength(4)
    expect(data.markouts.every(({ ci90, bps }) => ci90 !== null && ci90[0] <= bps && bps <= ci90[1])).toBe(
      true,
    )
  })

  test('parameters, data window and further facts are tables, and no text is broken', () => {
    const tables = Object.fromEntries(data.tables.map(({ title, rows }) => [title, rows]))
    expect(tables['Parameters']).toEqual([
      ['halfSpreadBps', '60'],
      ['tiers', '[1,2]'],
    ])
    expect(tables['Data']).toContainEqual(['digest', result.digest])
    expect(tables['PnL']?.at(-1)?.[0]).toBe('total')
    expect(JSON.stringify([data.tables, data.headline])).not.toMatch(/NaN|undefined|Infinity/)
  })

  test('parameters that are no object are shown as they are', () => {
    const plain = reportOf(reported({ ...result, params: null }, run), 'base')
    expect(plain.tables.find(({ title }) => title === 'Parameters')?.rows).toEqual([['', 'null']])
  })
})
