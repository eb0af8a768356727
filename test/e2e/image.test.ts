import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildImage, type BuiltImage } from '../support/image/build-image.ts'
import { imageSurroundings } from '../support/image/buildah.ts'
import { contain, type Contained, type ContainOptions } from '../support/image/contain.ts'
import { freePort } from '../support/free-port.ts'
import { needs } from '../support/needs.ts'
import { until } from './daemon/until.ts'

// The image itself: built by the Dockerfile's every instruction, and run as compose.yaml has it run.

const MB = 1_000_000
const KEY = 'mm_test_image'
const TOKEN = 'a-token-of-this-test-and-long'
const checkout = fileURLToPath(new URL('../../', import.meta.url))

describe.skipIf(needs('buildah', imageSurroundings()) || needs('ssh-keygen') || needs('openssl'))(
  'the image',
  () => {
    let image: BuiltImage
    const folder = mkdtempSync(join(tmpdir(), 'mizani-contained-'))
    const running: Contained[] = []

    beforeAll(async () => {
      image = await buildImage()
      return image.remove
    }, 180_000)

    afterAll(async () => {
      for (const one of running) {
        await one.signal('SIGKILL').catch(() => {})
        await one.exited
      }
    })

    function start(command: readonly string[], options: ContainOptions = {}): Contained {
      const contained = contain(image, command, options)
      running.push(contained)
      void contained.exited.then(() => running.splice(running.indexOf(contained), 1))
      return contained
    }

    const mizani = (words: readonly string[], options?: ContainOptions): Contained =>
      start([...image.config.Entrypoint, ...words], options)

    async function matched(contained: Contained, pattern: RegExp): Promise<string> {
      const [, group = ''] = await until(`a line like ${pattern}`, () => pattern.exec(contained.output()), {
        otherwise: contained.output,
      })
      return group
    }

    /** The venue in a box, from the same image. */
    async function openVenue(): Promise<{
      readonly url: string
      readonly end: () => Promise<number | null>
    }> {
      const venue = mizani(['sandbox', '--port', '0', '--speed', '60', '--api-key', KEY], { isTimed: true })
      const url = await matched(venue, /^listening (http:\S+)$/m)
      return {
        url,
        async end() {
          await venue.signal('SIGTERM')
          return venue.exited
        },
      }
    }

    /** What compose.yaml mounts: its own configuration of the sandbox, but for ports, and a volume like a new one. */
    function mountsFor(venueUrl: string, name: string, port = 0): ContainOptions {
      const mine = join(folder, name)
      for (const path of ['config', 'secrets', 'data']) mkdirSync(join(mine, path), { recursive: true })
      chownSync(join(mine, 'data'), 1000, 1000)
      const shipped = readFileSync(join(checkout, 'deploy/compose/sandbox.yaml'), 'utf8')
      const config = shipped.replace('http://127.0.0.1:8787', venueUrl).replace('port: 9464', `port: ${port}`)
      writeFileSync(join(mine, 'config/sandbox.yaml'), config)
      writeFileSync(join(mine, 'secrets/http_token'), TOKEN)
      writeFileSync(join(mine, 'secrets/http_read_token'), `${TOKEN}-for-reading`)
      return {
        writable: { '/app/data': join(mine, 'data') },
        readOnly: { '/config': join(mine, 'config'), '/run/secrets': join(mine, 'secrets') },
        env: { MIZANI_API_KEY: KEY },
      }
    }

    async function quoteAt(venueUrl: string): Promise<{ readonly bidBps: number; readonly askBps: number }> {
      const answer = await fetch(`${venueUrl}/sandbox/state`)
      return ((await answer.json()) as { quote: { bidBps: number; askBps: number } }).quote
    }

    const ownFiles = (below = ''): readonly string[] =>
      readdirSync(join(image.root, below), { recursive: true, encoding: 'utf8' })
        .filter((path) => statSync(join(image.root, below, path)).isFile())
        .sort()

    test('holds the bundle with its strategies and pages, and no source, map, package manager or shell', () => {
      const files = ownFiles()
      expect(files).toEqual(
        expect.arrayContaining([
          'app/LICENSE',
          'app/dist/mizani.js',
          'app/dist/strategies/inventory-skew.js',
          'app/dist/report-page/page.js',
          'app/dist/console-page/index.html',
          'app/dist/console-page/main.js',
          'usr/local/bin/node',
        ]),
      )
      const ours = files.filter((path) => path.startsWith('app/'))
      expect(ours.filter((path) => /\.(map|ts|tsx)$|package-lock/.test(path))).toEqual([])
      // What makes a script of a strategy, and nothing else that npm brought.
      const packages = ours.filter((path) => /node_modules/.test(path))
      expect(packages.filter((path) => !/node_modules\/(@esbuild|esbuild)\//.test(path))).toEqual([])
      expect(ours).toContain('app/dist/sbom.cdx.json')
      expect(files.filter((path) => /(^|\/)(npm|npx|sh|bash|busybox)$/.test(path))).toEqual([])
      expect(ours.filter((path) => /data\//.test(path))).toEqual([])
    })

    test('is under 200 MB, with 35 MB left for the real base', () => {
      const total = (root: string) =>
        readdirSync(root, { recursive: true, encoding: 'utf8' })
          .map((path) => statSync(join(root, path)))
          .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
      const ours = total(image.root) - total(image.baseRoot)
      const bundle = total(join(image.root, 'app'))
      process.stderr.write(
        `image: ${(ours / MB).toFixed(1)} MB beside the base, of it ${(bundle / MB).toFixed(1)} MB bundle\n`,
      )
      expect(ours).toBeLessThan(165 * MB)
      // esbuild is 12 of them.
      expect(bundle).toBeLessThan(27 * MB)
    })

    test('keeps nothing of where it was built: no settings, tokens or paths of the build', () => {
      const { Env } = image.config
      const malloc = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']
      const names = ['PATH', 'NODE_ENV', ...malloc, 'NODE_OPTIONS', 'SQLITE_TMPDIR']
      expect(Env.map((line) => line.split('=')[0])).toEqual(names)
      expect(ownFiles().filter((path) => /npmrc|\.env|\.git/.test(path))).toEqual([])
    })

    test('verifies signed and time-stamped closes with its own ssh-keygen and openssl', async () => {
      const closes = join(checkout, 'test/golden/0.2.0/closes')
      const { writable } = mountsFor('http://127.0.0.1:1', 'closes')
      const words = ['verify-close', '/closes/fleet', '--signers', '/closes/allowed_signers']
      const verified = mizani(words, { writable, readOnly: { '/closes': closes } })
      expect([await verified.exited, verified.output()]).toEqual([
        0,
        expect.stringContaining('3 closes hold'),
      ])
      expect(verified.output()).toMatch(
        /signed by ed25519@desk.example \(SHA256:\S+; time-stamped \S+Z, unchecked/,
      )
      expect(readdirSync(join(folder, 'closes/data'))).toEqual([])
    })

    test('runs without root, rights or a way to get them, and cannot write but to its volume', async () => {
      const look = `
      const { readFileSync, writeFileSync } = require('node:fs')
      const status = readFileSync('/proc/self/status', 'utf8')
      const field = (name) => new RegExp('^' + name + ':(.*)$', 'm').exec(status)[1].trim().split('\\t').join(' ')
      const tried = ['/app/data', '/app', '/app/dist', '/tmp', '/config', '/usr/local/bin'].map((folder) => {
        try { writeFileSync(folder + '/x', '') } catch (error) { return folder + ' ' + error.code }
        return folder + ' written'
      })
      console.log(JSON.stringify({
        pid: process.pid, uid: field('Uid'), gid: field('Gid'), groups: field('Groups'),
        capabilities: field('CapEff') + field('CapPrm') + field('CapInh'), gain: field('NoNewPrivs'), tried,
      }))`
      const { writable, readOnly } = mountsFor('http://127.0.0.1:1', 'rights')
      const looking = start(['node', '-e', look], { writable, readOnly })
      expect([await looking.exited, looking.output()]).toEqual([0, expect.stringMatching(/^\{.*\}\n$/)])
      expect(JSON.parse(looking.output())).toEqual({
        pid: 1,
        uid: '1000 1000 1000 1000',
        gid: '1000 1000 1000 1000',
        groups: '',
        capabilities: '0'.repeat(48),
        gain: '1',
        tried: [
          '/app/data written',
          '/app EROFS',
          '/app/dist EROFS',
          '/tmp EROFS',
          '/config EROFS',
          '/usr/local/bin EROFS',
        ],
      })
      expect(statSync(join(image.root, 'app/data'))).toMatchObject({ uid: 1000, gid: 1000 })
      expect(Object.keys(image.config.Volumes)).toEqual(['/app/data'])
    })

    test('quotes, is healthy, and leaves the position as configured on SIGTERM', async () => {
      // How long a start takes depends on the machine: test/nightly/start-time measures it.
      await oneLife('life')
    })

    async function oneLife(name: string): Promise<void> {
      const venue = await openVenue()
      const port = await freePort()
      const mounts = mountsFor(venue.url, name, port)
      const daemon = mizani(['run', '--config', '/config/sandbox.yaml'], mounts)
      await matched(daemon, /"event":"quoteConfirmed"/)
      // A slow start confirms the safe quote first: the venue has five seconds to answer everything.
      await until('it quotes the strategy', async () => (await quoteAt(venue.url)).bidBps < 500)
      await expectReads(port)
      const status = mizani(['status', '--config', '/config/sandbox.yaml'], mounts)
      expect([await status.exited, status.output()]).toEqual([0, expect.stringContaining('ACTIVE')])
      await expectHealth(port, 0)
      await daemon.signal('SIGTERM')
      expect([await daemon.exited, daemon.output()]).toEqual([0, expect.stringMatching(/.*\n$/)])
      // quote.onExit: widen, to quote.safeBps.
      expect(await quoteAt(venue.url)).toMatchObject({ bidBps: 500, askBps: 500 })
      expect(daemon.output()).not.toContain(KEY)
      expect(daemon.output()).not.toContain(TOKEN)
      await expectHealth(port, 1)
      expect(readdirSync(join(folder, name, 'data/sandbox'))).toEqual(expect.arrayContaining(['mizani.db']))
      expect(await venue.end()).toBe(0)
    }

    /** Not on loopback only, so everything but health asks for the token. */
    async function expectReads(port: number): Promise<void> {
      const url = `http://127.0.0.1:${port}`
      const statusOf = async (path: string, headers: Record<string, string> = {}) =>
        (await fetch(`${url}${path}`, { headers })).status
      expect(await statusOf('/healthz')).toBe(200)
      expect(await statusOf('/metrics')).toBe(401)
      expect(await statusOf('/', { accept: 'text/html' })).toBe(200)
      expect(await statusOf('/assets/main.js')).toBe(200)
      const scraped = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
      expect(await scraped.text()).toMatch(/^mizani_build_info\{.*position="sandbox".*\} 1$/m)
      await until('it is ready', async () => (await statusOf('/readyz')) === 200)
    }

    async function expectHealth(port: number, exitCode: number): Promise<void> {
      const [kind, ...command] = image.config.Healthcheck.Test
      expect(kind).toBe('CMD')
      expect(await start(command, { env: { MIZANI_HTTP_PORT: String(port) } }).exited).toBe(exitCode)
    }

    test('ends with what is wrong with the configuration, and with 2', async () => {
      const mounts = mountsFor('http://127.0.0.1:1', 'wrong')
      const daemon = mizani(image.config.Cmd, mounts)
      expect([await daemon.exited, daemon.output()]).toEqual([
        2,
        expect.stringContaining('/config/live.yaml'),
      ])
    })
  },
)
