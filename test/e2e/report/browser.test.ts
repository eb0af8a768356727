import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { renderReport } from '../../../src/research/report/render-report.ts'
import type { ReportData } from '../../../src/research/report/report-data.ts'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { emptyReport, sampleReport } from '../../support/sample-report.ts'
import { watchPage, type WatchedPage } from '../../support/watch-page.ts'

const noChromium = needs('chromium')
const WIDE = { width: 1600, height: 1000 }
const PHONE = { width: 390, height: 844 }
const CHARTS = [
  'equity',
  'drawdown',
  'daily',
  'histogram',
  'attribution',
  'attribution-usd',
  'quotes',
  'inventory',
  'markouts',
  'split',
  'hours',
  'rolling-edge',
  'fills-by-spread',
  'competition-bid',
  'competition-ask',
  'uptime',
  'plot-a',
]

const folder = mkdtempSync(join(tmpdir(), 'mizani-report-'))
let browser: Browser | null = null

beforeAll(async () => {
  if (noChromium) return
  browser = await launchBrowser()
})

afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close()
})

afterAll(async () => {
  await browser?.close()
})

let opened = 0

/** Opens a report as a file and waits until its charts are drawn. */
async function open(
  data: ReportData,
  options: BrowserContextOptions = { viewport: WIDE },
): Promise<WatchedPage> {
  if (browser === null) throw new Error('no browser')
  const file = join(folder, `report-${opened++}.html`)
  writeFileSync(file, renderReport(data))
  const watched = await watchPage(await (await browser.newContext(options)).newPage())
  const { page } = watched
  await page.goto(pathToFileURL(file).href)
  await page.waitForSelector('body[data-drawn]', { state: 'attached', timeout: 10_000 })
  // uPlot paints in a microtask after its options are set.
  await page.waitForTimeout(50)
  return watched
}

/** How many pixels of a chart have the page's colour of that name; the edges of lines are half transparent. */
const pixelsOf = (page: Page, chart: string, colour: string) =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelector('[data-chart="${chart}"] canvas')
    const hex = getComputedStyle(document.documentElement).getPropertyValue('--${colour}').trim()
    const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 100 && wanted.every((value, j) => Math.abs(data[i + j] - value) < 6)) count++
    }
    return count
  })()`)

const focused = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.closest('[data-chart]')?.dataset.chart + ' ' + document.activeElement.className`,
  )

const legend = async (page: Page, chart: string) =>
  (await page.locator(`[data-chart="${chart}"] .legend`).innerText()).replaceAll(/\s+/g, ' ')

describe.skipIf(needs('chromium'))('the report in a browser', () => {
  test('draws every chart, says nothing on the console, breaks no policy and asks for nothing', async () => {
    const { page, complaints, requests } = await open(sampleReport())
    expect(await page.locator('.plot canvas').count()).toBe(CHARTS.length)
    const colours: Readonly<Record<string, readonly string[]>> = {
      drawdown: ['red'],
      attribution: ['blue', 'red', 'green', 'ink'],
      quotes: ['blue', 'red', 'grey', 'purple'],
      inventory: ['green'],
      hours: ['green'],
      'competition-ask': ['red', 'grey'],
    }
    for (const chart of CHARTS) {
      for (const colour of colours[chart] ?? ['blue']) {
        const painted = await pixelsOf(page, chart, colour)
        expect([chart, colour, painted > 50]).toEqual([chart, colour, true])
      }
    }
    expect(complaints).toEqual([])
    expect(requests.filter((url) => !url.startsWith('file:') && url !== 'data:,')).toEqual([])
    expect(requests.filter((url) => url.startsWith('file:'))).toHaveLength(1)
  })

  test.each([
    ['nothing', emptyReport(), 0],
    ['one point and one fill', sampleReport({ days: 1, points: 1, fills: 1 }), 14],
    ['a year', sampleReport({ days: 365, points: 8_000, fills: 25_000 }), 17],
  ])('of %s is drawn without a complaint', async (_name, data, charts) => {
    const { page, complaints } = await open(data)
    expect(await page.locator('.plot canvas').count()).toBe(charts)
    expect(await page.locator('body').innerText()).not.toMatch(/NaN|Infinity|undefined|null/)
    expect(complaints).toEqual([])
  })

  test.each([
    ['a phone', PHONE],
    ['a wide screen', WIDE],
  ])('never scrolls sideways on %s, whatever the names', async (_name, viewport) => {
    const long = 'an-unbroken-name-'.repeat(20)
    const sample = sampleReport({ points: 300 })
    const { page } = await open(
      {
        ...sample,
        title: long,
        warnings: [long],
        headline: [{ label: long, value: long, note: long }, ...sample.headline],
        tables: [{ title: long, head: [long, long], rows: [[long, '1'.repeat(200)]] }, ...sample.tables],
        attribution: {
          ...sample.attribution,
          terms: sample.attribution.terms.map((term) => ({ ...term, name: long })),
        },
      },
      { viewport },
    )
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(viewport.width)
    const beyond = `(() => { const box = document.querySelector('.tables .scroll'); return box.scrollWidth - box.clientWidth })()`
    expect(await page.evaluate<number>(beyond)).toBeGreaterThan(0)
  })

  test('changes ground and lines with the light, while it is open', async () => {
    const { page } = await open(sampleReport({ points: 500 }), { viewport: WIDE, colorScheme: 'light' })
    const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    const [light, blue] = [await ground(), await pixelsOf(page, 'equity', 'blue')]
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(ground).toBe('rgb(15, 19, 23)')
    expect([light, blue > 50]).toEqual(['rgb(255, 255, 255)', true])
    await expect.poll(() => pixelsOf(page, 'equity', 'blue')).toBeGreaterThan(50)
  })

  test('shows a hostile name as the text that it is', async () => {
    const hostile = `</title></script><script>alert(1)</script><img src=x onerror="alert(2)">`
    const sample = sampleReport({ points: 100 })
    const { page, complaints } = await open({
      ...sample,
      title: hostile,
      warnings: [hostile],
      attribution: { ...sample.attribution, terms: [{ name: hostile, tzs: sample.equity.usd }] },
      markouts: sample.markouts.map((point) => ({ ...point, horizon: hostile })),
      tables: [{ title: hostile, head: [hostile], rows: [[hostile]] }],
    })
    expect(await page.locator('h1').innerText()).toBe(hostile)
    expect(await page.title()).toBe(hostile)
    expect(await page.locator('.warnings li').innerText()).toBe(hostile)
    await page.locator('[data-chart="markouts"] .plot').hover()
    expect(await legend(page, 'markouts')).toContain(hostile)
    expect(await page.locator('img, script:not(#data)').count()).toBe(1)
    expect(complaints).toEqual([])
  })
})

