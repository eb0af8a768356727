import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openGuardClient } from '../../../src/daemon/guard/protocol/ask-guard.ts'
import { PROTOCOL_VERSION, RENEW_PATH } from '../../../src/daemon/guard/protocol/renewal.ts'
import { receivingServer, type ReceivingServer } from '../../support/receiving-server.ts'
import { runHere } from '../daemon/run-here.ts'
import { HTTP_TOKEN } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { guardedDesk } from './guarded-desk.ts'

// A guard as a process of its own, and two real HTTP servers as the channels of two people; the test plays the daemon that dies.

const MOST_BYTES = 75_000_000
const KEY = 'a-key-of-enough-characters'

type Told = { readonly code: string; readonly kind: string; readonly what: string; readonly text: string }

const notices = ({ received }: ReceivingServer) => received.map(({ body }) => JSON.parse(body) as Told)
const count = (server: ReceivingServer, kind: string, code = 'guard-fired') =>
  notices(server).filter((one) => one.kind === kind && one.code === code).length

test('a guard that fired repeats its alert and takes it to the next person until `mizani ack`, while no daemon runs, within 75 MB', async () => {
  const [desk, boss] = [await receivingServer(), await receivingServer()]
  const env = { DESK_URL: `${desk.url}/hook`, BOSS_URL: `${boss.url}/hook`, HOOK_KEY: KEY }
  const hook = (url: string) => ({ url: `!env ${url}`, hmacKey: '!env HOOK_KEY' })
  const market = await guardedDesk(
    {},
    {
      notify: { webhook: { ...hook('DESK_URL'), minSeverity: 'critical' } },
      alert: { repeatMinutes: 0.05, escalation: [{ afterMinutes: 0.05, webhook: hook('BOSS_URL') }] },
    },
  )
  // What the channel does not take at first is sent again.
  desk.respond = (response) => {
    response.statusCode = 503
    response.end()
  }
  const guard = await market.startGuard(env)
  const daemon = openGuardClient(`http://127.0.0.1:${market.guardPort}`, () => HTTP_TOKEN)
  const quote = { bidBps: 60, askBps: 70 }
  const shown = { quote, isActive: true, worse: null, isReconciled: true, isLeaving: false }
  await daemon.ask(
    'POST',
    RENEW_PATH,
    {
      version: PROTOCOL_VERSION,
      holder: 'a'.repeat(32),
      deadlineMs: 3_000,
      positions: [{ name: 'desk-1', count: 1, ...shown }],
    },
    5_000,
  )
  daemon.close()
  await until('the guard has tried to notify', () => desk.received.length > 0, {
    otherwise: () => guard.output(),
  })
  desk.respond = (response) => void response.end('ok')
  await until('the next person learns of it', () => count(boss, 'raised') === 1, {
    otherwise: () => guard.output(),
  })
  await until('both are reminded', () => count(desk, 'reminder') > 0 && count(boss, 'reminder') > 0, {
    otherwise: () => guard.output(),
  })
  expect(count(desk, 'raised')).toBeGreaterThan(0)
  // News, and yet for everybody who was woken, though the channel takes what is critical alone.
  expect(count(desk, 'raised', 'guard-safe')).toBeGreaterThan(0)
  expect(notices(desk).find(({ kind }) => kind === 'reminder')?.text).toContain(
    '`mizani ack guard-fired --config ',
  )
  const status = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${guard.child.pid}/status`, 'utf8'))
  expect(Number(status?.[1]) * 1_024).toBeLessThan(MOST_BYTES)

  const wrong = await runHere(['ack', 'guard-latched', '--config', market.config], env)
  expect([wrong.code, wrong.out + wrong.err]).toEqual([3, expect.stringContaining('open: guard-fired')])
  const ack = ['ack', '--config', market.config, '--reason', 'I look', '--json']
  const acked = await runHere(ack, env)
  expect([acked.code, JSON.parse(acked.out)]).toEqual([
    0,
    expect.objectContaining({ via: 'guard', answer: expect.stringContaining('guard-fired') }),
  ])
  await until('both hear who has it', () => count(desk, 'acknowledged') + count(boss, 'acknowledged') === 2, {
    otherwise: () => guard.output(),
  })
  const reminded = count(desk, 'reminder') + count(boss, 'reminder')
  await pause(5_000)
  expect(count(desk, 'reminder') + count(boss, 'reminder')).toBe(reminded)
  const shownNow = await runHere(['guard', 'status', '--config', market.config], env)
  expect(shownNow.out).toContain('guard-fired: ')
  expect(shownNow.out).toContain('it in hand')
  await guard.kill('SIGTERM')
  await Promise.all([market.close(), desk.close(), boss.close()])
})
