import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_KEY, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { confirmed, endPair, type GuardedPair, quotingPair } from './guarded-pair.ts'
import type { GuardedDesk } from './guarded-desk.ts'
import { stopFaults, stopFor } from './measure-stops.ts'

// A venue, a daemon and its guard: real processes, real HTTP, the terms of the defaults. The desks live at once; the tests of
// one desk follow each other, and each begins with a daemon that quotes under a lease of the guard that the one before left.
// A guard latches at its third firing within an hour, so none of them fires more often than twice.

const LONG = { timeout: 180_000 }
const NEXT = { concurrent: false }
const MOST_BYTES = 75_000_000

/** The next daemon gets the lease, and takes nothing that the guard wrote for the write of a stranger. */
async function nextDaemon(pair: GuardedPair, fence: number): Promise<void> {
  pair.daemon = pair.desk.startDaemon()
  await pair.desk.quoting(pair.daemon)
  expect((await pair.daemon.state()).guard).toMatchObject({ watch: 'held', fence })
  expect(pair.daemon.output()).not.toContain('foreign-write')
}

/** The quote of a daemon that is dead, as it arrives late. */
async function setQuote({ venue }: GuardedDesk): Promise<void> {
  const answer = await fetch(`${venue.url}/api/v1/mm/spread`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bidBps: 60, askBps: 70, quoteBid: true, quoteAsk: true, quotePairs: null }),
  })
  expect(answer.status).toBe(200)
}

function residentBytes({ child }: RunningDaemon): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
  return Number(found?.[1]) * 1_024
}

describe.concurrent('A guard', LONG, () => {
  test('fires no sooner than 3 s after kill -9, sets the safe quote again when a late write of the killed daemon arrives, and uses at most 75 MB', async () => {
    const pair = await quotingPair()
    const { desk, guard } = pair
    await pair.daemon.kill('SIGKILL')
    const killedAt = performance.now()
    await confirmed(guard)
    // Sooner it would have fought a daemon that is only slow.
    expect(performance.now() - killedAt).toBeGreaterThan(3_000)

    await setQuote(desk)
    const arrivedAt = performance.now()
    await until('the safe quote is set again', desk.isSafe, { otherwise: guard.output })
    // The next read-back is the one after 2 s, or after 10 s.
    expect(performance.now() - arrivedAt).toBeLessThan(15_000)
    expect(guard.output()).toContain(`the safe quote`)
    expect(residentBytes(guard)).toBeLessThan(MOST_BYTES)
    await nextDaemon(pair, 2)

    await pair.daemon.kill('SIGTERM')
    await pause(6_000)
    // A daemon that has left in good order is no silence.
    expect(guard.output().match(/has been silent/g)).toHaveLength(1)
    await guard.kill('SIGTERM')
    await desk.close()
  })
})

// `npm run guard-kills -- --mode stops` has longer stops.
describe.concurrent('What stops and comes back', LONG, () => {
  let pair: GuardedPair
  beforeAll(async () => {
    pair = await quotingPair()
  })
  afterAll(() => endPair(pair))

  test(
    'is left alone where it is a daemon that is stopped for 2 s; one for 6 s finds the safe quote, gets its lease back and sends nothing under its former one',
    NEXT,
    async () => {
      const { daemon, guard } = pair
      const short = await stopFor(2_000, pair)
      expect(short).toMatchObject({ fired: false, foreign: false })
      expect((await daemon.state()).guard?.fence).toBe(1)
      const long = await stopFor(6_000, pair, () => confirmed(guard))
      expect(long).toMatchObject({ fired: true, wasSafeAtWake: true, foreign: false })
      // A read-back that differs from the safe quote would have been set again, which is a fault.
      expect([short, long].flatMap(stopFaults)).toEqual([])
      expect(guard.output()).toContain('lease 2 is granted')
      expect((await daemon.state()).guard?.fence).toBe(2)
    },
  )

  test(
    'leaves the daemon quoting where it is a guard that is drained, and one that only watches for no one is no matter',
    NEXT,
    async () => {
      const { desk, daemon } = pair
      await pair.guard.kill('SIGTERM')
      await until('no one watches', async () => (await daemon.state()).guard?.watch === 'unwatched', {
        otherwise: () => daemon.state(),
      })
      await pause(3_000)
      expect(await desk.quote()).toMatchObject({ bidBps: 60, askBps: 70 })
      pair.guard = await desk.startGuard()
      await desk.quoting(daemon)
    },
  )

  test(
    'leaves a daemon at the safe quote where it is a guard that dies first, a restart of the daemon too, until the guard is back',
    NEXT,
    async () => {
      const { desk, daemon: first } = pair
      await pair.guard.kill('SIGKILL')
      await until('the last write is the safe quote', desk.isSafe, { otherwise: () => first.state() })
      await first.kill('SIGKILL')
      const second = desk.startDaemon()
      pair.daemon = second
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
      pair.guard = await desk.startGuard()
      await desk.quoting(second)
    },
  )
})

describe.concurrent('A guard that restarts', LONG, () => {
  let pair: GuardedPair
  beforeAll(async () => {
    pair = await quotingPair()
  })
  afterAll(() => endPair(pair))

  test(
    'after both have died sets the safe quote though no one renews, and the daemon takes over from it',
    NEXT,
    async () => {
      const { desk, daemon, guard } = pair
      await Promise.all([daemon.kill('SIGKILL'), guard.kill('SIGKILL')])
      await pause(5_000)
      // No one is left who could act: that is what an outside dead-man service notices.
      expect(await desk.quote()).toMatchObject({ bidBps: 60, askBps: 70 })
      pair.guard = await desk.startGuard()
      await confirmed(pair.guard)
      expect(await desk.isSafe()).toBe(true)
      await nextDaemon(pair, 2)
    },
  )

  test(
    'before it has fired waits D and fires, and while it acts continues at once and hands back its writes',
    NEXT,
    async () => {
      const { desk, daemon, guard: first } = pair
      const before = first.output().length
      await daemon.kill('SIGKILL')
      await pause(1_000)
      await first.kill('SIGKILL')
      expect(first.output().slice(before)).not.toContain('has been silent')
      const second = await desk.startGuard()
      const listeningAt = performance.now()
      await confirmed(second)
      // It cannot know since when the daemon is silent.
      expect(performance.now() - listeningAt).toBeGreaterThan(3_500)
      expect(await desk.isSafe()).toBe(true)

      await second.kill('SIGKILL')
      await setQuote(desk)
      const third = await desk.startGuard()
      pair.guard = third
      await until('the safe quote is set again', desk.isSafe, {
        withinMs: 3_500,
        otherwise: third.output,
      })
      // The same firing continues: no one is notified of it twice.
      expect(third.output()).not.toContain('has been silent')
      await nextDaemon(pair, 3)
    },
  )
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
