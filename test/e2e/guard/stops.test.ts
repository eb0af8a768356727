import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { API_KEY, endDaemons, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { guardedDesk, type GuardedDesk } from './guarded-desk.ts'
import { stopFaults, stopFor } from './measure-stops.ts'

// What stops and starts again: the daemon for a while, the guard in the middle, both. `npm run guard-kills -- --mode stops`
// has the longer ones.

afterAll(endDaemons)

const LONG = { timeout: 180_000 }

async function confirmed(guard: RunningDaemon): Promise<void> {
  await until('the guard confirms the safe quote', () => guard.output().includes('confirmed safe'), {
    otherwise: () => guard.output(),
  })
}

/** The quote of a daemon that is dead, as it would arrive late. */
async function setQuote({ venue }: GuardedDesk): Promise<void> {
  const answer = await fetch(`${venue.url}/api/v1/mm/spread`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bidBps: 60, askBps: 70, quoteBid: true, quoteAsk: true, quotePairs: null }),
  })
  expect(answer.status).toBe(200)
}

describe('Of what stops and starts again', LONG, () => {
  test.concurrent('a daemon that is stopped for 2 s is left alone, and one for 6 s finds the safe quote and gets its lease back', async () => {
    const desk = await guardedDesk()
    const guard = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    const short = await stopFor(2_000, { desk, daemon, guard })
    expect(short).toMatchObject({ fired: false, foreign: false })
    expect((await daemon.state()).guard?.fence).toBe(1)
    const long = await stopFor(6_000, { desk, daemon, guard })
    expect(long).toMatchObject({ fired: true, wasSafeAtWake: true, foreign: false })
    expect([short, long].flatMap(stopFaults)).toEqual([])
    expect((await daemon.state()).guard?.fence).toBe(2)
    await daemon.kill('SIGTERM')
    await guard.kill('SIGTERM')
    await desk.close()
  })

  test.concurrent('a guard that restarts before it has fired waits D and fires, and while it acts goes on at once and hands back its writes', async () => {
    const desk = await guardedDesk()
    const first = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    await daemon.kill('SIGKILL')
    await pause(1_000)
    await first.kill('SIGKILL')
    expect(first.output()).not.toContain('has been silent')
    const second = await desk.startGuard()
    const listeningAt = performance.now()
    await confirmed(second)
    // It cannot know since when the daemon is silent.
    expect(performance.now() - listeningAt).toBeGreaterThan(3_500)
    expect(await desk.isSafe()).toBe(true)

    await second.kill('SIGKILL')
    await setQuote(desk)
    const third = await desk.startGuard()
    await until('the safe quote is set again', desk.isSafe, {
      withinMs: 3_500,
      otherwise: () => third.output(),
    })
    // The same firing goes on: nobody is told of it twice.
    expect(third.output()).not.toContain('has been silent')
    const next = desk.startDaemon()
    await desk.quoting(next)
    expect((await next.state()).guard).toMatchObject({ watch: 'held', fence: 2 })
    expect(next.output()).not.toContain('foreign-write')
    await next.kill('SIGTERM')
    await third.kill('SIGTERM')
    await desk.close()
  })

  test.concurrent('a guard that restarts after both have died sets the safe quote though nobody renews, and the daemon takes over from it', async () => {
    const desk = await guardedDesk()
    const first = await desk.startGuard()
    const daemon = desk.startDaemon()
    await desk.quoting(daemon)
    await Promise.all([daemon.kill('SIGKILL'), first.kill('SIGKILL')])
    await pause(5_000)
    // Nobody is left who could act: that is what an outside dead-man service notices.
    expect(await desk.quote()).toMatchObject({ bidBps: 60, askBps: 70 })
    const second = await desk.startGuard()
    await confirmed(second)
    expect(await desk.isSafe()).toBe(true)
    const next = desk.startDaemon()
    await desk.quoting(next)
    expect((await next.state()).guard).toMatchObject({ watch: 'held', fence: 2 })
    expect(next.output()).not.toContain('foreign-write')
    await next.kill('SIGTERM')
    await second.kill('SIGTERM')
    await desk.close()
  })
})

describe('The judgement of a stop', () => {
  test('has a sentence for each thing that must not happen', () => {
    const good = {
      stoppedMs: 30_000,
      fired: true,
      wasSafeAtWake: true,
      backMs: 1_500,
      late: false,
      foreign: false,
    }
    expect(stopFaults(good)).toEqual([])
    expect(stopFaults({ ...good, stoppedMs: 2_000 })).toHaveLength(1)
    expect(stopFaults({ ...good, wasSafeAtWake: false, late: true, foreign: true })).toHaveLength(3)
    expect(stopFaults({ ...good, stoppedMs: 5_000, fired: false, wasSafeAtWake: false })).toEqual([])
  })
})
