import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readServed } from '../../../src/cli/assistant/positions.ts'
import { createResearch } from '../../../src/cli/assistant/research.ts'
import { loadOrExplain } from '../../../src/cli/load-or-explain.ts'
import { checkEnvironment } from '../../../src/research/diagnosis/check/environment.ts'
import { exportBooks } from '../../../src/cli/inspect/export.ts'
import { replay } from '../../../src/cli/inspect/replay.ts'
import { status } from '../../../src/cli/inspect/status/status.ts'
import { rfqStopAt } from '../../../src/cli/rfq/stop-at.ts'
import { audit } from '../../../src/cli/operator/audit.ts'
import { commandOffline } from '../../../src/daemon/runtime/position/command-offline.ts'
import { createHistoryReader } from '../../../src/daemon/runtime/history/reader-cache.ts'
import { launchPosition } from '../../../src/daemon/runtime/worker/launch-position.ts'
import { createThreadServices } from '../../../src/daemon/runtime/worker/thread-services.ts'
import { type SandboxServer, startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import { asAdministrator, startServer, stopServer } from '../../contract/store/both-stores.ts'
import { captured } from '../../support/captured.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings, type PostgresServer } from '../../support/postgres.ts'
import { BUSY_VENUE, MORNING, positionFolder } from '../daemon/position-folder.ts'
import { until } from '../daemon/until.ts'

let server: PostgresServer
let venue: SandboxServer

beforeAll(async () => {
  const started = await startServer()
  if (started !== null) server = started
  process.env['MIZANI_API_KEY'] = 'mm_test_sandbox'
  process.env['MIZANI_HTTP_TOKEN'] = 'a-token'
  venue = await startSandbox({
    ...BUSY_VENUE,
    startMs: MORNING,
    seed: 5,
    scenario: 'test/support/quiet-market.yaml',
    speed: 1,
  })
})
afterAll(async () => {
  await venue.close()
  stopServer()
})
/** What a command printed; it must succeed. */
async function printed(work: () => Promise<void>): Promise<string> {
  const { text, exitCode } = await captured(work)
  expect({ exitCode, text }).toMatchObject({ exitCode: 0 })
  return text
}

async function checked(config: NonNullable<Awaited<ReturnType<typeof loadOrExplain>>>) {
  for await (const result of checkEnvironment(config, async () => false))
    if (result.name === 'store') return result
  return null
}

/** Trades for a moment with the store in PostgreSQL, and leaves. */
async function trade(file: string): Promise<void> {
  const heartbeat = new SharedArrayBuffer(8)
  const thread = createThreadServices({ version: 'test', heartbeat, withChain: false })(1)
  const fatal = vi.fn<(exitCode: number, message: string) => void>()
  const none = () => undefined
  const ended = new AbortController().signal
  const outputs = {
    fatal,
    onSet: none,
    notify: none,
    crashed: none,
    standsBy: none,
    takesOver: none,
    ended,
  }
  const position = await launchPosition({ configFile: file, suspension: null }, thread, outputs)
  if (position === null) throw new Error(String(fatal.mock.calls))
  type View = {
    readonly isActive: boolean
    readonly quote: { readonly status: string; readonly askBps: number | null }
    readonly reconciliation: { readonly state: string }
    readonly fills: { readonly total: number }
  }
  const view = async () => (await position.answer({ method: 'view' })) as View
  // What was filled before the books were opened would be part of the opening; before the quote stands, and while the venue carries the
  // activation out, a taker goes to the rival.
  await until('the position quotes with open books', async () => {
    const { isActive, quote, reconciliation } = await view()
    const isQuoting = quote.status === 'confirmed' && quote.askBps === 70
    const isThere = isActive && venue.model.state.ours.isActive
    return isThere && isQuoting && reconciliation.state === 'reconciled'
  })
  venue.model.swap({ from: 'USDC', to: 'NTZS', amountIn: 25_000_000n })
  await until('the fill is booked', async () => (await view()).fills.total >= 1)
  await position.answer({ method: 'shutdown', withinMs: 5_000 })
  await thread.journal.close()
  expect(fatal).not.toHaveBeenCalled()
}

describe.skipIf(needs('initdb', postgresSurroundings()))('a position in PostgreSQL', () => {
  test('is read by the same commands as one in a folder, and takes a command while no daemon runs', async () => {
    const folder = positionFolder(venue.url, 'inside')
    const http = { port: 0, token: '!env MIZANI_HTTP_TOKEN' }
    const file = folder.configure({ http, log: { level: 'silent' }, store: { postgres: server.url } })
    const config = await loadOrExplain(file, {})
    if (config === null) throw new Error('no configuration')
    const where = `PostgreSQL at ${new URL(server.url).host}/postgres, position inside`
    expect(await checked(config)).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining(`${where} will be created`) as string,
    })

    await trade(file)
    expect(await checked(config)).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^PostgreSQL .* inside .* \d+ events$/) as string,
    })
    const order = { command: { name: 'halt' }, who: 'amina', why: 'a test' } as const
    expect(await commandOffline(config, order)).toMatchObject({ value: { accepted: true } })
    expect(await printed(() => status({ config: [file], json: true }))).toContain('HALTED')
    expect(await printed(() => exportBooks({ config: file, what: 'fills', format: 'jsonl' }))).toContain(
      '"USDC"',
    )
    expect(await printed(() => audit({ config: file }))).toContain('amina')
    expect(JSON.parse(await printed(() => replay({ config: file, json: true })))).toMatchObject({
      equal: true,
    })
    const served = readServed([file], {})
    if (!served.ok) throw new Error(served.error)
    const research = createResearch(served.value.positions, {})
    expect(await research.explain(undefined)).toMatchObject({
      value: { from: expect.stringContaining(`the store in ${where}`) },
    })
    const changes = { 'quote.safeBps': 450 }
    expect(await research.whatIf({ position: undefined, changes })).toMatchObject({ value: { wanted: {} } })
    const answerOf = createHistoryReader()
    const { place } = config.store
    const query = { limit: 10, after: null }
    expect(answerOf({ place, now: Date.now(), what: 'fills', query })).toMatchObject({ ok: true })
    folder.remove()
  })

  test('has its signers stopped on every machine by one command, which fails with words where only this one could be stopped', async () => {
    const folder = positionFolder(venue.url, 'custody')
    const custody = readFileSync('config/self-custody.example.yaml', 'utf8')
    const fileOf = (name: string, url: string) =>
      folder.write(
        `${name}.yaml`,
        `${custody}\nstore: { path: ${folder.path}/${name}, postgres: '${url}' }\n`,
      )
    const [a, away] = [fileOf('a', server.url), fileOf('away', 'postgres://mizani@127.0.0.1:1/postgres')]
    const stopInRow = async () =>
      (await asAdministrator(server, 'SELECT stop_at IS NULL AS never FROM mizani.signer'))[0]?.['never']
    const stop = (when: string, config: string) => captured(() => rfqStopAt(when, { config }))

    expect(await stop('now', a)).toMatchObject({ exitCode: 0 })
    expect(await stopInRow()).toBe(false)
    expect(await stop('never', a)).toMatchObject({ exitCode: 0 })
    expect(await stopInRow()).toBe(true)

    const failed = await stop('now', away)
    expect(failed.exitCode).toBe(1)
    expect(failed.text).toContain('machines are NOT')
    const lifted = await stop('never', away)
    expect(lifted.exitCode).toBe(1)
    expect(lifted.text).toContain('nothing was changed')
    folder.remove()
  })

  test('fails its check with words for what to change where no one answers', async () => {
    const folder = positionFolder(venue.url, 'away')
    const file = folder.configure({
      log: { level: 'silent' },
      store: { postgres: 'postgres://mizani@127.0.0.1:1/postgres' },
    })
    const config = await loadOrExplain(file, {})
    if (config === null) throw new Error('no configuration')
    expect(await checked(config)).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('check that PostgreSQL runs') as string,
    })
    folder.remove()
  })
})
