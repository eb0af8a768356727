import { afterEach, describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../../../../src/base/result.ts'
import { createGuardHeartbeat } from '../../../../../src/daemon/guard/process/heartbeat.ts'
import { holdTimers } from '../../../../support/held-timer.ts'
import { type ReceivingServer, receivingServer } from '../../../../support/receiving-server.ts'

const TIMEOUT_MS = 12_345
const SECRET = 'c0ffee00-uuid-of-the-guard'
let service: ReceivingServer | null = null
afterEach(async () => {
  await service?.close()
  service = null
})

/** A guard's heartbeat to a real server, on a virtual clock. */
async function beating({ suffixes = false, everyMs = 60_000 } = {}) {
  const server = (service = await receivingServer())
  const clock = { at: 0 }
  const world = {
    obstacle: null as string | null,
    url: ok(`${server.url}/ping/${SECRET}`) as Result<string, string>,
  }
  const lines: string[] = []
  const tick = createGuardHeartbeat({
    heartbeats: [{ url: () => world.url, everyMs, suffixes }],
    obstacle: () => world.obstacle,
    report: { log: (level, _position, message) => void lines.push(`${level} ${message}`) },
    clock: { now: () => clock.at },
    timeoutMs: TIMEOUT_MS,
  })
  return {
    server,
    world,
    lines,
    paths: () => server.received.map(({ path }) => path.replace(`/ping/${SECRET}`, '')),
    /** Time passes, with the ticks of the guard, and each heartbeat has time to end. */
    pass: async (ms: number) => {
      for (const end = clock.at + ms; clock.at < end;) {
        clock.at += Math.min(ms >= 10_000 ? 10_000 : 1_000, end - clock.at)
        // A heartbeat that left has to end before the next tick: the clock of the guard is virtual, its request is not.
        await tick()
      }
    },
    tick,
  }
}

const ANSWERS = 'info the outside service answers the heartbeat of the guard'

describe('The heartbeat of a guard', () => {
  test('is one GET a minute, of the address alone', async () => {
    const { server, pass, paths } = await beating()
    await pass(1_000)
    expect(paths()).toEqual([''])
    await pass(59_000)
    expect(paths()).toHaveLength(1)
    await pass(60_000)
    expect(paths()).toEqual(['', ''])
    expect(server.received[0]?.body).toBe('')
  })

  test('is withheld while the guard could not act, which is logged once, and comes again with the power', async () => {
    const { world, pass, paths, lines } = await beating()
    world.obstacle = 'desk: the venue refuses the key (401)'
    await pass(180_000)
    expect(paths()).toEqual([])
    expect(lines).toEqual(["warn the guard's heartbeat is withheld: desk: the venue refuses the key (401)"])
    world.obstacle = null
    await pass(60_000)
    expect(paths()).toEqual([''])
    expect(lines.at(-1)).toBe(ANSWERS)
  })

  test('has the suffixes of healthchecks.io where they are wanted', async () => {
    const { world, pass, paths } = await beating({ suffixes: true, everyMs: 1_000 })
    await pass(1_000)
    await pass(1_000)
    world.obstacle = 'the guard cannot keep its numbers'
    await pass(1_000)
    expect(paths()).toEqual(['/start', '', '/fail'])
  })

  test('that is not taken is sent again after ten seconds, and logged once without the address', async () => {
    const { server, pass, lines } = await beating()
    server.respond = (response) => void response.writeHead(503).end()
    await pass(1_000)
    await pass(9_000)
    expect(server.received).toHaveLength(1)
    await pass(2_000)
    expect(server.received).toHaveLength(2)
    expect(lines).toEqual(['warn the outside service took no heartbeat of the guard: it answered 503'])
    server.respond = (response) => void response.end('ok')
    await pass(11_000)
    expect(lines.at(-1)).toBe(ANSWERS)
    expect(lines.join()).not.toContain(SECRET)
  })

  test('whose address cannot be read is reported, and read again with the next one', async () => {
    const { world, pass, paths, lines } = await beating()
    const { url } = world
    world.url = err('the file ping_url is not there')
    await pass(1_000)
    expect(lines).toEqual([
      'warn the outside service took no heartbeat of the guard: the file ping_url is not there',
    ])
    world.url = url
    await pass(11_000)
    expect(paths()).toEqual([''])
  })

  test('does not pile up at a service that does not answer', async () => {
    const passDeadline = holdTimers(TIMEOUT_MS)
    const { server, tick } = await beating({ everyMs: 0 })
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    server.respond = () => resolve()
    const given = Array.from({ length: 20 }, () => tick())
    await arrived
    for (let times = 0; times < 20; times += 1) given.push(tick())
    // It is given up after its time, and by then no other one has left.
    passDeadline()
    await Promise.all(given)
    expect(server.received).toHaveLength(1)
  })
})