describe.skipIf(needs('chromium'))('reading the report closely', () => {
  test('by keyboard: Tab reaches every chart, arrows move the cursor and say what is there, plus zooms', async () => {
    const { page } = await open(sampleReport({ points: 500 }))
    const reached = new Set<string>()
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab')
      const [chart = '', ...classes] = (await focused(page)).split(' ')
      if (classes.includes('plot')) reached.add(chart)
    }
    expect([...reached]).toEqual(CHARTS)

    await page.locator('[data-chart="equity"] .plot').focus()
    const atRest = await legend(page, 'equity')
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowRight')
    const said = await page.locator('#said').textContent()
    expect(said).toMatch(
      /^5 Nov 2026, \d\d:\d\d UTC; Equity [\d,.]+; Holding .* [\d,.]+; .*90 % band [\d,.]+ to [\d,.]+$/,
    )
    expect(await legend(page, 'equity')).not.toBe(atRest)
    await page.keyboard.press('+')
    expect(await page.locator('#zoom').innerText()).toMatch(/3 Nov 2026, .* to 18 Nov 2026/)
    await page.keyboard.press('Escape')
    expect(await page.locator('#zoom').isHidden()).toBe(true)
    await page.keyboard.press('Tab')
    expect(await legend(page, 'equity')).toBe(atRest)
  })

  test('by mouse: the cursor is on all charts at once, dragging zooms them all, double-clicking resets', async () => {
    const { page, complaints } = await open(sampleReport({ points: 500 }))
    const plot = page.locator('[data-chart="quotes"] .plot')
    await plot.scrollIntoViewIfNeeded()
    const box = await plot.boundingBox()
    if (box === null) throw new Error('the chart is not visible')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    const at = /\d+ Nov 2026, \d\d:\d\d UTC/
    const [moment] = at.exec(await legend(page, 'quotes')) ?? []
    expect(moment).toBeDefined()
    for (const chart of ['equity', 'attribution', 'inventory']) {
      expect([chart, at.exec(await legend(page, chart))?.[0]]).toEqual([chart, moment])
    }
    const before = await pixelsOf(page, 'attribution', 'blue')
    await page.mouse.down()
    await page.mouse.move(x + 100, y, { steps: 4 })
    await page.mouse.up()
    expect(await page.locator('#zoom').isVisible()).toBe(true)
    expect(await pixelsOf(page, 'attribution', 'blue')).not.toBe(before)
    await page.mouse.dblclick(x, y)
    expect(await page.locator('#zoom').isHidden()).toBe(true)
    await expect.poll(() => pixelsOf(page, 'attribution', 'blue')).toBe(before)
    expect(complaints).toEqual([])
  })

  test('by its legend: a line is hidden and shown again', async () => {
    const { page } = await open(sampleReport({ points: 500 }))
    const button = page.locator('[data-chart="competition-bid"] button').first()
    await button.click()
    await expect.poll(() => pixelsOf(page, 'competition-bid', 'blue')).toBe(0)
    expect(await button.getAttribute('aria-pressed')).toBe('false')
    await button.click()
    await expect.poll(() => pixelsOf(page, 'competition-bid', 'blue')).toBeGreaterThan(50)
  })

  test('without scripts: the words that matter are there', async () => {
    const file = join(folder, 'plain.html')
    writeFileSync(file, renderReport(sampleReport({ points: 100 })))
    const context = await browser?.newContext({ javaScriptEnabled: false })
    const page = await context?.newPage()
    await page?.goto(pathToFileURL(file).href)
    const text = (await page?.locator('body').innerText()) ?? ''
    expect(text).toContain('charts need JavaScript')
    expect(text).toMatch(/in TZS: spread capture [\d,]+/)
  })

  test('on paper: the charts are light, as wide as the paper, and as they were afterwards', async () => {
    const { page, complaints } = await open(sampleReport({ points: 500 }), {
      viewport: WIDE,
      colorScheme: 'dark',
    })
    const width = () => page.evaluate<number>(`document.querySelector('[data-chart=quotes] canvas').width`)
    const wide = await width()
    await page.evaluate(`addEventListener('beforeprint', () => setTimeout(() => {
      document.body.dataset.paper = [
        document.documentElement.classList.contains('paper'),
        document.querySelector('[data-chart=quotes] canvas').width,
      ].join(' ')
    }))`)
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    await page.waitForSelector('body[data-paper]')
    expect(await page.evaluate('document.body.dataset.paper')).toBe('true 700')
    expect(await pixelsOf(page, 'quotes', 'blue')).toBeGreaterThan(50)
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    await expect.poll(width).toBe(wide)
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(50_000)
    expect(complaints).toEqual([])
  })
})
