import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { until } from '../daemon/until.ts'
import { cuttableWay } from './cuttable-way.ts'
import { guardedDesk } from './guarded-desk.ts'
import { confirmed } from './guarded-pair.ts'

test(
  'a daemon and a guard that are cut off from each other both set the safe quote without a fight, and the daemon quotes again when the way is back',
  { timeout: 120_000 },
  async () => {
    const port = await freePort()
    const between = await cuttableWay(port)
    await using desk = await guardedDesk({ port, url: between.url })
    await using guard = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)

    between.cut()
    await until('the quote is safe', desk.isSafe, { otherwise: () => daemon.state() })
    await confirmed(guard)
    await until('the lease has ended', async () => (await daemon.state()).guard?.watch === 'lapsed')
    await pause(3_000)
    expect(guard.output()).not.toContain('instead of the safe quote')
    expect(await desk.isSafe()).toBe(true)

    between.heal()
    await desk.quoting(daemon)
    expect((await daemon.state()).guard?.fence).toBe(2)
    expect(daemon.output()).not.toContain('foreign-write')
    between.close()
  },
)
