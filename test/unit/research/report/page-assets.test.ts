import { readdirSync, readFileSync } from 'node:fs'
import { parseAst } from 'vitest/node'
import { describe, expect, test } from 'vitest'
import { pageAssets } from '../../../../src/research/report/page-assets.ts'

const page = new URL('../../../../src/research/report/page/', import.meta.url)

describe('what every report has in it', () => {
  const { script, style } = pageAssets()

  test('is one script without imports: the page and uPlot', () => {
    const program = parseAst(script, { lang: 'js', sourceType: 'module' }, 'page.js')
    const kinds = program.body.map(({ type }) => type)
    expect(kinds.length).toBeGreaterThan(0)
    expect(kinds.filter((kind) => /^(Import|Export)/.test(kind))).toEqual([])
    expect(script).not.toMatch(/\bimport\(/)
  })

  test('has every style sheet of the page', () => {
    for (const name of readdirSync(page).filter((file) => file.endsWith('.css'))) {
      expect(style).toContain(readFileSync(new URL(name, page), 'utf8'))
    }
  })

  test('cannot end the element that it stands in', () => {
    expect(script).not.toMatch(/<\/script|<!--|<script/i)
    expect(style).not.toMatch(/<\/style|<!--/i)
  })

  test("carries uPlot's licence along with uPlot", () => {
    expect(script).toContain('The MIT License')
    expect(script).toContain('Copyright (c)')
    expect(script.indexOf('*/')).toBeLessThan(script.indexOf('uplot'))
  })
})

describe('the colours', () => {
  const text = readFileSync(new URL('colours.css', page), 'utf8')
  const [light = '', dark = ''] = text.split('@media')
  const coloursOf = (part: string) =>
    Object.fromEntries(
      [...part.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [name, hex]),
    )
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  /** WCAG 2.2, contrast ratio. */
  const contrast = (a = '', b = '') => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }

  test.each([
    ['light', coloursOf(light)],
    ['dark', coloursOf(dark)],
  ])('of the %s page are readable: text 4.5:1, lines 3:1 (WCAG AA)', (_name, colours) => {
    const { ground, raised, ink, quiet, accent, alert, 'alert-ground': alertGround } = colours
    for (const [text, on] of [
      [ink, ground],
      [quiet, ground],
      [ink, raised],
      [quiet, raised],
      [accent, ground],
      [accent, raised],
      [alert, alertGround],
      [ink, alertGround],
    ]) {
      expect(contrast(text, on)).toBeGreaterThanOrEqual(4.5)
    }
    for (const line of ['blue', 'red', 'green', 'purple', 'ochre', 'sky', 'pink', 'grey']) {
      expect(contrast(colours[line], ground)).toBeGreaterThanOrEqual(3)
    }
  })

  test('have the same names in the light and in the dark', () => {
    expect(Object.keys(coloursOf(dark))).toEqual(Object.keys(coloursOf(light)))
  })
})
