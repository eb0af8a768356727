// npm run docs: builds the documentation as static pages in site/, which open from the disk or from any web server.
// Ends with exit code 1, and names them, where links are dead.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import { renderSite } from './site-pages.ts'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'site')

const { pages, copies, parts, deadLinks } = renderSite(ROOT)
rmSync(OUT, { recursive: true, force: true })
for (const [path, html] of pages) write(path, html)
for (const [path, from] of copies) copy(join(ROOT, from), path)
for (const asset of ['page.css', 'page.js']) copy(join(import.meta.dirname, 'site', asset), `assets/${asset}`)
copy(fileURLToPath(new URL('../umd/index.js', import.meta.resolve('minisearch'))), 'assets/minisearch.js')

const search = new MiniSearch({
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'excerpt', 'href'],
})
search.addAll(parts.map((part) => ({ ...part, excerpt: part.text.slice(0, 160) })))
// A script, because a browser does not fetch JSON from the disk.
write('assets/search-index.js', `globalThis.searchIndex = ${JSON.stringify(JSON.stringify(search))}\n`)

for (const link of deadLinks) console.error(`dead link in ${link}`)
console.log(`${pages.size} pages in site/; open site/index.html`)
if (deadLinks.length > 0) process.exitCode = 1

function write(path: string, text: string): void {
  mkdirSync(dirname(join(OUT, path)), { recursive: true })
  writeFileSync(join(OUT, path), text)
}

function copy(from: string, path: string): void {
  mkdirSync(dirname(join(OUT, path)), { recursive: true })
  copyFileSync(from, join(OUT, path))
}
