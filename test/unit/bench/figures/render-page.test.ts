import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
    const measured = { backtest: { machine, result: backtest } }
    const rendered = renderPage(page, measured)
    expect(rendered).not.toContain('old')
    expect(rendered.startsWith('# Figures\n\n<!-- bench backtest -->\n')).toBe(true)
    expect(rendered.endsWith('<!-- end of backtest -->\n\nThe rest.\n')).toBe(true)
    expect(renderPage(rendered, measured)).toBe(rendered)
  })

  test('has the speeds, the targets judged by them, a missed one in bold, and a column for each fleet', async () => {
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
    const blocks = ['backtest', 'targets', 'fleet'].map(
      (name) => `<!-- bench ${name} -->\n<!-- end of ${name} -->\n`,
    )
    const decision = { decision: { p50: 5, p99: 49.9 } }
    const rendered = renderPage(blocks.join('\n'), {
      backtest: { machine, result: backtest },
      decision: { machine, result: decision },
      fleet: { machine, result },
    })
    await expect(rendered).toMatchFileSnapshot(join(import.meta.dirname, 'rendered-blocks.txt'))
  })

  test('names the command where a block has no figures yet, and refuses a block without a table', () => {
    expect(renderPage(page, {})).toContain('Not measured yet: `npm run bench -- --figures backtest` does.')
    const other = page.replaceAll('backtest', 'weather')
    expect(() => renderPage(other, {})).toThrow(/block of weather/)
  })
})
