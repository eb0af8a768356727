import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The texts embedded in every report. */
type PageAssets = { readonly script: string; readonly style: string }

/** Files in report-page/ next to the image's bundle, written by `bundlePage` (scripts/build.mjs). */
export const PAGE_SCRIPT = 'page.js'
export const PAGE_STYLE = 'page.css'

/** In the order in which they apply. */
const STYLES = ['colours.css', 'layout.css', 'figures.css', 'heat.css', 'paper.css']

/** The part of esbuild that is used; a checkout has it installed. */
type Bundler = {
  readonly buildSync: (options: object) => { readonly outputFiles: readonly { readonly text: string }[] }
}

let cached: PageAssets | null = null

/** Reads the page's assets once: next to the bundle of the image, or bundled in memory in a checkout. */
export function pageAssets(): PageAssets {
  return (cached ??= import.meta.url.endsWith('.ts') ? bundlePage() : readBuilt())
}

function readBuilt(): PageAssets {
  const read = (name: string) => readFileSync(new URL(`./report-page/${name}`, import.meta.url), 'utf8')
  return { script: read(PAGE_SCRIPT), style: read(PAGE_STYLE) }
}

/** Bundles the page from its sources, with uPlot and its licence. Throws if esbuild is not installed. */
export function bundlePage(): PageAssets {
  const require = createRequire(import.meta.url)
  const readPackage = (name: string) => readFileSync(require.resolve(`uplot/${name}`), 'utf8').trim()
  const page = new URL('./page/', import.meta.url)
  const esbuild = require('esbuild') as Bundler
  const [bundled] = esbuild.buildSync({
    entryPoints: [new URL('main.ts', page).pathname],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
    banner: { js: `/*\n${readPackage('LICENSE')}\n*/` },
  }).outputFiles
  return {
    script: bundled?.text ?? '',
    style: [
      readPackage('dist/uPlot.min.css'),
      ...STYLES.map((name) => readFileSync(new URL(name, page), 'utf8')),
    ].join('\n'),
  }
}
