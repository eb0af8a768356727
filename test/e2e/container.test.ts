import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProbeAnswer, ProbeOrder } from '../../src/daemon/config/strategy/probe-strategy.ts'
import { until } from './daemon/until.ts'

// What the image runs, without an engine to run images: the bundle, in a folder of its own far from any
// node_modules, as a process of its own.

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'container-'))
const dist = join(folder, 'app', 'dist')
const run = promisify(execFile)
const children: ChildProcess[] = []
/** What each of two builds said of its bundle. */
const digests: string[] = []

beforeAll(async () => {
  // From nothing but what .dockerignore lets in, so that the image's build cannot miss a file.
  const context = join(folder, 'context')
  const letIn = readFileSync(join(root, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm)
  for (const [, path = ''] of letIn) {
    mkdirSync(dirname(join(context, path)), { recursive: true })
    cpSync(join(root, path), join(context, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(context, 'node_modules'))
  const built = await run(process.execPath, [join(context, 'scripts/build.mjs'), '--out', dist])
  const again = await run(process.execPath, [
    join(context, 'scripts/build.mjs'),
    '--out',
    join(folder, 'app', 'again'),
  ])
  digests.push(...[built, again].map(({ stdout }) => stdout.trim()))
  rmSync(context, { recursive: true })
})

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

function mizani(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [join(dist, 'mizani.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

/** What the bundle's own worker says of a strategy. */
async function probed(use: string, params: object): Promise<ProbeAnswer> {
  const options = { folder: join(dist, 'strategies'), baseFolder: folder }
  const order: ProbeOrder = { wish: { use, params }, options, asks: true }
  const worker = new Worker(join(dist, 'probe-worker.js'), { execArgv: [] })
  worker.postMessage(order)
  const [answer] = (await once(worker, 'message')) as [ProbeAnswer]
  await worker.terminate()
  return answer
}

/** The first line of standard output that matches, and every line so far and to come. */
async function lineOf(
  child: ChildProcess,
  pattern: RegExp,
): Promise<{ match: RegExpExecArray; lines: string[] }> {
  const lines: string[] = []
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  if (child.stdout === null) throw new Error('no standard output')
  const reader = createInterface({ input: child.stdout })
  return new Promise((resolve, reject) => {
    reader.on('line', (line) => {
      lines.push(line)
      const match = pattern.exec(line)
      if (match !== null) resolve({ match, lines })
    })
    reader.on('close', () => reject(new Error(`ended without ${pattern}: ${lines.join('\n')}\n${errors}`)))
  })
}

function filesBelow(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
}

describe('the bundle of the image', () => {
  test('is the same, byte for byte, for two builds of one commit', () => {
    expect(digests[0]).toMatch(/^bundle sha256 [0-9a-f]{64}$/)
    expect(digests[1]).toBe(digests[0])
    const again = join(folder, 'app', 'again')
    expect(filesBelow(again)).toEqual(filesBelow(dist))
    const differs = filesBelow(dist).filter(
      (path) =>
        statSync(join(dist, path)).isFile() &&
        !readFileSync(join(dist, path)).equals(readFileSync(join(again, path))),
    )
    expect(differs).toEqual([])
  })

  test('lists every package that it is made of, with the digest npm checks', () => {
    const bill = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8')) as {
      readonly bomFormat: string
      readonly components: readonly {
        readonly name: string
        readonly version: string
        readonly hashes?: unknown
      }[]
    }
    expect(bill.bomFormat).toBe('CycloneDX')
    // esbuild names each file that it bundles in a comment; the pages are minified.
    const scripts = filesBelow(dist).filter((path) => path.endsWith('.js'))
    const comment = /^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm
    const bundled = scripts.flatMap((path) =>
      [...readFileSync(join(dist, path), 'utf8').matchAll(comment)].map(([, name]) => name),
    )
    expect(bundled).toContain('viem')
    for (const name of new Set([...bundled, 'esbuild', 'preact', 'uplot'])) {
      expect(bill.components.find((one) => one.name === name)).toMatchObject({
        name,
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      })
    }
    const names = bill.components.map(({ name }) => name)
    expect(names).toContain('node')
    expect(names).not.toContain('vitest')
  })

  test('stands on bases that a digest names', () => {
    const bases = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^ARG \w*BASE=(.*)$/gm)]
    expect(bases).toHaveLength(2)
    for (const [, base] of bases) expect(base).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
  })

  test('runs without node_modules and says its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    const { stdout, stderr } = await run(process.execPath, [join(dist, 'mizani.js'), '--version'], {
      cwd: folder,
    })
    expect([stdout.trim(), stderr]).toEqual([version, ''])
  })

  test('lies flat, with every worker and the script of the kit beside it', () => {
    const files = filesBelow(dist)
    expect(files).toEqual(
      expect.arrayContaining([
        'mizani.js',
        'kit-script.js',
        'package.json',
        'config/sandbox.yaml',
        'config/tournament.yaml',
        'docs/runbook.md',
        'strategies/inventory-skew.js',
      ]),
    )
    const workers = filesBelow(join(root, 'src')).filter((path) => path.endsWith('-worker.ts'))
    expect(workers.length).toBeGreaterThan(2)
    for (const path of workers) {
      const name = path.slice(path.lastIndexOf('/') + 1).replace('.ts', '.js')
      expect(files).toContain(name)
    }
  })

  test('holds two copies of zod, of which the kit that strategies get has one for itself', () => {
    const copies = filesBelow(dist).filter(
      (file) => file.endsWith('.js') && readFileSync(join(dist, file), 'utf8').includes('ZodString='),
    )
    expect(copies).toEqual(['kit-script.js'])
  })

  test('has the one package that makes a script of a strategy, and no other', () => {
    const packages = filesBelow(join(dist, 'node_modules')).filter((path) => path.endsWith('package.json'))
    expect(packages).toEqual([expect.stringContaining('@esbuild/'), 'esbuild/package.json'])
  })

  test.each([
    ['fixed-spread', { bidBps: 40, askBps: 60 }],
    ['inventory-skew', { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 }],
  ])(
    'loads the strategy %s in its own worker, with the kit found and without the bundler',
    async (use, params) => {
      const bundler = join(dist, 'node_modules')
      const away = join(folder, 'bundler')
      renameSync(bundler, away)
      try {
        expect(await probed(use, params)).toMatchObject({ ok: true, value: { params } })
      } finally {
        renameSync(away, bundler)
      }
    },
  )

  test("bundles a strategy of the user's own, also one that is called like a shipped one", async () => {
    const shipped = readFileSync(join(dist, 'strategies/fixed-spread.js'), 'utf8')
    const own = join(folder, 'fixed-spread.js')
    writeFileSync(own, shipped.replaceAll('askBps', 'offerBps'))
    const answer = await probed('./fixed-spread.js', { bidBps: 40, askBps: 60 })
    rmSync(own)
    expect(answer).toMatchObject({ ok: false })
    expect(JSON.stringify(answer)).toContain('offerBps')
  })

  test('makes a market, writes nowhere but to its store, and ends within 10 s of SIGTERM', async () => {
    const key = 'mm_test_container'
    const venue = mizani(['sandbox', '--port', '0', '--seed', '7', '--speed', '60', '--api-key', key])
    const venueUrl = (await lineOf(venue, /^listening (http:\/\/127\.0\.0\.1:\d+)$/)).match[1] ?? ''
    const config = join(folder, 'live.yaml')
    writeFileSync(
      config,
      `name: contained
venue: { baseUrl: '${venueUrl}', publicUrl: '${venueUrl}', apiKey: !env MIZANI_API_KEY }
strategy: { use: fixed-spread, params: { bidBps: 60, askBps: 60 } }
risk: { priceCorridor: { min: '1000', max: '10000' } }
store: { path: ./data }
http: { host: 127.0.0.1, port: 0 }
`,
    )
    const before = filesBelow(dist)
    const daemon = mizani(['run', '--config', config], { MIZANI_API_KEY: key })
    const { match, lines } = await lineOf(daemon, /"url":"(http:\/\/[^"]+)"/)
    const url = match[1] ?? ''
    await until('the daemon is ready', async () => (await fetch(`${url}/readyz`)).status === 200)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    // Ready is a daemon that knows what the venue quotes, which need not be what it wants yet.
    const metrics = async () => (await fetch(`${url}/metrics`)).text()
    await until(
      'the metrics show the confirmed quote',
      async () => (await metrics()).includes('mizani_quote_bps{side="bid",position="contained"} 60'),
      { otherwise: metrics },
    )
    const began = performance.now()
    daemon.kill('SIGTERM')
    const [code] = (await once(daemon, 'exit')) as [number | null]
    expect(code).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(lines.join('\n')).not.toContain(key)
    expect(filesBelow(dist)).toEqual(before)
    expect(readdirSync(folder).sort()).toEqual(['app', 'data', 'live.yaml'])
  })
})
