import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { NO_ALERT, type LoadedAlert } from '../../../src/daemon/config/load/alert.ts'
import { Secret } from '../../../src/daemon/config/source/secret.ts'
import type { Notice } from '../../../src/daemon/notify/notice.ts'
import { runHeartbeats, type Vouched } from '../../../src/daemon/runtime/host/external-heartbeats.ts'
import { createHeartbeatMetrics } from '../../../src/daemon/telemetry/metrics/heartbeat-metrics.ts'
import { registrySource } from '../../../src/daemon/telemetry/metrics/scrape.ts'
import { receivingServer, type ReceivingServer } from '../../support/receiving-server.ts'

const PATH = '/ping/secret-uuid'
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Desk = { seq: number | null; ended: string | null; isSilent?: boolean; readonly notices: Notice[] }

function desk(): Desk {
  return { seq: 0, ended: null, notices: [] }
}

function heartbeat(url: string, suffixes = false): LoadedAlert {
  return { ...NO_ALERT, heartbeat: { url: new Secret(url + PATH), everyMs: 40, suffixes } }
}

/** Each desk writes an event whenever it is asked, unless it is silent. */
function run(desks: Record<string, Desk>, alertOf: (name: string) => LoadedAlert) {
  const lines: string[] = []
  const note = (_: object, text: string) => void lines.push(text)
  const metrics = createHeartbeatMetrics()
  const positions = (): Vouched[] =>
    Object.entries(desks).map(([position, one]) => ({
      alert: alertOf(position),
      notify: (notice) => void one.notices.push(notice),
      beat: async () => {
        if (one.seq !== null && one.isSilent !== true) one.seq += 1
        return { position, durableSeq: one.seq, ended: one.ended }
      },
    }))
  const stop = runHeartbeats({
    positions,
    log: { info: note, warn: note } as never,
    metrics,
    timing: { lookMs: 5, timeoutMs: 2_000, retryMs: 20, silentMs: 1_000 },
  })
  closing.push(stop)
  const count = async () => JSON.stringify(await registrySource(metrics).read(1_000))
  return { lines, stop, count }
}

async function service(): Promise<ReceivingServer> {
  const server = await receivingServer()
  closing.push(server.close)
  return server
}

const paths = ({ received }: ReceivingServer) => received.map(({ path }) => path)

describe('the outside service learns of the daemon', () => {
  test('again and again while its position journals, and not one time more once it is stopped', async () => {
    const server = await service()
    const { stop, lines } = run({ a: desk() }, () => heartbeat(server.url))
    await expect.poll(() => server.received.length).toBeGreaterThan(3)
    expect(new Set(paths(server))).toEqual(new Set([PATH]))
    await stop()
    await pause(100)
    const received = server.received.length
    await pause(200)
    expect(server.received).toHaveLength(received)
    expect(lines).toEqual([
      'the external heartbeat service accepts heartbeats: every position journals events',
    ])
  })

  test('nothing while one position of those that name it is silent, and everything again afterwards', async () => {
    const server = await service()
    const desks = { a: desk(), b: desk() }
    const { lines } = run(desks, () => heartbeat(server.url))
    await expect.poll(() => server.received.length).toBeGreaterThan(2)
    desks.b.isSilent = true
    await expect.poll(() => lines.join()).toContain('withheld: b ')
    const received = server.received.length
    await pause(200)
    expect(server.received.length - received).toBeLessThan(2)
    desks.b.isSilent = false
    await expect.poll(() => server.received.length).toBeGreaterThan(received + 2)
  })

  test('of no failure while a daemon starts, and of one once it takes too long', async () => {
    const [slow, stuck] = [await service(), await service()]
    const desks = { slow: { ...desk(), seq: null as number | null }, stuck: { ...desk(), seq: null } }
    const { lines } = run(desks, (name) => heartbeat(name === 'slow' ? slow.url : stuck.url, true))
    await expect.poll(() => lines.join()).toContain('slow does not')
    desks.slow.seq = 0
    await expect.poll(() => slow.received.length).toBeGreaterThan(0)
    await expect.poll(() => stuck.received.length).toBeGreaterThan(0)
    expect([paths(slow)[0], paths(stuck)[0]]).toEqual([`${PATH}/start`, `${PATH}/fail`])
  })

  test('of a start, and of a position that has ended, behind its path, where suffixes are on', async () => {
    const server = await service()
    const desks = { a: desk() }
    run(desks, () => heartbeat(server.url, true))
    await expect.poll(() => server.received.length).toBeGreaterThan(2)
    expect(paths(server).slice(0, 3)).toEqual([`${PATH}/start`, PATH, PATH])
    desks.a.ended = 'the disk is full'
    await expect.poll(() => paths(server)).toContain(`${PATH}/fail`)
    desks.a.ended = null
    await expect.poll(() => paths(server).at(-1)).toBe(PATH)
  })

  test('apart for each address: a service receives only the positions that name it', async () => {
    const [one, other] = [await service(), await service()]
    const desks = { a: desk(), b: desk(), c: desk() }
    desks.b.ended = 'gone'
    run(desks, (name) => (name === 'c' ? NO_ALERT : heartbeat(name === 'a' ? one.url : other.url)))
    await expect.poll(() => one.received.length).toBeGreaterThan(3)
    expect(other.received).toEqual([])
  })

  test('three failed heartbeats in a row raise a notice, and the next accepted heartbeat lifts it', async () => {
    const server = await service()
    server.respond = (response) => void response.writeHead(302, { location: '/x' }).end()
    const desks = { a: desk() }
    const { lines, count } = run(desks, () => heartbeat(server.url))
    await expect.poll(() => desks.a.notices.length).toBe(1)
    expect(desks.a.notices[0]).toMatchObject({
      code: 'heartbeat-refused',
      kind: 'raised',
      severity: 'warning',
    })
    expect(server.received.length).toBeGreaterThanOrEqual(3)
    server.respond = () => undefined
    await expect.poll(() => lines.join()).toContain('within 2000 ms')
    server.respond = (response) => void response.end('OK')
    await expect.poll(() => desks.a.notices.length).toBe(2)
    expect(desks.a.notices[1]).toMatchObject({ code: 'heartbeat-refused', kind: 'lifted' })
    const counted = await count()
    for (const outcome of ['taken', 'refused', 'withheld']) expect(counted).toContain(outcome)
    expect(lines.join()).not.toContain('secret-uuid')
  })
})
