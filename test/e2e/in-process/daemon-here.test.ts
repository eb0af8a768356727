import { existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Demo, DemoOptions } from '../../../src/simulator/sandbox/demo/demo.ts'
import { catchProcess, setEnvironment } from '../daemon/caught-process.ts'
import { openMarket } from '../daemon/open-market.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { PROGRAM } from '../daemon/program.ts'
import { runHere } from '../daemon/run-here.ts'
import { serveHere } from '../daemon/serve-here.ts'
import { until } from '../daemon/until.ts'

// The commands that serve until a signal ends them, from inside: what they print, and how they end.

describe('mizani run', () => {
  test('reads its file again on SIGHUP, and on SIGTERM leaves as configured and ends with 0', async () => {
    await using market = await openMarket({}, { log: { level: 'silent' } })
    const daemon = serveHere(['run', '--config', market.config])
    await market.quoted(60, 70)
    market.folder.configure({
      log: { level: 'silent' },
      strategy: { use: 'fixed-spread', params: { bidBps: 80, askBps: 90 } },
    })
    daemon.reload()
    await market.quoted(80, 90)
    expect(await daemon.end()).toBe(0)
    expect(daemon.output()).toMatch(/^desk-1: widened .* confirmed/m)
    expect(daemon.errors()).toBe('')
  })

  test('starts nothing where two files name the same store, or share no server', async () => {
    const [one, two] = [
      positionFolder('http://127.0.0.1:1', 'one'),
      positionFolder('http://127.0.0.1:2', 'two'),
    ]
    const run = (...files: readonly string[]) =>
      runHere(['run', ...files.flatMap((file) => ['--config', file])])
    const both = [one.configure(), two.configure({ store: { path: one.store } })] as const
    expect(await run(...both)).toMatchObject({ code: 2, err: expect.stringContaining('store') })
    const apart = [one.configure(), two.configure({ http: { port: 9_999 } })] as const
    const refused = await run(...apart)
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toContain('one HTTP server')
    expect([existsSync(one.store), existsSync(two.store)]).toEqual([false, false])
    for (const folder of [one, two]) folder.remove()
  })
})

describe('mizani record', () => {
  test('writes a tape without trading, and counts its rows at the end', async () => {
    await using market = await openMarket({ isActive: false }, { log: { level: 'silent' } })
    const tape = join(market.folder.path, 'tape')
    const recording = serveHere(['record', '--config', market.config, '--out', tape])
    await until('it is ready', async () => (await recording.get('/readyz')).status === 200)
    expect(await recording.state()).toMatchObject({ mode: 'dry-run', isActive: false })
    expect(await recording.end()).toBe(0)
    expect(recording.output()).toMatch(/^[1-9]\d* rows on /m)
    expect(existsSync(market.folder.store)).toBe(false)
  })

  test('ends at once where the tape cannot be made', async () => {
    const folder = positionFolder('http://127.0.0.1:1')
    const taken = folder.write('taken', 'a file')
    const { code, err } = await runHere(['record', '--config', folder.configure(), '--out', taken])
    expect([code, err]).toEqual([1, expect.stringContaining('cannot be made')])
    folder.remove()
  })
})

describe('mizani start', () => {
  const before = process.cwd()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mizani-start-')))
  const remembered = join(folder, 'data/demo/venue.json')
  const restoreEnvironment = setEnvironment({ MIZANI_API_KEY: '', MIZANI_PARTNER_KEY: '' })
  const [, program] = process.argv
  // The demonstration lives in the folder where it is started.
  beforeAll(() => process.chdir(folder))
  afterAll(() => {
    process.chdir(before)
    process.argv[1] = program ?? ''
    restoreEnvironment()
  })

  test('makes a market on the screen, and Ctrl-C ends it with books that agree to the last unit', async () => {
    const demo = catchProcess(['start', '--seed', '3'])
    await until('someone traded', () => /fills [1-9]/.test(demo.out()), { otherwise: demo.out })
    expect(existsSync(remembered)).toBe(true)
    demo.signal('SIGINT')
    expect(await demo.ended).toBe(0)
    expect(demo.out()).toContain('No real money')
    expect(demo.out()).toMatch(/console {2}http:\/\/127\.0\.0\.1:\d+/)
    expect(demo.out()).toMatch(/ledger {5}.* same \d+ fills/)
    expect([demo.err(), existsSync(remembered)]).toEqual(['', false])
  })

  test('resumes the venue of the last start, and replaces it by a fresh one or one of another kind', async () => {
    const { prepareDemo } = await import('../../../src/simulator/sandbox/demo/demo.ts')
    process.argv[1] = PROGRAM
    const prepared = async (options: Partial<DemoOptions> = {}): Promise<Demo> => {
      const demo = await prepareDemo({ scenario: 'normal', seed: 1, ...options })
      if (!demo.ok) throw new Error(demo.error)
      return demo.value
    }
    // By its process: another test's venue may get the port of one that is gone.
    const pidOf = () => (JSON.parse(readFileSync(remembered, 'utf8')) as { readonly pid: number }).pid
    const isThere = (pid: number) => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    const first = await prepared()
    const firstVenue = pidOf()
    expect([first.market, first.tokens]).toEqual([expect.stringContaining('times the takers'), []])
    expect(await prepared()).toMatchObject({ market: null, configFile: first.configFile })
    const fresh = await prepared({ fresh: true })
    expect([fresh.market === null, fresh.configFile === first.configFile]).toEqual([false, false])
    const freshVenue = pidOf()
    await until('the first venue is gone', () => !isThere(firstVenue))
    const funded = await prepared({ treasury: true })
    expect(funded.tokens.map(({ name }) => name)).toEqual(['amina', 'baraka'])
    expect(new Set(funded.tokens.map(({ token }) => token)).size).toBe(2)
    const fundedVenue = pidOf()
    await until('the pooled venue is gone', () => !isThere(freshVenue))
    funded.venue.stop()
    expect(existsSync(remembered)).toBe(false)
    await until('the last venue is gone', () => !isThere(fundedVenue))
    expect(await prepareDemo({ scenario: 'no-such-scenario', seed: 1 })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/no-such-scenario/),
    })
  })

  test.each([
    [['--self-custody', '--speed', '60'], 'takes no --speed'],
    [['--self-custody', '--treasury'], 'exclude each other'],
  ])('refuses %j before anything starts', async (options, words) => {
    expect(await runHere(['start', ...options])).toMatchObject({
      code: 2,
      err: expect.stringContaining(words),
    })
    expect(existsSync(remembered)).toBe(false)
  })
})
