import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { commandOffline } from '../../../src/daemon/runtime/position/command-offline.ts'
import { daemonView } from '../../../src/cli/operator/daemon-client.ts'
import { contactOf } from '../../../src/daemon/config/load/contact.ts'
import { loadOrExplain } from '../../../src/cli/load-or-explain.ts'
import { deactivateOnce } from '../../../src/cli/operator/deactivate-once.ts'
import { operate } from '../../../src/cli/operator/operate.ts'
import { replay } from '../../../src/cli/inspect/replay.ts'
import { status } from '../../../src/cli/inspect/status/status.ts'
import { withdraw } from '../../../src/cli/operator/withdraw.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import type { LoadedConfig } from '../../../src/daemon/config/load/loaded-config.ts'
import { runHost, type Host } from '../../../src/daemon/runtime/host/run-host.ts'
import { createThreadServices } from '../../../src/daemon/runtime/worker/thread-services.ts'
import { launchPosition } from '../../../src/daemon/runtime/worker/launch-position.ts'
import { openStore } from '../../../src/store/journal/open-store.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { captured } from '../../support/captured.ts'
import { freePort } from '../../support/free-port.ts'
import { BUSY_VENUE, positionFolder } from '../daemon/position-folder.ts'
import { until } from '../daemon/until.ts'

// What other end-to-end tests do to processes from outside, done to the same functions from inside, so that
// every answer can be looked at.

const DESTINATION = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
let venue: SandboxServer

beforeAll(async () => {
  process.env['MIZANI_API_KEY'] = 'mm_test_sandbox'
  process.env['MIZANI_HTTP_TOKEN'] = 'a-token'
  venue = await startSandbox({
    ...BUSY_VENUE,
    port: 0,
    seed: 5,
    scenario: 'test/support/quiet-market.yaml',
    speed: 1,
  })
})

afterAll(() => venue.close())

describe('several positions in one process', () => {
  test('leave the store of one that another process holds as it is, its token too', async () => {
    const [ours, theirs] = [positionFolder(venue.url, 'ours'), positionFolder(venue.url, 'theirs')]
    const http = { port: await freePort(), token: null }
    const files = [ours, theirs].map((folder) => folder.configure({ http, log: { level: 'silent' } }))
    const configs = await Promise.all(files.map((file) => loadOrExplain(file, {})))
    const held = await openStore(theirs.store)
    if (!held.ok) throw new Error(held.error.message)
    theirs.write('data/operator.token', 'of the other process')
    const gone: string[] = []
    const started = await runHost(
      configs.filter((config) => config !== null),
      'test',
      (name) => void gone.push(name),
    )
    if ('exitCode' in started) throw new Error(started.message)
    expect(gone).toEqual(['theirs'])
    expect(readFileSync(join(theirs.store, 'operator.token'), 'utf8')).toBe('of the other process')
    expect(readFileSync(join(ours.store, 'operator.token'), 'utf8')).toMatch(/^[0-9a-f]{64}$/)
    await started.shutdown()
    await held.value.close()
    for (const folder of [ours, theirs]) folder.remove()
  })

  test('that start twice name the store that is in use, not the port that is taken', async () => {
    const folder = positionFolder(venue.url, 'twice')
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    const config = await loadOrExplain(folder.configure({ http: { port, token: null } }), {})
    const start = () => runHost(config === null ? [] : [config], 'test', () => undefined)
    expect(await start()).toMatchObject({ message: expect.stringContaining(`:${port} is taken`) as string })
    const held = await openStore(folder.store)
    if (!held.ok) throw new Error(held.error.message)
    const message = expect.stringMatching(`is held by process ${process.pid}`) as string
    expect(await start()).toMatchObject({ exitCode: 1, message })
    await held.value.close()
    other.close()
    folder.remove()
  })
})

test('deactivate takes a position out whose store cannot be written, and reports that nothing was journalled', async () => {
  const folder = positionFolder(venue.url, 'unwritable')
  const config = await loadOrExplain(folder.configure({ log: { level: 'silent' } }), {})
  if (config === null) throw new Error('no configuration')
  // Modes do not stop root; a folder in place of the file does.
  mkdirSync(join(folder.store, 'lock.json'), { recursive: true })
  const order = { name: 'deactivate', insists: true } as const
  const done = await deactivateOnce(config, order, { who: 'anna', why: 'the disk is full' })
  expect(done).toMatchObject({ exitCode: 0 })
  expect(done.answer).toMatch(
    /^deactivated, confirmed by the venue; .* Nothing was journalled, because the store/,
  )
  expect(venue.model.state.ours.isActive).toBe(false)
  folder.remove()
})

