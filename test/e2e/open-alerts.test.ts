import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { receivingServer, type ReceivingServer } from '../support/receiving-server.ts'
import { openMarket } from './daemon/open-market.ts'
import { runHere } from './daemon/run-here.ts'
import { until } from './daemon/until.ts'

type Told = {
  readonly code: string
  readonly kind: string
  readonly text: string
  readonly console: string | null
}

const KEY = 'a-key-of-enough-characters'
const halts = ({ received }: ReceivingServer) =>
  received.map(({ body }) => JSON.parse(body) as Told).filter(({ code }) => code === 'halted')
const count = (server: ReceivingServer, kind: string) =>
  halts(server).filter((one) => one.kind === kind).length

test('a critical alert repeats and reaches the next person until `mizani ack`, over a restart, and begins anew when it is raised again', async () => {
  const [desk, boss] = [await receivingServer(), await receivingServer()]
  const env = { DESK_URL: `${desk.url}/hook`, BOSS_URL: `${boss.url}/hook`, HOOK_KEY: KEY }
  const market = await openMarket(
    {},
    {
      http: { port: await freePort() },
      notify: {
        webhook: { url: '!env DESK_URL', hmacKey: '!env HOOK_KEY', minSeverity: 'critical' },
        groupMs: 200,
        consoleUrl: 'https://desk.example',
      },
      alert: {
        repeatMinutes: 0.05,
        escalation: [{ afterMinutes: 0.08, webhook: { url: '!env BOSS_URL', hmacKey: '!env HOOK_KEY' } }],
      },
    },
  )
  const daemon = market.start(env)
  await market.quoted(60, 70)
  await daemon.post('halt', { who: 'anna', why: 'a test' })
  await until('the desk is reminded twice', () => count(desk, 'reminder') >= 2)
  await until('the next person learns of it', () => count(boss, 'raised') === 1)
  expect(halts(desk).at(-1)?.console).toBe('https://desk.example/#/desk-1')
  expect(halts(boss)[0]?.text).toContain('not acknowledged within')
  const listed = await daemon.get('/api/v1/alerts')
  expect(listed.body).toMatchObject({
    alerts: [{ position: 'desk-1', code: 'halted', ack: null }],
  })

  const wrong = await runHere(['ack', 'store', '--config', market.config], env)
  expect([wrong.code, wrong.out + wrong.err]).toEqual([3, expect.stringContaining('open: halted')])
  const ack = ['ack', 'halted', '--config', market.config, '--reason', 'I look', '--json']
  const acked = await runHere(ack, env)
  expect([acked.code, JSON.parse(acked.out)]).toEqual([
    0,
    expect.objectContaining({ answer: 'acknowledged: halted' }),
  ])
  await until('both hear who has it', () => count(desk, 'acknowledged') + count(boss, 'acknowledged') === 2)
  const reminded = count(desk, 'reminder') + count(boss, 'reminder')
  await daemon.kill('SIGKILL')

  const again = market.start(env)
  await until('the halt is found', () => count(desk, 'reminder') > 0 && again.output().includes('listening'))
  await pause(8_000)
  // A start that finds a halt notifies people once, as ever; no one is reminded of what someone has in hand.
  expect(count(desk, 'reminder') + count(boss, 'reminder')).toBeLessThanOrEqual(reminded + 1)
  const { code, out } = await runHere(['audit', '--config', market.config, '--json'], env)
  expect([code, out]).toEqual([0, expect.stringContaining('"ack"')])
  expect(out).toContain('I look')

  await again.post('resume', { who: 'anna', why: 'mended' })
  await until('the end is notified', () => count(desk, 'lifted') === 1)
  await again.post('halt', { who: 'anna', why: 'once more' })
  await until('it begins anew', () => count(desk, 'raised') === 2 && count(boss, 'raised') === 2)
  await again.kill('SIGTERM')
  await Promise.all([market.close(), desk.close(), boss.close()])
})
