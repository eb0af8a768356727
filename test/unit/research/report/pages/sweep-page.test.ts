import { describe, expect, test } from 'vitest'
import { sweepPage } from '../../../../../src/research/report/pages/sweep-page.ts'
import { numberVariants } from '../../../../../src/research/sweep/variant.ts'
import { parseGrid } from '../../../../../src/research/sweep/grid.ts'
import { sweepResult } from '../../../../../src/research/sweep/results/sweep-result.ts'
import { fakeManifest } from '../../sweep/fake-sweep.ts'
import { triedVariant } from '../../sweep/tried-variant.ts'

const text = (html: string) =>
  html
    .slice(html.indexOf('<body>'))
    .replaceAll(/<script[^]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ')

/** The better the variant, the higher its number; days differ so that there is an interval. */
function resultOf(grid: string, days = 40) {
  const manifest = fakeManifest(grid)
  const results = manifest.variants.map(
    ({ index }) =>
      triedVariant(
        index,
        Array.from({ length: days }, (_, day) => index + ((day * 7) % 5) - 2),
      ).result,
  )
  return sweepResult(manifest, results, [], { splits: 4, heatmap: [] })
}

describe('the page of a sweep', () => {
  const result = resultOf('{"halfSpreadBps":[40,60,80],"maxSkewBps":[0,40]}')
  const html = sweepPage(result)
  const best = result.ranking.variants[0]

  test('leads with the best variant by its lower bound, and with what luck alone would show', () => {
    expect(best?.variant).toBe(6)
    expect(text(html)).toContain('halfSpreadBps=80 maxSkewBps=40; mean +6.00')
    expect(text(html)).toContain('expected luck of all trials')
  })

  test('has ranking, scatter and walk-forward as charts, and the heatmap with one framed cell', () => {
    const charts = [...html.matchAll(/<figure[^>]*data-chart="([^"]*)"/g)].map(([, id]) => id)
    expect(charts).toEqual(['ranking', 'scatter', 'walk-forward'])
    expect(html.match(/<td class="[^"]*best"/g)).toHaveLength(1)
    expect(text(html)).toContain('halfSpreadBps / maxSkewBps.')
  })

  test('lists the variants in a table, at most 200 of them', () => {
    expect(text(html)).toContain('All variants')
    const values = JSON.stringify(Array.from({ length: 260 }, (_, i) => i))
    const many = sweepPage(resultOf(`{"halfSpreadBps":${values}}`, 6))
    expect(text(many)).toContain('first 200 of 261 variants')
    expect(many.length).toBeLessThan(2_000_000)
  })

  test('of few days has no walk-forward and no NaN', () => {
    const short = sweepPage(resultOf('{"halfSpreadBps":[40,60]}', 2))
    expect(short).not.toContain('data-chart="walk-forward"')
    expect(text(short)).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('escapes keys and values that come from the grid', () => {
    const hostile = '<img src=x onerror=alert(1)>'
    const grid = parseGrid(JSON.stringify({ [hostile]: [hostile, 'other'] }))
    if (!grid.ok) throw new Error(grid.error)
    const manifest = fakeManifest(undefined, { variants: numberVariants(grid.value) })
    const results = manifest.variants.map(({ index }) => triedVariant(index, [1, 2, 3, 4, 5, index]).result)
    const page = sweepPage(sweepResult(manifest, results, [], { splits: 2, heatmap: [] }))
    expect(page).not.toContain('<img')
    expect(page).toContain('&lt;img')
  })
})
