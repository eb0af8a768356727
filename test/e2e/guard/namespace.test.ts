import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openGuardClient } from '../../../src/daemon/guard/protocol/ask-guard.ts'
import { STATUS_PATH } from '../../../src/daemon/guard/protocol/renewal.ts'
import { cannotLayCable, layCable } from '../../support/cable.ts'
import { needs } from '../../support/needs.ts'
import { ownCertificate } from '../../support/own-certificate.ts'
import { until } from '../daemon/until.ts'
import { guardedDesk } from './guarded-desk.ts'
import { recordingWay } from './recording-way.ts'

// The daemon on another machine: a network of its own, whose cable is pulled and put back. Guard and venue are at this end, the
// guard behind TLS with a token of its own.

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})
test.skipIf(needs('ip') || needs('openssl') || cannotLayCable())(
  'a daemon whose machine is cut off from venue and guard finds the safe quote of the guard when the cable is back, and nothing but a safe quote of its own arrives meanwhile',
  { timeout: 180_000 },
  async () => {
    const cable = layCable()
    ends.push(cable.remove)
    const own = ownCertificate(cable.here)
    ends.push(() => rmSync(own.folder, { recursive: true }))
    const env = { GUARD_TOKEN: randomBytes(32).toString('hex') }
    const desk = await guardedDesk()
    const url = `https://${cable.here}:${desk.guardPort}`
    const guardSection = {
      port: desk.guardPort,
      url,
      host: cable.here,
      token: '!env GUARD_TOKEN',
      tls: { cert: own.certFile, key: own.keyFile },
      ca: own.certFile,
    }
    const ofDaemon = await recordingWay(desk.venue.url, 0, cable.here)
    ends.push(
      () => desk.close(),
      () => ofDaemon.close(),
    )
    await using guard = await desk.startGuard(env, { guard: guardSection })
    const client = openGuardClient(url, () => env.GUARD_TOKEN, { ca: own.cert })
    ends.push(client.close)
    await using daemon = desk.startDaemon(
      env,
      { guard: guardSection, venue: { baseUrl: ofDaemon.url, allowPlainHttp: true, clock: 'real' } },
      ['ip', 'netns', 'exec', cable.space],
    )
    const words = () => `${guard.output()}\n${daemon.output()}${daemon.errors()}`
    const holdsLease = async (fence: number) => {
      const status = await client.ask('GET', STATUS_PATH, undefined, 2_000)
      const { positions = [] } = (status.ok ? status.value.body : {}) as { positions?: readonly object[] }
      const [position] = positions as readonly { readonly state: string; readonly fence: number }[]
      return position?.state === 'held' && position.fence === fence && (await desk.quote()).bidBps === 60
    }
    await until('the daemon quotes under a lease over TLS', () => holdsLease(1), { otherwise: words })
    // An activation keeps its own time-out: one that is under way would arrive when the cable is back, as it may.
    await until('the position is active', () => desk.venue.model.state.ours.isActive, { otherwise: words })

    cable.cut()
    const cutAt = performance.now()
    await until('the guard confirms the safe quote', () => guard.output().includes('confirmed safe'), {
      otherwise: words,
    })
    // The daemon has tried its last write by now, into the cable that is pulled.
    await pause(2_000)
    cable.heal()
    await until('the daemon quotes under the next lease', () => holdsLease(2), { otherwise: words })
    const granted =
      guard
        .output()
        .split('\n')
        .find((line) => line.includes('lease 2 is granted')) ?? '{}'
    const grantedAt = Date.parse((JSON.parse(granted) as { readonly time: string }).time)
    const late = ofDaemon.writes
      .filter(({ cameAt }) => cameAt > cutAt && performance.timeOrigin + cameAt < grantedAt - 1)
      .map(({ method, body }) => ({ method, ...(JSON.parse(body) as object) }))
    // After a longer silence it repeats the safe quote, because the guard may be dead.
    const safe = { method: 'PATCH', bidBps: 500, askBps: 500 }
    for (const write of late) expect(write).toMatchObject(safe)
    expect(guard.output()).not.toContain('instead of the safe quote')
    expect(daemon.output()).not.toContain('foreign-write')
  },
)
