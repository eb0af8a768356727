import { DAY_MS, MINUTE_MS, SECOND_MS, type Ms } from '../../../../src/base/time.ts'
import { createDice, type Dice } from '../../../world/dice.ts'
import type { GuardDay } from './day.ts'

const DAEMONS = ['a', 'b'] as const

/** How often a day, and what happens, by dice of its kind; the end of it is planned there. */
type Fault = { readonly perDay: number; readonly strike: (day: GuardDay, dice: Dice) => void }

/** Begins now, and ends after a while; `most` is the mean. */
function spell(day: GuardDay, dice: Dice, meanMs: Ms, end: () => void): void {
  day.at(day.now + dice.exponential(meanMs), end)
}

function cut(day: GuardDay, dice: Dice, link: Parameters<GuardDay['network']['cut']>[0]): void {
  day.network.cut(link)
  spell(day, dice, dice.pick([2 * SECOND_MS, 10 * SECOND_MS, MINUTE_MS]), () => day.network.mend(link))
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'daemon killed': {
    perDay: 30,
    strike(day, dice) {
      const name = dice.pick(DAEMONS)
      day.machines[name].kill()
      spell(day, dice, dice.pick([200, 10 * SECOND_MS, 20 * MINUTE_MS]), () => day.startDaemon(name))
    },
  },
  'daemon paused': {
    perDay: 60,
    strike(day, dice) {
      day.machines[dice.pick(DAEMONS)].pause(
        dice.exponential(dice.pick([500, 4 * SECOND_MS, 30 * SECOND_MS])),
      )
    },
  },
  'daemon stopped': {
    perDay: 15,
    strike(day, dice) {
      const name = dice.pick(DAEMONS)
      day.daemon(name)?.leave(() => {
        day.machines[name].kill()
        spell(day, dice, 30 * SECOND_MS, () => day.startDaemon(name))
      })
    },
  },
  'loop hangs': {
    perDay: 15,
    strike(day, dice) {
      const daemon = day.daemon(dice.pick(DAEMONS))
      if (daemon === null) return
      daemon.isHung = true
      spell(day, dice, 20 * SECOND_MS, () => void (daemon.isHung = false))
    },
  },
  'guard killed': {
    perDay: 20,
    strike(day, dice) {
      if (!day.guardMachine.isAlive) return
      day.guardMachine.kill()
      spell(day, dice, dice.pick([500, 10 * SECOND_MS, 3 * MINUTE_MS]), () => day.startGuard())
    },
  },
  'guard paused': {
    perDay: 40,
    strike(day, dice) {
      day.guardMachine.pause(dice.exponential(dice.pick([500, 4 * SECOND_MS, 30 * SECOND_MS])))
    },
  },
  'daemon cut off from the guard': {
    perDay: 40,
    strike: (day, dice) => cut(day, dice, `${dice.pick(DAEMONS)}-guard`),
  },
  'daemon cut off from the venue': {
    perDay: 40,
    strike: (day, dice) => cut(day, dice, `${dice.pick(DAEMONS)}-venue`),
  },
  'guard cut off from the venue': {
    perDay: 30,
    strike: (day, dice) => cut(day, dice, 'guard-venue'),
  },
  'network slow': {
    perDay: 20,
    strike(day, dice) {
      day.network.slowMs = dice.pick([50, 300, 1_500])
      spell(day, dice, 30 * SECOND_MS, () => void (day.network.slowMs = 0))
    },
  },
  'venue fails': {
    perDay: 20,
    strike(day, dice) {
      day.venue.errors = dice.pick([0.2, 0.9, 1])
      spell(day, dice, 30 * SECOND_MS, () => void (day.venue.errors = 0))
    },
  },
  'venue applies late': {
    perDay: 20,
    strike(day, dice) {
      Object.assign(day.venue, { lates: 0.3, lateMs: dice.pick([2_000, 8_000]) })
      spell(day, dice, MINUTE_MS, () => void (day.venue.lates = 0))
    },
  },
  'clock set': {
    perDay: 10,
    strike(day, dice) {
      const machine = dice.pick([day.machines.a, day.machines.b, day.guardMachine])
      machine.wallAheadMs += dice.pick([-1, 1]) * dice.pick([1_500, 90_000, DAY_MS])
    },
  },
  'foreign hand': {
    perDay: 10,
    strike(day, dice) {
      const bps = dice.between(20, 200)
      day.venue.execute({
        by: 'a foreign hand',
        quote: { bidBps: bps, askBps: bps, quoteBid: true, quoteAsk: true },
      })
    },
  },
}

export const CLOCK_RATES = 'clock rate off'
export const GUARD_FAULTS: readonly string[] = [...Object.keys(FAULTS), CLOCK_RATES]

/**
 * Schedules the faults of a day by dice of each kind, until it heals: without one kind the others strike as before, so that a day
 * that fails can be shrunk.
 */
export function planFaults(day: GuardDay, seed: number, without: readonly string[], untilMs: Ms): void {
  for (const [kind, { perDay, strike }] of Object.entries(FAULTS)) {
    if (without.includes(kind)) continue
    day.faults.add(kind, 0)
    const dice = createDice(seed, `guard fault ${kind}`)
    // Dice of their own: when a kind strikes does not depend on what its strikes draw.
    const times = createDice(seed, `guard times of ${kind}`)
    let at = times.exponential(DAY_MS / perDay)
    for (; at < untilMs; at += times.exponential(DAY_MS / perDay))
      day.at(at, () => {
        if (kind !== 'venue applies late') day.faults.add(kind)
        strike(day, dice)
      })
  }
}
