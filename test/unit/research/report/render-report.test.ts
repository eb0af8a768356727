import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../../../src/base/result.ts'
import { renderReport } from '../../../../src/research/report/render-report.ts'
import type { ReportData } from '../../../../src/research/report/report-data.ts'
import { emptyReport, sampleReport } from '../../../support/sample-report.ts'

const blocks = (html: string, name: 'script' | 'style') =>
  [...html.matchAll(new RegExp(`<${name}([^>]*)>([^]*?)</${name}>`, 'g'))].map(
    ([, attributes = '', text = '']) => ({ attributes, text }),
  )

/** What a reader sees or hears: text and labels, without scripts, styles and tags. */
function visibleText(html: string): string {
  const body = html.slice(html.indexOf('<body>')).replaceAll(/<script[^]*?<\/script>/g, '')
  const labels = [...body.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label)
  return [body.replaceAll(/<[^>]*>/g, ' '), ...labels].join(' ')
}

const allNaN = (length: number) => new Float64Array(length).fill(NaN)

/** One day whose every measurement is missing. */
function unmeasured(): ReportData {
  const sample = sampleReport({ points: 50, fills: 5, days: 1 })
  const { t } = sample.equity
  const none = allNaN(t.length)
  return {
    ...sample,
    equity: { t, usd: none, low: none, high: none, holding: none, half: none },
    days: { t: sample.days.t, pnlUsd: allNaN(1), lessHoldingUsd: allNaN(1), fills: allNaN(1) },
    attributionUsd: { t, edge: none, inventory: none, costs: none, unreconciled: none },
    spreads: { bps: new Float64Array(0), days: new Float64Array(0), fills: new Float64Array(0) },
    splits: [{ name: 'bid', bps: NaN, fills: 0 }],
    hours: new Float64Array(0),
    law: null,
    drawdown: { t, usd: none },
    attribution: { t, terms: [{ name: 'spread capture', tzs: none }] },
    quotes: { t, mid: none, fair: none, bid: none, ask: none },
    fills: { ...sample.fills, price: allNaN(5), usd: allNaN(5), edgeBps: allNaN(5) },
    inventory: { t, usdShare: none, target: NaN },
    markouts: [{ horizon: '1 h', bps: NaN, ci90: null, fills: 0 }],
    competition: { t, ownBid: none, ownAsk: none, otherBid: none, otherAsk: none },
    uptime: { t: sample.uptime.t, bid: allNaN(1), ask: allNaN(1) },
    plots: [],
  }
}

/** Some measurements are missing, infinite or zero. */
function patchy(): ReportData {
  const sample = sampleReport({ points: 50, fills: 5, days: 2 })
  const holes = (values: Float64Array) =>
    values.map((value, i) => (i % 3 === 0 ? NaN : i % 7 === 0 ? Infinity : value))
  const { equity, quotes, markouts } = sample
  return {
    ...sample,
    equity: {
      ...equity,
      usd: holes(equity.usd).map((value, i) => (i === 1 ? 0 : value)),
      high: holes(equity.high),
    },
    quotes: { ...quotes, mid: holes(quotes.mid), ask: allNaN(50) },
    markouts: markouts.map((point, i) =>
      i === 1 ? { ...point, ci90: null } : i === 2 ? { ...point, bps: NaN } : point,
    ),
    inventory: { ...sample.inventory, target: NaN },
    uptime: { ...sample.uptime, ask: allNaN(2) },
  }
}

