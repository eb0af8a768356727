import { describe, expect, test } from 'vitest'
import { type HeatCell, renderHeatTable } from '../../../../src/research/report/heat-table.ts'
import { pageAssets } from '../../../../src/research/report/page-assets.ts'

const heat = (cells: readonly HeatCell[], name = 'row') =>
  renderHeatTable({
    title: 'Heat',
    words: 'Words.',
    corner: 'Corner',
    columns: cells.map((_, i) => `c${i}`),
    rows: [{ name, cells }],
  }).html
const cell = (share: number, isBest = false): HeatCell => ({ text: '1', note: 'n', share, isBest })

describe('a coloured table', () => {
  test('colours by class, blue above zero and red below, and what is beyond is full', () => {
    const html = heat([cell(0), cell(0.5), cell(-0.5), cell(7), cell(-7), cell(Number.NaN), null])
    const classes = [...html.matchAll(/<td(?: class="([^"]*)")?>/g)].map(([, name = 'empty']) => name)
    expect(classes).toEqual(['', 'earn-4', 'lose-4', 'earn-8', 'lose-8', '', 'empty'])
    expect(html).toContain('<td>–</td>')
  })

  test('names only classes that the style sheet has, without a style attribute', () => {
    const html = heat(Array.from({ length: 17 }, (_, i) => cell((i - 8) / 8, i === 0)))
    const { style } = pageAssets()
    const names = [...html.matchAll(/class="((?:earn|lose)-\d|best)(?: best)?"/g)].map(
      ([, name = '']) => name,
    )
    expect(new Set(names).size).toBe(16)
    for (const name of names) expect(style).toContain(`.heat td.${name}`)
    expect(html).not.toContain('style=')
  })

  test('escapes every name and figure', () => {
    const hostile = '<script>alert(1)</script>'
    const html = heat([{ text: hostile, note: hostile, share: 0, isBest: false }], hostile)
    expect(html).not.toContain('<script>')
    expect(html.match(/&lt;script&gt;/g)).toHaveLength(3)
  })

  test('of nothing is a sentence', () => {
    const empty = renderHeatTable({ title: 'Heat', words: '', corner: '', columns: [], rows: [] })
    expect(empty.html).toContain('Nothing to show.')
  })
})
