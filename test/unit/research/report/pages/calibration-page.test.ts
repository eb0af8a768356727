import { describe, expect, test } from 'vitest'
import { calibrationPage } from '../../../../../src/research/report/pages/calibration-page.ts'
import type { Calibration, Intensity } from '../../../../../src/core/models/calibration.ts'
import { intensitySample } from '../../../../../src/research/models/intensity-sample.ts'

const law: Intensity = {
  a: { value: 40, low: 30, high: 53 },
  k: { value: 1 / 60, low: 1 / 80, high: 1 / 48 },
  fills: 390,
  exposureDays: 30,
  method: 'likelihood',
  overdispersion: 1,
}
const sample = intensitySample(
  [40, 60, 80].map((bps) => ({ bps, days: 10, weight: 1 })),
  [
    { bps: 40, count: 200 },
    { bps: 60, count: 190 },
  ],
)
const samples = { both: sample, bid: sample, ask: sample }
const calibration: Calibration = {
  version: 1,
  from: Date.UTC(2026, 10, 2),
  to: Date.UTC(2026, 11, 2),
  fills: 390,
  prints: 21,
  both: law,
  bid: law,
  ask: null,
  sigma: { value: 21.3, low: 18, high: 25 },
  markouts: [{ horizon: '1 h', bps: { value: 3, low: 1, high: 5 }, fills: 300, prints: 20 }],
  sizesUsd: Array.from({ length: 19 }, (_, i) => 10 * (i + 1)),
  warnings: ['<b>few</b>'],
}
const text = (html: string) =>
  html
    .slice(html.indexOf('<body>'))
    .replaceAll(/<script[^]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ')

describe('the page of a calibration', () => {
  const html = calibrationPage(calibration, samples)

  test('leads with 1/k and A with their intervals and the method', () => {
    expect(text(html)).toMatch(/60\.00 bps 90 % CI 48\.00 to 80\.00; maximum/)
    expect(text(html)).toMatch(/40\.00 90 % CI 30\.00 to 53\.00/)
  })

  test('draws both sides, and each side that has an estimate of its own', () => {
    const charts = [...html.matchAll(/<figure[^>]*data-chart="([^"]*)"/g)].map(([, id]) => id)
    expect(charts).toEqual(['both', 'bid', 'markouts', 'sizes'])
  })

  test('has the observed fills a day beside the expected ones in a table', () => {
    expect(text(html)).toMatch(/40 10\.00 200 20\.0 17\.7 22\.5 20\.5/)
  })

  test('escapes its warnings', () => {
    expect(html).toContain('&lt;b&gt;few&lt;/b&gt;')
  })

  test('of an empty tape states that nothing was measured', () => {
    const none = intensitySample([], [])
    const prior: Intensity = { ...law, fills: 0, exposureDays: 0, method: 'default' }
    const empty = calibrationPage(
      {
        ...calibration,
        from: 0,
        to: 0,
        fills: 0,
        prints: 0,
        both: prior,
        bid: null,
        sigma: null,
        markouts: [],
        sizesUsd: [],
      },
      { both: none, bid: none, ask: none },
    )
    expect(text(empty)).toContain('without rows')
    expect(text(empty)).toContain('prior, not measured')
    expect(text(empty)).toContain('No half-spread was')
    expect(text(empty)).not.toMatch(/NaN|Infinity|undefined/)
  })
})
