import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { FIGURES_PAGE, readFigures } from '../../../../bench/figures/keep-figures.ts'
import { renderPage } from '../../../../bench/figures/render-page.ts'

const machine = {
  cpu: 'A processor',
  cores: 2,
  memoryGiB: 24,
  platform: 'linux-x64',
  node: '24.0.0',
  loadAverage: 0.1,
}
const speeds = { rows: 10, warm: 2_345_678, plainWarm: 40e6, c: 900e6, toPlain: 0.0586 }
const compared = {
  halfPercent: speeds,
  onePercent: { ...speeds, c: null },
  first: { warm: 1e6, plainWarm: 20e6, toPlain: 0.05 },
  fillMoreUs: 4.25,
  plainFillMoreUs: 0.5,
}
const backtest = {
  still: compared,
  walk: compared,
  following: { rows: 10, warm: 700_000, toPlain: 0.01 },
  asRecorded: { rows: 10, warm: 12e6, onePercentWarm: 7e6, fillMoreUs: 10 },
  longWalk: { rows: 10_050_000, earlyDay: 20, lateDay: 365, heapMiBEarly: 20.14, heapMiBLate: 20.26 },
}
const page = '# Figures\n\n<!-- bench backtest -->\nold\n<!-- end of backtest -->\n\nThe rest.\n'

describe('the page of the figures', () => {
  test('has the tables that bench/figures.json gives: `npm run bench -- --figures` writes both', () => {
    const committed = readFileSync(FIGURES_PAGE, 'utf8')
    expect(renderPage(committed, readFigures())).toBe(committed)
  })

  test('has a block of a bench replaced by its table and the machine, and nothing else changed', () => {
    const rendered = renderPage(page, { backtest: { machine, result: backtest } })
    expect(rendered).toContain('| **mizani, warm** | 2.35 | 2.35 | 2.35 | 2.35 |')
    expect(rendered).toContain('| C with doubles | 900 | no compiler | 900 | no compiler |')
    expect(rendered).toContain('| exact; heap 20.1 MiB on day 20, 20.3 MiB on day 365 |')
    expect(rendered).toContain(
      'One run on 2 cores of A processor, 24 GiB, linux-x64, Node 24.0.0, load average 0.1 at its end.',
    )
    expect(rendered).not.toContain('old')
    expect(rendered.startsWith('# Figures\n\n<!-- bench backtest -->\n')).toBe(true)
    expect(rendered.endsWith('<!-- end of backtest -->\n\nThe rest.\n')).toBe(true)
    expect(renderPage(rendered, { backtest: { machine, result: backtest } })).toBe(rendered)
  })

  test('has the targets judged by what was measured, a missed one in bold', () => {
    const targets = '<!-- bench targets -->\n<!-- end of targets -->'
    const decision = { decision: { p50: 5, p99: 49.9 } }
    const rendered = renderPage(targets, {
      backtest: { machine, result: backtest },
      decision: { machine, result: decision },
    })
    expect(rendered).toContain('| Walk: a new mid in every row | 1.5 M rows/s | 2.35 M rows/s | yes |')
    expect(rendered).toContain('| Still, warm | 15 M rows/s | 2.35 M rows/s | **no** |')
    expect(rendered).toContain('| One fill more | 5 us at most | 4.25 us | yes |')
    expect(rendered).toContain('| The same by the fastest peer | over 1 | not measured |  |')
    expect(rendered).toContain('core alone, p99 | 50 us at most | 49.9 us | yes |')
  })

  test('has a column for each size of the fleet and one for its load, and what was not measured as that', () => {
    const spread = { count: 5, p50: 2.54, p95: 9, p99: 9.94, max: 31 }
    const one = {
      positions: 1,
      readyMs: 1_520,
      tls: false,
      seconds: 60,
      requestsPerSecond: 0.75,
      cpuPercentOfACore: 1.26,
      venueCpuPercentOfACore: 1,
      decisionUs: { count: 0, p50: null, p99: null },
      scrapeMs: spread,
      scrapeKiB: 32.4,
      series: 315,
      rssMiB: 150.2,
      peakRssMiB: 160.7,
      threads: 12,
      rssMiBAnHour: -0.04,
      diskKiBPerSecond: 17,
      commitsPerSecond: null,
      eventLoopDelayMs: {},
      journal: { eventsPerSecond: 0.8, bytesAnEvent: null },
      scrapeMissing: 0,
    }
    const load = {
      ...one,
      positions: 500,
      tls: true,
      scrapeMissing: 3,
      decisionUs: { count: 9, p50: 50, p99: 500 },
      eventLoopDelayMs: { main: 12.5, 'worker-1': 20.2, 'worker-2': 30.1 },
      openLoop: { due: 50, missed: 2, dueToPatchMs: spread, answerToPatchMs: spread, venueDelayP999Ms: 11 },
    }
    const result = { from: 'sources', rest: [one, { ...one, positions: 500 }], load }
    const rendered = renderPage(page.replaceAll('backtest', 'fleet'), { fleet: { machine, result } })
    expect(rendered).toContain('| 1 at rest | 500 at rest | 500 at a request a second each, TLS |')
    expect(rendered).toContain(
      '| p99 1 ms | not measured / not measured us | not measured / not measured us | 50 / 500 us |',
    )
    expect(rendered).toContain('| not measured / not measured | not measured / not measured | 12.5 / 30.1 |')
    expect(rendered).toContain('p50 2.5 ms, p99 9.9 ms, max 31 ms')
    expect(rendered).toContain('| 31 ms; 32 KiB | 31 ms; 32 KiB, 3 positions missing in one |')
    expect(rendered).toContain('| 2 of 50 |')
  })

  test('names the command where a block has no figures yet, and refuses a block without a table', () => {
    expect(renderPage(page, {})).toContain('Not measured yet: `npm run bench -- --figures backtest` does.')
    const other = page.replaceAll('backtest', 'weather')
    expect(() => renderPage(other, {})).toThrow('a block of weather, which has no table')
  })
})
