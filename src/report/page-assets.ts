import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The texts that every report has in it. */
export type PageAssets = { readonly chartScript: string; readonly pageScript: string; readonly style: string }

/** In the order in which they are joined: what runs at once comes last. Also what the bundle takes along. */
export const PAGE_SCRIPTS = [
  'unpack.js',
  'number-text.js',
  'time-text.js',
  'colours.js',
  'frame.js',
  'readout.js',
  'zoom.js',
  'markers.js',
  'time-chart.js',
  'days-chart.js',
  'points-chart.js',
  'keys.js',
  'paper.js',
  'main.js',
]
export const PAGE_STYLES = ['colours.css', 'layout.css', 'figures.css', 'paper.css']

let cached: PageAssets | null = null

/**
 * Reads the page's files once. They are plain browser modules: joined in a fixed order, with their imports
 * of one another and the word `export` taken out, they are one module, so nothing must be bundled before a
 * report can be written. In the bundle of the image they lie in report-page/ beside it (scripts/build.mjs).
 */
export function pageAssets(): PageAssets {
  return (cached ??= readAssets())
}

function readAssets(): PageAssets {
  const fromSource = import.meta.url.endsWith('.ts')
  const page = new URL(fromSource ? './page/' : './report-page/', import.meta.url)
  const read = (name: string) => readFileSync(new URL(name, page), 'utf8')
  const require = createRequire(import.meta.url)
  const readChart = (name: string) =>
    fromSource ? readFileSync(require.resolve(`uplot/${name}`), 'utf8') : read(name.replace('dist/', ''))
  return {
    chartScript: `/*\n${readChart('LICENSE').trim()}\n*/\n${readChart('dist/uPlot.iife.min.js').trim()}\n`,
    pageScript: PAGE_SCRIPTS.map((name) => withoutModuleWords(read(name))).join('\n'),
    style: [readChart('dist/uPlot.min.css').trim(), ...PAGE_STYLES.map(read)].join('\n'),
  }
}

function withoutModuleWords(text: string): string {
  return text.replaceAll(/^import [^;]*? from '[^']*'\n/gm, '').replaceAll(/^export /gm, '')
}
