import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { endDaemons } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { cuttableWay } from './cuttable-way.ts'
import { guardedDesk } from './guarded-desk.ts'
import { confirmed, type GuardedPair } from './guarded-pair.ts'

// What goes wrong between processes that live: ways are cut, and each test begins with the lease that the one before left.

afterAll(endDaemons)

describe('A daemon and a guard that are cut off', { timeout: 180_000 }, () => {
  let pair: GuardedPair
  let between: Awaited<ReturnType<typeof cuttableWay>>
  let toVenue: Awaited<ReturnType<typeof cuttableWay>>
  beforeAll(async () => {
    const port = await freePort()
    between = await cuttableWay(port)
    const desk = await guardedDesk({ port, url: between.url })
    toVenue = await cuttableWay(Number(new URL(desk.venue.url).port))
    const guard = await desk.startGuard({}, { venue: { baseUrl: toVenue.url } })
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    pair = { desk, daemon, guard }
  })
  afterAll(async () => {
    await pair.guard.kill('SIGKILL')
    between.close()
    toVenue.close()
    await pair.desk.close()
  })

  /** The daemon has made its quote safe, and knows why. */
  async function leaves({ desk, daemon }: GuardedPair): Promise<void> {
    await until('the daemon has left the safe quote', desk.isSafe, { otherwise: () => daemon.state() })
    await until(
      'the daemon knows that its lease has ended',
      async () => (await daemon.state()).guard?.watch === 'lapsed',
    )
  }

  test('from each other, of whom only the guard hears the other one: it never fires, and the daemon leaves the safe quote before its lease ends', async () => {
    const { desk, daemon, guard } = pair
    between.cut('answers')
    await leaves(pair)
    // Longer than D: to the guard the daemon lives, as it does.
    await pause(5_000)
    expect(guard.output()).not.toContain('has been silent')
    expect(await desk.isSafe()).toBe(true)
    between.heal()
    await desk.quoting(daemon)
    expect((await daemon.state()).guard?.fence).toBe(1)
  })

  test('from each other both want the safe quote, the daemon first, and neither fights; the daemon quotes again when the way is back', async () => {
    const { desk, daemon, guard } = pair
    between.cut('both')
    await until('the daemon has left the safe quote', desk.isSafe, { otherwise: () => daemon.state() })
    await confirmed(guard)
    await leaves(pair)
    await pause(3_000)
    expect(guard.output()).not.toContain('instead of the safe quote')
    expect(await desk.isSafe()).toBe(true)
    between.heal()
    await desk.quoting(daemon)
    expect((await daemon.state()).guard?.fence).toBe(2)
    expect(daemon.output()).not.toContain('foreign-write')
  })

  test('the guard from the venue, when the daemon dies: the guard sets the safe quote as soon as the way is back', async () => {
    const { desk, daemon, guard } = pair
    const before = guard.output().length
    const since = () => guard.output().slice(before)
    toVenue.cut('both')
    await daemon.kill('SIGKILL')
    await until('the guard has tried three times', () => since().split('no whole answer').length > 3, {
      otherwise: since,
    })
    expect(await desk.quote()).toMatchObject({ bidBps: 60, askBps: 70 })
    toVenue.heal()
    await until('the guard confirms the safe quote', () => since().includes('confirmed safe'), {
      withinMs: 15_000,
      otherwise: since,
    })
    expect(await desk.isSafe()).toBe(true)
  })
})
