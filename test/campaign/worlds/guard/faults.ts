import { DAY_MS, MINUTE_MS, SECOND_MS, type Ms } from '../../../../src/base/time.ts'
import type { GuardDay } from './day.ts'

const DAEMONS = ['a', 'b'] as const

/** How often a day, and what happens; the end of it is planned there. */
type Fault = { readonly perDay: number; readonly strike: (day: GuardDay) => void }

/** Begins now, and ends after a while; `most` is the mean. */
function spell(day: GuardDay, meanMs: Ms, end: () => void): void {
  day.at(day.now + day.dice.exponential(meanMs), end)
}

function cut(day: GuardDay, link: Parameters<GuardDay['network']['cut']>[0], meanMs: Ms): void {
  day.network.cut(link)
  spell(day, meanMs, () => day.network.mend(link))
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'daemon killed': {
    perDay: 30,
    strike(day) {
      const name = day.dice.pick(DAEMONS)
      day.machines[name].kill()
      spell(day, day.dice.pick([200, 10 * SECOND_MS, 20 * MINUTE_MS]), () => day.startDaemon(name))
    },
  },
  'daemon paused': {
    perDay: 60,
    strike(day) {
      day.machines[day.dice.pick(DAEMONS)].pause(
        day.dice.exponential(day.dice.pick([500, 4 * SECOND_MS, 30 * SECOND_MS])),
      )
    },
  },
  'daemon stopped': {
    perDay: 15,
    strike(day) {
      const name = day.dice.pick(DAEMONS)
      day.daemon(name)?.leave(() => {
        day.machines[name].kill()
        spell(day, 30 * SECOND_MS, () => day.startDaemon(name))
      })
    },
  },
  'loop hangs': {
    perDay: 15,
    strike(day) {
      const daemon = day.daemon(day.dice.pick(DAEMONS))
      if (daemon === null) return
      daemon.isHung = true
      spell(day, 20 * SECOND_MS, () => void (daemon.isHung = false))
    },
  },
  'guard killed': {
    perDay: 20,
    strike(day) {
      if (!day.guardMachine.isAlive) return
      day.guardMachine.kill()
      spell(day, day.dice.pick([500, 10 * SECOND_MS, 3 * MINUTE_MS]), () => day.startGuard())
    },
  },
  'guard paused': {
    perDay: 40,
    strike(day) {
      day.guardMachine.pause(day.dice.exponential(day.dice.pick([500, 4 * SECOND_MS, 30 * SECOND_MS])))
    },
  },
  'daemon cut off from the guard': {
    perDay: 40,
    strike: (day) =>
      cut(day, `${day.dice.pick(DAEMONS)}-guard`, day.dice.pick([2 * SECOND_MS, 10 * SECOND_MS, MINUTE_MS])),
  },
  'daemon cut off from the venue': {
    perDay: 40,
    strike: (day) =>
      cut(day, `${day.dice.pick(DAEMONS)}-venue`, day.dice.pick([2 * SECOND_MS, 10 * SECOND_MS, MINUTE_MS])),
  },
  'guard cut off from the venue': {
    perDay: 30,
    strike: (day) => cut(day, 'guard-venue', day.dice.pick([2 * SECOND_MS, 10 * SECOND_MS, MINUTE_MS])),
  },
  'network slow': {
    perDay: 20,
    strike(day) {
      day.network.slowMs = day.dice.pick([50, 300, 1_500])
      spell(day, 30 * SECOND_MS, () => void (day.network.slowMs = 0))
    },
  },
  'venue fails': {
    perDay: 20,
    strike(day) {
      day.venue.errors = day.dice.pick([0.2, 0.9, 1])
      spell(day, 30 * SECOND_MS, () => void (day.venue.errors = 0))
    },
  },
  'venue applies late': {
    perDay: 20,
    strike(day) {
      Object.assign(day.venue, { lates: 0.3, lateMs: day.dice.pick([2_000, 8_000]) })
      spell(day, MINUTE_MS, () => void (day.venue.lates = 0))
    },
  },
  'clock set': {
    perDay: 10,
    strike(day) {
      const machine = day.dice.pick([day.machines.a, day.machines.b, day.guardMachine])
      machine.wallAheadMs += day.dice.pick([-1, 1]) * day.dice.pick([1_500, 90_000, DAY_MS])
    },
  },
  'foreign hand': {
    perDay: 10,
    strike(day) {
      const bps = day.dice.between(20, 200)
      day.venue.carryOut({
        by: 'a foreign hand',
        quote: { bidBps: bps, askBps: bps, quoteBid: true, quoteAsk: true },
      })
    },
  },
}

export const CLOCK_RATES = 'clock rate off'
export const GUARD_FAULTS: readonly string[] = [...Object.keys(FAULTS), CLOCK_RATES]

/** Schedules the faults of a day by dice of each kind, until it heals. */
export function planFaults(day: GuardDay, without: readonly string[], untilMs: Ms): void {
  for (const [kind, { perDay, strike }] of Object.entries(FAULTS)) {
    if (without.includes(kind)) continue
    day.faults.add(kind, 0)
    let at = day.dice.exponential(DAY_MS / perDay)
    for (; at < untilMs; at += day.dice.exponential(DAY_MS / perDay))
      day.at(at, () => {
        if (kind !== 'venue applies late') day.faults.add(kind)
        strike(day)
      })
  }
}
