import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { API_KEY, endDaemons } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { freePort } from '../../support/free-port.ts'
import { cuttableWay } from './cuttable-way.ts'
import { guardedDesk, SAFE_BPS } from './guarded-desk.ts'

// What goes wrong between processes that live: the way between daemon and guard is cut, and a write arrives late.

afterAll(endDaemons)

describe('A daemon and a guard that are cut off from each other', { timeout: 180_000 }, () => {
  test.concurrent('both want the safe quote, the daemon first, and neither fights; the daemon quotes again when the way is back', async () => {
    const guardPort = await freePort()
    const way = await cuttableWay(guardPort)
    const desk = await guardedDesk({ port: guardPort, url: `http://127.0.0.1:${way.port}` })
    const guard = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    way.cut('both')
    await until('the daemon has left the safe quote', desk.isSafe, { otherwise: () => daemon.state() })
    await until('the guard acts as well', () => guard.output().includes('confirmed safe'), {
      otherwise: () => guard.output(),
    })
    await until(
      'the daemon knows that its lease has ended',
      async () => (await daemon.state()).guard?.watch === 'lapsed',
    )
    await pause(3_000)
    expect(guard.output()).not.toContain('instead of the safe quote')
    expect(await desk.isSafe()).toBe(true)
    way.heal()
    await desk.quoting(daemon)
    expect((await daemon.state()).guard?.fence).toBe(2)
    expect(daemon.output()).not.toContain('foreign-write')
    await daemon.kill('SIGTERM')
    await guard.kill('SIGTERM')
    way.close()
    await desk.close()
  })

  test.concurrent('of whom only the guard hears the other one: it never fires, and the daemon leaves the safe quote before its lease ends', async () => {
    const guardPort = await freePort()
    const way = await cuttableWay(guardPort)
    const desk = await guardedDesk({ port: guardPort, url: way.url })
    const guard = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    way.cut('answers')
    await until('the daemon has left the safe quote', desk.isSafe, { otherwise: () => daemon.state() })
    await until(
      'the daemon knows that its lease has ended',
      async () => (await daemon.state()).guard?.watch === 'lapsed',
    )
    // Longer than D: to the guard the daemon lives, as it does.
    await pause(5_000)
    expect(guard.output()).not.toContain('has been silent')
    expect(await desk.isSafe()).toBe(true)
    way.heal()
    await desk.quoting(daemon)
    expect((await daemon.state()).guard?.fence).toBe(1)
    await daemon.kill('SIGTERM')
    await guard.kill('SIGTERM')
    way.close()
    await desk.close()
  })

  test.concurrent('and a guard that is cut off from the venue when the daemon dies: it sets the safe quote as soon as the way is back', async () => {
    const desk = await guardedDesk()
    const way = await cuttableWay(Number(new URL(desk.venue.url).port))
    const guard = await desk.startGuard({}, { venue: { baseUrl: way.url } })
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    way.cut('both')
    await daemon.kill('SIGKILL')
    await until('the guard has tried three times', () => guard.output().split('no whole answer').length > 3, {
      otherwise: () => guard.output(),
    })
    expect(await desk.quote()).toMatchObject({ bidBps: 60, askBps: 70 })
    way.heal()
    await until('the guard confirms the safe quote', () => guard.output().includes('confirmed safe'), {
      withinMs: 15_000,
      otherwise: () => guard.output(),
    })
    expect(await desk.isSafe()).toBe(true)
    await guard.kill('SIGKILL')
    way.close()
    await desk.close()
  })

  test.concurrent('a write of the dead daemon that arrives after the confirmed safe quote is found by a read-back, and the safe quote set again', async () => {
    const desk = await guardedDesk()
    const guard = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    await daemon.kill('SIGKILL')
    await until('the guard confirms the safe quote', () => guard.output().includes('confirmed safe'), {
      otherwise: () => guard.output(),
    })
    const late = await fetch(`${desk.venue.url}/api/v1/mm/spread`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ bidBps: 60, askBps: 70, quoteBid: true, quoteAsk: true, quotePairs: null }),
    })
    expect(late.status).toBe(200)
    const arrivedAt = performance.now()
    await until('the safe quote is set again', desk.isSafe, { otherwise: () => guard.output() })
    // The next read-back is the one after 2 s, or after 10 s.
    expect(performance.now() - arrivedAt).toBeLessThan(15_000)
    expect(guard.output()).toContain(`instead of the safe quote`)
    expect((await desk.quote()).bidBps).toBe(SAFE_BPS)
    await guard.kill('SIGKILL')
    await desk.close()
  })
})
