import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comparisonFigures } from '../../../src/research/report/figures/comparison.ts'
import type { Figure } from '../../../src/research/report/figures/figure.ts'
import { renderHeatTable } from '../../../src/research/report/heat-table.ts'
import { renderPage } from '../../../src/research/report/render-page.ts'
import { DAY_MS } from '../../../src/base/time.ts'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { watchPage } from '../../support/watch-page.ts'

// What comparisons, tournaments, sweeps and calibrations are made of, beside the charts of a backtest.

const folder = mkdtempSync(join(tmpdir(), 'mizani-pages-'))
let browser: Browser | null = null

beforeAll(async () => {
  if (!needs('chromium')) browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
})

const START = Date.UTC(2026, 10, 2)
const NAMES = [
  'constant',
  'a strategy whose name is far longer than any phone is wide, and longer still',
  'skew',
]

const rows: Figure = {
  id: 'rows',
  title: 'A scenario',
  unit: 'USD, mean with 90 % interval',
  digits: 0,
  words: 'Three strategies.',
  chart: {
    kind: 'rows',
    noteOf: 'fills a day',
    points: NAMES.map((label, i) => ({
      label,
      value: 100 * i - 50,
      interval: i === 2 ? null : [100 * i - 90, 100 * i + 40],
      note: '12',
    })),
  },
  table: { title: 'The split', head: ['', 'USD'], rows: [['constant', '-50']], folded: true },
}

const curve: Figure = {
  ...rows,
  id: 'curve',
  chart: {
    kind: 'plane',
    xUnit: 'bps',
    x: Float64Array.of(10, 50, 90),
    lines: [{ name: 'Law', colour: 'blue', values: Float64Array.of(9, 5, 2) }],
    band: { name: 'Band', low: Float64Array.of(8, 4, 1), high: Float64Array.of(10, 6, 3) },
    points: { name: 'Observed', all: [{ x: 50, y: 6, interval: [3, 9], label: '50 bps:' }] },
  },
}

const PAGE = renderPage({
  title: 'Everything',
  warnings: [],
  headline: [],
  lead: [
    renderHeatTable({
      title: 'Heat',
      words: 'Blue earns.',
      corner: 'Scenario',
      columns: NAMES,
      rows: [
        { name: 'normal', cells: NAMES.map((_, i) => ({ text: '1,000', share: i - 1, isBest: i === 2 })) },
      ],
    }),
  ],
  figures: [
    rows,
    curve,
    ...comparisonFigures({
      names: ['A', 'B'],
      openedAt: START,
      days: [0, 1, 2].map((day) => ({ day: START + day * DAY_MS, to: START + (day + 1) * DAY_MS })),
      a: [5, -3, 2],
      b: [6, -9, 1],
    }),
  ],
  tables: [],
})

async function open(width: number, colorScheme: 'light' | 'dark') {
  if (browser === null) throw new Error('no browser')
  const file = join(folder, 'page.html')
  writeFileSync(file, PAGE)
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  const watched = await watchPage(await context.newPage())
  await watched.page.goto(pathToFileURL(file).href)
  await watched.page.waitForSelector('body[data-drawn]', { state: 'attached', timeout: 10_000 })
  return watched
}

describe.skipIf(needs('chromium'))('the pages of comparisons, tournaments, sweeps and calibrations', () => {
  test.each([
    ['a phone', 390, 'light'],
    ['a wide dark screen', 1440, 'dark'],
  ] as const)(
    'on %s draw all charts, break no policy and never scroll sideways',
    async (_name, width, light) => {
      const { page, complaints } = await open(width, light)
      expect(await page.locator('.plot canvas').count()).toBe(5)
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
      expect(complaints).toEqual([])
      const ground = (name: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('.heat td.${name}')).backgroundColor`)
      expect(await ground('earn-8')).not.toBe(await ground('lose-8'))
    },
  )

  test('name the row and the measurement under the pointer, and open a folded table', async () => {
    const { page } = await open(1440, 'light')
    const legend = (chart: string) => page.locator(`[data-chart="${chart}"] .legend`).innerText()
    const plot = async (chart: string) => {
      const box = await page.locator(`[data-chart="${chart}"] .u-over`).boundingBox()
      if (box === null) throw new Error('the chart is not visible')
      return box
    }
    const box = await plot('rows')
    await page.mouse.move(box.x + 20, box.y + box.height - 10)
    expect(await legend('rows')).toContain('skew: 150 USD (no interval), 12 fills')
    await page.mouse.move(box.x + 20, box.y + 10)
    expect(await legend('rows')).toContain('constant: -50 USD')
    const place = await plot('curve')
    await page.mouse.move(place.x + place.width / 2, place.y + 10)
    expect(await legend('curve')).toMatch(/50\.0 bps; measured: 50 bps: 6 \(3 to 9\)/)
    const table = page.locator('[data-chart="rows"] details')
    expect(await table.locator('table').isVisible()).toBe(false)
    await table.locator('summary').click()
    expect(await table.locator('table').isVisible()).toBe(true)
  })
})