describe('the commands beside a running daemon', () => {
  const folder = { current: positionFolder('http://127.0.0.1:1') }
  let file = ''
  let config: LoadedConfig
  let host: Host

  beforeAll(async () => {
    folder.current = positionFolder(venue.url, 'inside')
    file = folder.current.configure({
      http: { port: await freePort(), token: '!env MIZANI_HTTP_TOKEN' },
      withdraw: { enabled: true, destinations: [DESTINATION], maxPerDay: { USDC: '100' } },
      log: { level: 'silent' },
    })
    const loaded = await loadOrExplain(file, {})
    if (loaded === null) throw new Error('no configuration')
    config = loaded
    const started = await runHost([config], 'test', () => undefined)
    if ('exitCode' in started) throw new Error(started.message)
    host = started
    // The venue carries an activation out before a taker finds the position.
    await until('the position is in the market', async () => {
      return venue.model.state.ours.isActive && (await view()).isActive === true
    })
  })

  afterAll(async () => {
    await host.shutdown()
    folder.current.remove()
  })

  async function view(): Promise<PositionView> {
    return (await daemonView(contactOf(config)))?.body as PositionView
  }

  const operation = (name: 'resume' | 'halt') =>
    captured(() => operate({ name }, { config: file, reason: 'a test' }))

  test('a withdrawal over the cap is refused by risk; one within it leaves once', async () => {
    expect(await operation('halt')).toMatchObject({ exitCode: 0 })
    await until('the position is out', async () => (await view()).isActive === false)
    const order = { config: file, token: 'USDC' as const, to: DESTINATION, yes: true, reason: 'a test' }
    const over = await captured(() => withdraw({ ...order, amount: '101', json: true }))
    expect(over).toMatchObject({ exitCode: 3, out: expect.stringContaining('maxPerDay') })
    // What the venue settles by now is settled before it is counted.
    venue.model.advanceTo(Date.now())
    const before = venue.model.book().ours.wallet.USDC
    expect(await captured(() => withdraw({ ...order, amount: '40' }))).toMatchObject({ exitCode: 0 })
    venue.model.advanceTo(Date.now())
    expect(before - venue.model.book().ours.wallet.USDC).toBe(40_000_000n)
    await until('it is booked', async () => (await view()).reconciliation.state === 'reconciled')
  })

  test('a reload takes the file as it is now', async () => {
    await operation('resume')
    folder.current.configure({
      http: { port: config.http.port, token: '!env MIZANI_HTTP_TOKEN' },
      withdraw: { enabled: true, destinations: [DESTINATION], maxPerDay: { USDC: '100' } },
      log: { level: 'silent' },
      strategy: { use: 'fixed-spread', params: { bidBps: 75, askBps: 85 } },
    })
    await host.reload()
    await until('the new parameters stand', async () => (await view()).quote.bidBps === 75)
    expect((await view()).quote).toMatchObject({ bidBps: 75, askBps: 85 })
  })
})

describe("a position's worker, called without its thread", () => {
  const outputs = (fatal: (exitCode: number, message: string) => void) => ({
    fatal,
    onSet: () => undefined,
    notify: () => undefined,
    crashed: (error: unknown) => fatal(70, String(error)),
    standsBy: () => undefined,
    takesOver: () => undefined,
    ended: new AbortController().signal,
  })
  const init = (configFile: string) => ({ configFile, suspension: null })
  const thread = createThreadServices({
    version: 'test',
    heartbeat: new SharedArrayBuffer(8),
    withChain: false,
  })(1)
  afterAll(async () => void (await thread.journal.close()))

  test('answers every call, reloads as a whole or not at all, and leaves as configured', async () => {
    const folder = positionFolder(venue.url, 'worker')
    const file = folder.configure({
      log: { level: 'silent' },
      quote: { minRequoteIntervalMs: 0, onExit: 'widen' },
    })
    const fatal = vi.fn<(exitCode: number, message: string) => void>()
    const position = await launchPosition(init(file), thread, outputs(fatal))
    if (position === null) throw new Error(String(fatal.mock.calls))
    const ask = position.answer
    await until('it is ready', async () => ((await ask({ method: 'ready' })) as { ready: boolean }).ready)
    expect(await ask({ method: 'view' })).toMatchObject({ name: 'worker', quote: { status: 'confirmed' } })
    expect(JSON.stringify(await ask({ method: 'metrics' }))).toContain('mizani_quote_bps')
    const pause = { method: 'command', command: { name: 'pause' }, who: 'a test', why: 'to see' } as const
    expect(await ask(pause)).toMatchObject({ accepted: true })

    folder.configure({
      log: { level: 'silent' },
      strategy: { use: 'fixed-spread', params: { bidBps: 80, askBps: 90 } },
    })
    expect(await ask({ method: 'reload' })).toMatchObject({ accepted: true })
    folder.configure({ log: { level: 'silent' }, strategy: { use: 'no-such-strategy' } })
    expect(await ask({ method: 'reload' })).toMatchObject({
      accepted: false,
      answer: expect.stringContaining('kept'),
    })
    expect(await ask({ method: 'view' })).toMatchObject({ strategy: { params: { bidBps: 80 } } })
    expect(await ask({ method: 'shutdown', withinMs: 5_000 })).toMatch(/confirmed by the venue|inactive/)
    expect(fatal).not.toHaveBeenCalled()

    folder.configure({ log: { level: 'silent' }, http: { port: 0, token: '!env MIZANI_HTTP_TOKEN' } })
    const again = await loadOrExplain(file, {})
    if (again === null) throw new Error('no configuration')
    expect(
      await commandOffline(again, { command: { name: 'halt' }, who: 'a test', why: 'offline' }),
    ).toMatchObject({
      value: { accepted: true },
    })
    expect((await captured(() => status({ config: [file], json: true }))).out).toContain('HALTED')
    expect(await captured(() => replay({ config: file, json: true }))).toMatchObject({ exitCode: 0 })
    expect(await captured(() => replay({ config: file }))).toMatchObject({ exitCode: 0 })
    folder.remove()
  })

  test('says with which exit code it cannot start: 2 configuration, 4 key', async () => {
    const folder = positionFolder(venue.url, 'stillborn')
    const codes: number[] = []
    const fatal = (exitCode: number) => void codes.push(exitCode)
    expect(
      await launchPosition(init(folder.configure({ mode: 'dreaming' })), thread, outputs(fatal)),
    ).toBeNull()
    process.env['MIZANI_WRONG_KEY'] = 'mm_test_wrong'
    const wrongKey = folder.configure({ venue: { apiKey: '!env MIZANI_WRONG_KEY' } })
    expect(await launchPosition(init(wrongKey), thread, outputs(fatal))).toBeNull()
    expect(codes).toEqual([2, 4])
    folder.remove()
  })
})
