import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Profile } from '../../src/research/conformance/profile.ts'
import { receivingServer } from '../support/receiving-server.ts'
import { openMarket } from './daemon/open-market.ts'
import { BUSY_VENUE, positionFolder } from './daemon/position-folder.ts'
import { PROGRAM } from './daemon/program.ts'
import { runHere } from './daemon/run-here.ts'
import { runDaemon, TEST_ENV, type RunningDaemon } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'

/** Nothing of this is the default, neither of the simulated venue nor of the configuration. */
const STRANGE = { bidFormula: 'multiply', protocolFeeBps: 25, feeFrom: 'pool' } as const
/** Narrower than the rivals, so that takers come to us. */
const NARROW = { strategy: { use: 'fixed-spread', params: { bidBps: 15, askBps: 15 } } }
const FILLS_A_SIDE = 8

/** Takers on both sides with odd amounts, until enough of them were filled by us and the books agree. */
async function tradedBy(daemon: RunningDaemon, venueUrl: string): Promise<void> {
  await until('the daemon is ready', async () => (await daemon.get('/readyz')).status === 200)
  let taker = 0
  const swap = async (from: string, to: string, amount: string) => {
    const body = JSON.stringify({ from, to, amount })
    const headers = { 'content-type': 'application/json' }
    await (await fetch(`${venueUrl}/sandbox/swap`, { method: 'POST', headers, body })).text()
  }
  await until(
    'enough was filled, and the books agree',
    async () => {
      const { fills, reconciliation } = await daemon.state()
      if (fills.bid >= FILLS_A_SIDE && fills.ask >= FILLS_A_SIDE) return reconciliation.state === 'reconciled'
      taker += 1
      await swap('USDC', 'NTZS', `${20 + taker}.000${100 + taker}`)
      await swap('NTZS', 'USDC', `${50_000 + 997 * taker}.${taker}`)
      return false
    },
    { otherwise: async () => (await daemon.state()).reasons },
  )
  await daemon.kill('SIGTERM')
}

/** `mizani sandbox --like`, with as many requests and takers as the tests need. */
async function sandboxLike(profile: string, folder: string) {
  const options = join(folder, 'venue.json')
  writeFileSync(options, JSON.stringify({ ...BUSY_VENUE, isActive: true, activationDelayMs: 50 }))
  const args = ['sandbox', '--like', profile, '--options', options, '--port', '0', '--seed', '11', '--json']
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  await until('the venue listens', () => out.includes('\n'))
  const { listening } = JSON.parse(out) as { readonly listening: string }
  return { url: listening, close: () => child.kill('SIGTERM') }
}

/** `mizani conformance` until it has printed two documents. */
async function repeated(args: readonly string[], hook: string) {
  const env = { ...TEST_ENV, HOOK_URL: hook, HOOK_KEY: 'a-key-of-enough-characters' }
  const child = spawn(process.execPath, [PROGRAM, 'conformance', ...args, '--json'], { env })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  const exited = new Promise<number | null>((done) => child.once('exit', done))
  await until('it ran twice', () => out.split('\n').length > 2)
  child.kill('SIGTERM')
  const code = await exited
  const lines = out.split('\n').slice(0, 2)
  const documents = lines.map((line) => JSON.parse(line) as { readonly notified: readonly unknown[] })
  return { code, documents }
}

test('a strange venue is learned from the journal, a simulated one like it does the same, and a change is sent with before and after', async () => {
  const market = await openMarket({ ...STRANGE, toleranceBps: 12 }, NARROW)
  await tradedBy(market.start(), market.venue.url)
  const profile = join(market.folder.path, 'profile.json')
  const learned = await runHere(['conformance', '--config', market.config, '--out', profile, '--json'])
  expect([learned.code, learned.err]).toEqual([0, ''])
  const found = JSON.parse(readFileSync(profile, 'utf8')) as Profile
  expect(found.sandbox).toMatchObject(STRANGE)
  expect(found.sandbox.toleranceBps ?? 0).toBeLessThanOrEqual(12)
  expect(JSON.parse(learned.out)).toMatchObject({ ...found, changes: [] })
  const text = await runHere(['conformance', '--config', market.config])
  expect(text.out).toContain('bid: multiply\n')
  expect(text.out).toContain('protocol fee: 25 bps\n')
  // The daemon has ended: a second later the last second of the journal is empty, and the last day is all of it.
  await pause(1_000)
  for (const [last, events] of [
    ['1s', 0],
    ['1d', found.events],
  ] as const) {
    const late = await runHere(['conformance', '--config', market.config, '--last', last, '--json'])
    expect(JSON.parse(late.out)).toMatchObject({ events })
  }

  const like = await sandboxLike(profile, market.folder.path)
  const folder = positionFolder(like.url, 'desk-2')
  const config = folder.configure(NARROW)
  await tradedBy(runDaemon({ configs: [config] }), like.url)
  const again = await runHere(['conformance', '--config', config, '--against', profile])
  expect([again.code, again.err]).toEqual([0, ''])
  expect(again.out).toContain('nothing changed')
  like.close()

  const hook = await receivingServer()
  const before = join(market.folder.path, 'before.json')
  const traits = found.traits.map((one) => (one.topic === 'protocol-fee' ? { ...one, value: '10 bps' } : one))
  writeFileSync(before, JSON.stringify({ ...found, traits }))
  const notified = market.folder.configure({
    notify: { webhook: { url: '!env HOOK_URL', hmacKey: '!env HOOK_KEY' } },
  })
  const changed = await runHere(
    ['conformance', '--config', notified, '--against', before, '--notify', '--json'],
    { HOOK_URL: hook.url, HOOK_KEY: 'a-key-of-enough-characters' },
  )
  expect([changed.code, JSON.parse(changed.out)]).toEqual([
    1,
    expect.objectContaining({ changes: [{ topic: 'protocol-fee', before: '10 bps', after: '25 bps' }] }),
  ])
  expect(JSON.parse(hook.received[0]?.body ?? '{}')).toMatchObject({
    code: 'conformance',
    severity: 'warning',
    what: 'the venue behaves differently than before: protocol fee: 10 bps before, 25 bps now',
  })
  const twice = await repeated(
    ['--config', notified, '--against', before, '--notify', '--every', '1s'],
    hook.url,
  )
  expect(twice.code).toBe(0)
  expect(twice.documents.map(({ notified: { length } }) => length)).toEqual([1, 0])
  expect(hook.received).toHaveLength(2)
  for (const [args, words] of [
    [['--against', 'no-such-file'], 'no profile can be read'],
    [['--against', notified], 'no profile can be read'],
    [['--notify'], 'needs --against'],
  ] as const) {
    const refused = await runHere(['conformance', '--config', notified, ...args], {
      HOOK_URL: hook.url,
      HOOK_KEY: 'a-key-of-enough-characters',
    })
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(words)])
  }
  folder.remove()
  await Promise.all([market.close(), hook.close()])
})
