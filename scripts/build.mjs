import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { bundleStrategy, readSources } from '../src/daemon/confinement/bundle-strategy.ts'
import { buildKit } from '../src/daemon/confinement/kit-script.ts'
import { shipScript } from '../src/daemon/confinement/script-cache.ts'
import { pageFiles } from '../src/daemon/console/page-routes.ts'
import { bundlePage, PAGE_SCRIPT, PAGE_STYLE } from '../src/research/report/page-assets.ts'
import { billOfMaterials } from './sbom.mjs'

// `npm run build [-- --out DIR] [--no-maps] [--library]`: bundles the daemon for an image that has no node_modules, and with
// --library what the npm package exports.
//
// Source maps are two thirds of all bytes and read by no one while the daemon runs, so the image goes without. The
// same commit gives the same bundle again: who has a stack trace to decode builds it with maps.
//
// Everything that one file finds beside itself at run time (workers, the kit's script) lies flat in one folder,
// so that './journal-worker' means the same for the bundle as for the source. What two entry points share is split
// into chunks. The kit that strategies get is a script with a zod of its own, and the one package beside the bundle
// is esbuild, which makes a script of a strategy's file when it is loaded.

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  allowNegative: true,
  options: {
    out: { type: 'string', default: join(root, 'dist') },
    maps: { type: 'boolean', default: true },
    library: { type: 'boolean', default: false },
  },
})
const out = resolve(values.out)

const workers = globSync('src/**/*-worker.ts', { cwd: root }).sort()
const entryPoints = { mizani: 'src/main.ts', ...(values.library ? { index: 'src/index.ts' } : {}) }
for (const worker of workers) {
  const name = basename(worker, '.ts')
  if (name in entryPoints) throw new Error(`two workers are called ${name}: they would overwrite each other`)
  entryPoints[name] = worker
}

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  sourcemap: values.maps,
  minify: false,
  metafile: true,
  logLevel: 'warning',
}

await rm(out, { recursive: true, force: true })
const program = await build({
  ...common,
  entryPoints,
  outdir: out,
  splitting: true,
  external: ['esbuild'],
  chunkNames: '[name]-[hash]',
  // Dependencies in CommonJS ask for Node's own modules with require, which an ES module does not have. The long name
  // is no minified dependency's own: @clack/prompts in a chunk of its own has an `r`.
  banner: {
    js: "import{createRequire as createRequireOfChunk}from'node:module';const require=createRequireOfChunk(import.meta.url);",
  },
})
const strategies = await build({
  ...common,
  entryPoints: globSync('strategies/*.ts', { cwd: root }).sort(),
  outdir: join(out, 'strategies'),
  external: ['#kit'],
})

// So that a start with one of these strategies needs no bundler, which is a process of its own in two threads.
for (const file of globSync(join(out, 'strategies/*.js')).sort()) {
  const sources = readSources(file)
  const script = sources.ok ? await bundleStrategy(file, sources.value) : sources
  if (!script.ok) throw new Error(`${file}: ${script.error}`)
  shipScript(out, { kind: 'strategy', entry: basename(file), sources: sources.value }, script.value)
}

// The way in of the npm package, which runs on any Node.
const launcher = await readFile(join(root, 'src/launch.mjs'), 'utf8')
await writeFile(join(out, 'launch.mjs'), launcher.replace("'./main.ts'", "'./mizani.js'"))

await writeFile(join(out, 'kit-script.js'), await buildKit())
for (const [name, files] of [
  ['esbuild', ['package.json', 'LICENSE.md', 'lib/main.js']],
  [`@esbuild/${process.platform}-${process.arch}`, ['package.json', 'bin/esbuild']],
]) {
  for (const file of files)
    await cp(join(root, 'node_modules', name, file), join(out, 'node_modules', name, file))
}

// What `mizani start` makes its market from.
await cp(join(root, 'config/sandbox.yaml'), join(out, 'config/sandbox.yaml'))
await cp(join(root, 'config/calendar'), join(out, 'config/calendar'), { recursive: true })

// What a tournament plays by default.
await cp(join(root, 'config/tournament.yaml'), join(out, 'config/tournament.yaml'))
await cp(join(root, 'config/scenarios'), join(out, 'config/scenarios'), { recursive: true })

// What an assistant reads.
for (const page of globSync('docs/*.md', { cwd: root })) await cp(join(root, page), join(out, page))

// What a report is made of, as a checkout bundles it in memory.
const reportPage = join(out, 'report-page')
await mkdir(reportPage)
const report = bundlePage()
await writeFile(join(reportPage, PAGE_SCRIPT), report.script)
await writeFile(join(reportPage, PAGE_STYLE), report.style)

// The console's page, as a checkout makes it in memory.
const consolePage = join(out, 'console-page')
await mkdir(consolePage)
for (const [name, { body }] of await pageFiles()) await writeFile(join(consolePage, name), body)
await cp(join(root, 'node_modules/preact/LICENSE'), join(consolePage, 'LICENSE-preact'))

const { name, version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const manifest = { name, version, license, private: true, type: 'module' }
await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

// The kit and the two pages, whose own bundlers above do not return what they read.
const others = await build({
  ...common,
  entryPoints: ['src/core/strategy/kit.ts', ...globSync('src/**/page/main.{ts,tsx}', { cwd: root })],
  outdir: out,
  write: false,
  jsx: 'automatic',
  jsxImportSource: 'preact',
})
const inputs = [program, strategies, others].flatMap(({ metafile }) => Object.keys(metafile.inputs))

const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
const beside = ['esbuild', `@esbuild/${process.platform}-${process.arch}`].map(
  (each) => `node_modules/${each}/`,
)
const bill = billOfMaterials(
  { name, version, license },
  { lock, files: [...inputs, ...beside], nodeVersion: process.versions.node },
)
await writeFile(join(out, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)

// Names and contents, without dates: anyone who builds the same commit with the same Node compares this line.
const hash = createHash('sha256')
for (const path of readdirSync(out, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!statSync(join(out, path)).isFile()) continue
  hash.update(`${path}\0`).update(
    createHash('sha256')
      .update(readFileSync(join(out, path)))
      .digest(),
  )
}
console.log(`bundle sha256 ${hash.digest('hex')}`)
