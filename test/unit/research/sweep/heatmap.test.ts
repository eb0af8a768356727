import { describe, expect, test } from 'vitest'
import { heatmapOf, heatmapSvg } from '../../../../src/research/sweep/ranking/heatmap.ts'
import { contestOf, rankVariants } from '../../../../src/research/sweep/ranking/rank-variants.ts'
import type { VariantChanges } from '../../../../src/research/sweep/variant.ts'
import { triedVariant } from './tried-variant.ts'

/** Variants that earn the same every day: their score is what they earn. */
function variantsOf(earning: readonly (readonly [VariantChanges, number])[]) {
  const tried = [
    triedVariant(0, [0, 0, 0]),
    ...earning.map(([changes, usd], index) => triedVariant(index + 1, [usd, usd, usd], 0, changes)),
  ]
  return rankVariants(contestOf(tried), { earlier: [], twins: new Set() }, 1).variants
}

const THREE = [10, 20].flatMap((a) =>
  ['x', 'y'].flatMap((b) => [1, 2, 3].map((c) => [{ a, b, c }, a + (b === 'y' ? 100 : 0) + c / 10] as const)),
)

describe('the heatmap', () => {
  test('is over the two keys that matter most, the others at their best', () => {
    expect(heatmapOf(variantsOf(THREE), [])).toMatchObject({
      rows: { path: 'b', levels: ['x', 'y'] },
      columns: { path: 'a', levels: ['10', '20'] },
      cells: [
        [{ score: 10.3 }, { score: 20.3 }],
        [{ score: 110.3 }, { score: 120.3 }],
      ],
    })
  })

  test('has the unchanged configuration where it is a point of the grid', () => {
    const tried = [triedVariant(0, [5, 5, 5], 0, { a: 1 }), triedVariant(1, [7, 7, 7], 0, { a: 2 })]
    const { variants } = rankVariants(contestOf(tried), { earlier: [], twins: new Set() }, 1)
    expect(heatmapOf(variants, [])?.cells).toEqual([
      [
        { variant: 0, score: 5 },
        { variant: 1, score: 7 },
      ],
    ])
  })

  test('is over the keys that were chosen', () => {
    expect(heatmapOf(variantsOf(THREE), ['c'])).toMatchObject({ rows: { path: 'c' }, columns: { path: 'b' } })
    expect(heatmapOf(variantsOf(THREE), ['a', 'c'])).toMatchObject({
      rows: { path: 'a' },
      columns: { path: 'c', levels: ['1', '2', '3'] },
    })
  })

  test('has one row where one key varies, and is not there where nothing does', () => {
    const one = variantsOf([
      [{ a: 2 }, 5],
      [{ a: 1 }, 3],
    ])
    expect(heatmapOf(one, [])).toEqual({
      rows: null,
      columns: { path: 'a', levels: ['1', '2'] },
      cells: [
        [
          { variant: 2, score: 3 },
          { variant: 1, score: 5 },
        ],
      ],
    })
    expect(heatmapOf(variantsOf([]), [])).toBeNull()
    expect(heatmapOf(variantsOf([[{ a: 1 }, 5]]), [])).toBeNull()
  })

  test('cuts many drawn numbers into ranges, each variant in one of them, and leaves a hole where none fell', () => {
    const drawn = Array.from({ length: 40 }, (_, i) => [{ a: i < 20 ? i : 100 + i }, i] as const)
    const map = heatmapOf(variantsOf(drawn), [])
    expect(map?.columns.levels).toHaveLength(10)
    expect(map?.columns.levels[0]).toBe('0..13.9')
    expect(map?.cells[0]?.filter((cell) => cell !== null).map(({ score }) => score)).toEqual([13, 19, 25, 39])
  })

  test('is an SVG file that needs nothing else, frames the best and escapes what it is given', () => {
    const svg = heatmapSvg(
      heatmapOf(
        variantsOf([
          [{ 'strategy.use': '<b>&"', 'strategy.params.a': 1 }, 1],
          [{ 'strategy.use': 'plain', 'strategy.params.a': 2 }, 2.346],
        ]),
        [],
      ) ?? { rows: null, columns: { path: '', levels: [] }, cells: [] },
    )
    expect(svg).toContain('&lt;b&gt;&amp;&quot;')
    expect(svg).not.toContain('<b>')
    expect(svg.match(/class="best"/g)).toHaveLength(1)
    expect(svg.match(/class="none"/g)).toHaveLength(2)
    expect(svg).toContain('>2.35<')
    expect(svg).not.toMatch(/href|url\(|<script|NaN/)
  })
})
