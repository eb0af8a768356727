import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { API_KEY, endDaemons } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { freePort } from '../../support/free-port.ts'
import { guardedDesk, SAFE_BPS } from './guarded-desk.ts'

// What goes wrong between processes that live: the way between daemon and guard is cut, and a write arrives late.

afterAll(endDaemons)

/** A way to a port that can be cut: what is under way and what comes then is swallowed, as on a cable without an end. */
async function cuttable(to: number) {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    open.add(near)
    near.on('error', () => near.destroy())
    near.on('close', () => open.delete(near))
    if (isCut) return
    const far = connect(to, '127.0.0.1')
    open.add(far)
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    near.on('data', (bytes) => isCut || far.write(bytes))
    far.on('data', (bytes) => isCut || near.write(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => (isCut = true),
    heal() {
      isCut = false
      for (const socket of open) socket.destroy()
    },
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

describe('A daemon and a guard that are cut off from each other', { timeout: 180_000 }, () => {
  test.concurrent('both want the safe quote, the daemon first, and neither fights; the daemon quotes again when the way is back', async () => {
    const guardPort = await freePort()
    const way = await cuttable(guardPort)
    const desk = await guardedDesk({ port: guardPort, url: `http://127.0.0.1:${way.port}` })
    const guard = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    way.cut()
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
