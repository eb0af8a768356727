import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { runMizani } from '../daemon/run-mizani.ts'
import { endDaemons, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { guardedDesk } from './guarded-desk.ts'

// A venue, a daemon and its guard: real processes, real HTTP, the terms of the defaults.

afterAll(endDaemons)

const LONG = { timeout: 180_000 }
const MOST_BYTES = 75_000_000

function residentBytes({ child }: RunningDaemon): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
  return Number(found?.[1]) * 1_024
}

const logOf = (guard: RunningDaemon) => guard.output()

describe('A guard', LONG, () => {
  test.concurrent('sets the safe quote after kill -9 of the daemon, reads it back, and hands back to the next one; it takes 75 MB at most', async () => {
    const desk = await guardedDesk()
    const guard = await desk.startGuard()
    const first = desk.startDaemon()
    await desk.quoting(first)
    await first.kill('SIGKILL')
    const killedAt = performance.now()
    await until('the guard confirms the safe quote', () => logOf(guard).includes('confirmed safe'), {
      otherwise: () => logOf(guard),
    })
    expect(await desk.isSafe()).toBe(true)
    // Sooner it would have fought a daemon that is only slow.
    expect(performance.now() - killedAt).toBeGreaterThan(3_000)
    const status = await runMizani(['guard', 'status', '--config', desk.config, '--json'])
    expect(status.code).toBe(1)
    expect(JSON.parse(status.out)).toMatchObject({
      positions: [{ name: 'desk-1', state: 'guarding', rung: 'safe' }],
    })
    expect(residentBytes(guard)).toBeLessThan(MOST_BYTES)

    const second = desk.startDaemon()
    await desk.quoting(second)
    const view = await second.state()
    expect(view.guard).toMatchObject({ watch: 'held', fence: 2 })
    expect(second.output()).not.toContain('foreign-write')

    await second.kill('SIGTERM')
    await pause(6_000)
    // A daemon that has left in good order is no silence.
    expect(logOf(guard).match(/has been silent/g)).toHaveLength(1)
    await guard.kill('SIGTERM')
    await desk.close()
  })

  test.concurrent('acts for a daemon that is stopped, which sends nothing under its former lease when it wakes', async () => {
    const desk = await guardedDesk()
    const guard = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    daemon.child.kill('SIGSTOP')
    await until('the guard confirms the safe quote', () => logOf(guard).includes('confirmed safe'), {
      otherwise: () => logOf(guard),
    })
    daemon.child.kill('SIGCONT')
    await until('the daemon is back', () => logOf(guard).includes('lease 2 is granted'), {
      otherwise: () => `${logOf(guard)}\n${daemon.output()}`,
    })
    // Between the two the venue held the safe quote: a read-back that differs would have been set again.
    expect(logOf(guard)).not.toContain('instead of the safe quote')
    await desk.quoting(daemon)
    expect(daemon.output()).not.toContain('foreign-write')
    await daemon.kill('SIGTERM')
    await guard.kill('SIGTERM')
    await desk.close()
  })

  test.concurrent('that dies first leaves a daemon at the safe quote, a restart of the daemon too, until it is back', async () => {
    const desk = await guardedDesk()
    const guard = await desk.startGuard()
    const first = desk.startDaemon()
    await desk.quoting(first)
    await guard.kill('SIGKILL')
    await until('the last write is the safe quote', desk.isSafe, { otherwise: () => first.state() })
    await first.kill('SIGKILL')
    const second = desk.startDaemon()
    const seen = await until(
      'the next process knows that it is watched',
      async () => {
        const view = await second.state()
        return view.guard !== null && view.guard.watch === 'closing' && view
      },
      { otherwise: () => second.state() },
    )
    expect(seen.reasons.join()).toContain('guard')
    await pause(2_000)
    expect(await desk.isSafe()).toBe(true)
    const next = await desk.startGuard()
    await desk.quoting(second)
    await second.kill('SIGTERM')
    await next.kill('SIGTERM')
    await desk.close()
  })

  test.concurrent('that is drained leaves the daemon quoting, and one that only watches for nobody is no matter', async () => {
    const desk = await guardedDesk()
    const guard = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    await guard.kill('SIGTERM')
    await until('nobody watches', async () => (await daemon.state()).guard?.watch === 'unwatched', {
      otherwise: () => daemon.state(),
    })
    await pause(3_000)
    expect(await desk.quote()).toMatchObject({ bidBps: 60, askBps: 70 })
    const again = await desk.startGuard()
    await desk.quoting(daemon)
    await daemon.kill('SIGTERM')
    await again.kill('SIGTERM')
    await desk.close()
  })
})
