import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { receivingServer } from '../support/receiving-server.ts'
import { openMarket } from './daemon/open-market.ts'
import { until } from './daemon/until.ts'

test('an outside service hears a daemon start and trade, and nothing any longer once it is killed', async () => {
  const service = await receivingServer()
  const alert = { heartbeatUrl: '!env PING_URL', heartbeatEveryMs: 1_000, heartbeatSuffixes: true }
  const market = await openMarket({}, { alert })
  const daemon = market.start({ PING_URL: `${service.url}/ping/a-secret-uuid` })
  await market.quoted(60, 70)
  await until('three heartbeats are received', () => service.received.length >= 3)
  expect(service.received.slice(0, 3).map(({ path }) => path)).toEqual([
    '/ping/a-secret-uuid/start',
    '/ping/a-secret-uuid',
    '/ping/a-secret-uuid',
  ])
  expect((await daemon.get('/metrics')).body).toMatch(/mizani_heartbeats_total\{outcome="taken"\} [1-9]/)
  await daemon.kill('SIGKILL')
  await pause(200)
  const received = service.received.length
  await pause(2_500)
  expect(service.received).toHaveLength(received)
  expect(daemon.output() + daemon.errors()).not.toContain('a-secret-uuid')
  await Promise.all([market.close(), service.close()])
})