describe('the policy of the report', () => {
  const html = renderReport(sampleReport({ points: 100 }))
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []

  test('lets run exactly the script and the style that are in the file', () => {
    const hash = (text: string) => `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`
    const scripts = blocks(html, 'script').filter(({ attributes }) => !attributes.includes('octet-stream'))
    expect(scripts).toHaveLength(1)
    expect(policy).toContain(`script-src ${scripts.map(({ text }) => hash(text)).join(' ')};`)
    const styles = blocks(html, 'style')
    expect(styles).toHaveLength(1)
    expect(policy).toContain(`style-src ${styles.map(({ text }) => hash(text)).join(' ')};`)
  })

  test('forbids everything else and allows no inline code without a hash', () => {
    expect(policy).toMatch(/^default-src &#39;none&#39;;/)
    expect(policy).not.toMatch(/unsafe|https?:|\*|self|connect-src/)
  })

  test('comes before anything that it governs', () => {
    const at = html.indexOf('Content-Security-Policy')
    expect(at).toBeGreaterThan(0)
    expect(at).toBeLessThan(html.search(/<script|<style|<link|<title/))
  })

  test('has nothing to forbid: no address, no style attribute and no event attribute is in the file', () => {
    const markup = html.replaceAll(/<(script|style)[^]*?<\/\1>/g, '')
    expect(markup).not.toMatch(/\bsrc=|\bon\w+=|\bstyle=|url\(|@import/)
    expect([...markup.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual(['data:,'])
    const [style] = blocks(html, 'style')
    expect(style?.text).not.toMatch(/url\(|@import/)
  })
})

describe('the report', () => {
  test('is the same text for equal data', () => {
    const shape = { points: 500, fills: 100 }
    expect(renderReport(sampleReport(shape))).toBe(renderReport(sampleReport(shape)))
  })

  test('shows warnings first, then the headline, the charts in their order, and the tables', () => {
    const text = visibleText(renderReport(sampleReport({ points: 100 })))
    const order = [
      '2 warnings',
      '21 prints are few',
      'Edge per dollar traded',
      'Equity',
      'Drawdown',
      'PnL by its terms',
      'Quotes and fills',
      'Inventory in dollars',
      'Markouts with',
      'competition, bid',
      'competition, ask',
      'Uptime by day',
      'Parameters',
      'Data window',
    ].map((words) => text.indexOf(words))
    expect(order.every((at) => at > 0)).toBe(true)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  test('escapes every text that comes from outside', () => {
    const hostile = `</script><script>alert(1)</script><img src=x onerror="alert(2)">'&`
    const sample = sampleReport({ points: 50, fills: 5 })
    const html = renderReport({
      ...sample,
      title: hostile,
      warnings: [hostile],
      headline: [{ label: hostile, value: hostile, note: hostile }],
      tables: [{ title: hostile, head: [hostile, hostile], rows: [[hostile, hostile]] }],
      attribution: {
        ...sample.attribution,
        terms: sample.attribution.terms.map(({ tzs }) => ({ name: hostile, tzs })),
      },
      markouts: sample.markouts.map((point) => ({ ...point, horizon: hostile })),
    })
    const escaped =
      '&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;alert(2)&quot;&gt;&#39;&amp;'
    expect(html.split(escaped).length - 1).toBeGreaterThanOrEqual(12)
    expect(/<script>alert|<img/.test(html)).toBe(false)
    expect(blocks(html, 'script')).toHaveLength(2)
  })

  test.each([
    ['nothing', emptyReport],
    ['one day without a single measurement', unmeasured],
    ['holes, infinities and a start from zero', patchy],
    ['a month', () => sampleReport({ points: 300 })],
  ])('of %s shows no NaN, Infinity, undefined or null', (_name, make) => {
    expect(visibleText(renderReport(make()))).not.toMatch(/NaN|Infinity|∞|undefined|null|\[object/)
  })

  test.each([
    ['nothing', emptyReport],
    ['one day without a single measurement', unmeasured],
  ])('of %s has a sentence instead of each chart', (_name, make) => {
    const html = renderReport(make())
    expect(html.includes('class="plot')).toBe(false)
    const figures = html.split('<figure').slice(1)
    expect(figures).toHaveLength(16)
    for (const figure of figures) expect(figure).toMatch(/<p class="words">[A-Z][^<]{5,}\.<\/p>/)
  })

  test('draws each series that the strategy plots, with its name and its range', () => {
    const t = Float64Array.of(0, 1, 3)
    const plots = [
      { name: 'ema', t, values: Float64Array.of(2_500, 2_530, 2_520) },
      { name: 'score', t, values: Float64Array.of(0, 0.5, -0.25) },
    ]
    const html = renderReport({ ...sampleReport({ points: 50 }), plots })
    expect(html).toContain('data-chart="plot-a"')
    expect(html).toContain('<h2 id="plot-b-title">score')
    expect(visibleText(html)).toContain('2,520.0 on average, between 2,500.0 and 2,530.0, 2,520.0 at the end')
  })

  test('says how many fills it leaves out, counting those that were left out before', () => {
    const sample = sampleReport({ points: 50, fills: 30_000 })
    const text = visibleText(renderReport({ ...sample, fills: { ...sample.fills, leftOut: 5_000 } }))
    expect(text).toMatch(/[\d,]+ of 35,000 fills/)
    expect(visibleText(renderReport(sampleReport({ points: 50, fills: 50 })))).not.toContain('are drawn')
  })

  test('reads out for each chart the words that are shown beside it', () => {
    const html = renderReport(sampleReport({ points: 100 }))
    const words = [...html.matchAll(/<p class="words">([^<]*)<\/p>/g)].map(([, text = '']) => text)
    const labels = [...html.matchAll(/class="plot[^>]*role="img" aria-label="([^"]*)"/g)].map(
      ([, label = '']) => label,
    )
    expect(labels).toHaveLength(17)
    for (const label of labels) expect(words.some((text) => label.endsWith(text))).toBe(true)
  })

  test('refuses arrays of different lengths and times that go backwards: those are our own mistakes', () => {
    const sample = sampleReport({ points: 50, fills: 5 })
    const broken: readonly ReportData[] = [
      { ...sample, equity: { ...sample.equity, low: allNaN(49) } },
      { ...sample, quotes: { ...sample.quotes, t: sample.quotes.t.toReversed() } },
      { ...sample, fills: { ...sample.fills, t: allNaN(5) } },
      { ...sample, attribution: { ...sample.attribution, terms: [{ name: 'a', tzs: allNaN(1) }] } },
    ]
    for (const data of broken) expect(() => renderReport(data)).toThrow(InvariantError)
  })
})
