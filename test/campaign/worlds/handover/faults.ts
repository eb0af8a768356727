import { DAY_MS, MINUTE_MS, SECOND_MS, type Ms } from '../../../../src/base/time.ts'
import { createDice, type Dice } from '../../../world/dice.ts'
import type { HandOverDay } from './day.ts'
import { DESTINATION, WITHDRAWN_USDC } from './settings.ts'

/** How often a day, and what happens, by dice of its kind; the end of it is planned there. */
type Fault = { readonly perDay: number; readonly strike: (day: HandOverDay, dice: Dice) => void }

/** Begins now, and ends after a while. */
function spell(day: HandOverDay, dice: Dice, meanMs: Ms, end: () => void): void {
  day.at(day.now + dice.exponential(meanMs), end)
}

function cut(day: HandOverDay, dice: Dice, link: Parameters<HandOverDay['network']['cut']>[0]): void {
  day.network.cut(link)
  spell(day, dice, dice.pick([SECOND_MS, 4 * SECOND_MS, 20 * SECOND_MS]), () => day.network.mend(link))
}

function kill(day: HandOverDay, dice: Dice, name: string): void {
  day.kill(name)
  spell(day, dice, dice.pick([300, 5 * SECOND_MS, 20 * SECOND_MS]), () => day.start(name))
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'daemon killed': {
    perDay: 12,
    strike: (day, dice) => kill(day, dice, day.holderOrAny(dice)),
  },
  'standby killed': {
    perDay: 6,
    strike: (day, dice) => kill(day, dice, dice.pick(day.standbys())),
  },
  'all killed': {
    perDay: 3,
    strike: (day, dice) => day.names.forEach((name) => kill(day, dice, name)),
  },
  'daemon paused': {
    perDay: 16,
    strike(day, dice) {
      const name = dice.happens(0.8) ? day.holderOrAny(dice) : dice.pick(day.names)
      day.pause(name, dice.exponential(dice.pick([700, 4 * SECOND_MS, 15 * SECOND_MS])))
    },
  },
  SIGTERM: {
    perDay: 12,
    strike(day, dice) {
      const name = dice.happens(0.8) ? day.holderOrAny(dice) : dice.pick(day.names)
      day.leave(name)
    },
  },
  'all SIGTERM': {
    perDay: 8,
    // One after the other, as anyone who ends them reaches them.
    strike: (day, dice) =>
      day.names.forEach((name) => day.at(day.now + dice.next() * SECOND_MS, () => day.leave(name))),
  },
  'holder cut off from the database': {
    perDay: 12,
    strike: (day, dice) => cut(day, dice, `${day.holderOrAny(dice)}-db`),
  },
  'standby cut off from the database': {
    perDay: 6,
    strike: (day, dice) => cut(day, dice, `${dice.pick(day.standbys())}-db`),
  },
  'daemon cut off from the venue': {
    perDay: 10,
    strike: (day, dice) => cut(day, dice, `${day.holderOrAny(dice)}-venue`),
  },
  'connections cut': {
    perDay: 12,
    strike: (day) => day.cutConnections(),
  },
  'database restarted': {
    perDay: 6,
    strike(day, dice) {
      day.server.isUp = false
      day.cutConnections()
      spell(day, dice, dice.pick([300, 2 * SECOND_MS, 8 * SECOND_MS]), () => void (day.server.isUp = true))
    },
  },
  'database fails over': {
    perDay: 5,
    strike(day, dice) {
      day.server.isUp = false
      day.cutConnections()
      day.failOver(dice.pick([0, 0, 200, 2_000]))
      spell(day, dice, dice.pick([300, 3 * SECOND_MS]), () => void (day.server.isUp = true))
    },
  },
  'database slow': {
    perDay: 8,
    strike(day, dice) {
      day.server.slowMs = dice.pick([60, 250, 700])
      spell(day, dice, 10 * SECOND_MS, () => void (day.server.slowMs = 0))
    },
  },
  'network slow': {
    perDay: 8,
    strike(day, dice) {
      day.network.slowMs = dice.pick([40, 150, 500])
      spell(day, dice, 10 * SECOND_MS, () => void (day.network.slowMs = 0))
    },
  },
  'venue slow': {
    perDay: 8,
    strike(day, dice) {
      day.venue.slowMs = dice.pick([100, 600, 2_500])
      spell(day, dice, 15 * SECOND_MS, () => void (day.venue.slowMs = 0))
    },
  },
  'venue applies late': {
    perDay: 8,
    strike(day, dice) {
      Object.assign(day.venue, { lates: 0.4, lateMs: dice.pick([2_000, 8_000]) })
      spell(day, dice, 20 * SECOND_MS, () => void (day.venue.lates = 0))
    },
  },
  withdrawal: {
    perDay: 8,
    strike(day, dice) {
      const amount = WITHDRAWN_USDC + BigInt(day.faults.all['withdrawal'] ?? 0)
      const steps = [4, 8, 14].map((s) => day.now + s * SECOND_MS * (0.5 + dice.next()))
      day.command({ name: 'deactivate' })
      day.at(steps[0] ?? 0, () => day.command({ name: 'deactivate' }))
      day.at(steps[1] ?? 0, () =>
        day.command({ name: 'withdraw', asset: 'USDC', amount, toAddress: DESTINATION }),
      )
      day.at(steps[2] ?? 0, () => day.command({ name: 'activate' }))
    },
  },
}

export const CLOCK_RATES = 'clock rate off'
export const THREE_DAEMONS = 'three daemons'
export const HANDOVER_FAULTS: readonly string[] = [...Object.keys(FAULTS), CLOCK_RATES, THREE_DAEMONS]

/** Between two faults nothing happens for longer than this: what is left of it is not lived. */
const LONGEST_QUIET_MS: Ms = 40 * SECOND_MS

type Planned = {
  readonly at: Ms
  readonly kind: string
  readonly fault: Fault
  readonly dice: Dice
  /** The longest quiet before it. */
  readonly quietMs: Ms
}

/**
 * Schedules the faults of a day by dice of each kind, until it heals, and gives when the last one strikes. Quiet stretches between
 * two of them are shortened: no kind knows the time of day.
 */
export function planFaults(day: HandOverDay, seed: number, without: readonly string[], untilMs: Ms): Ms {
  const planned: Planned[] = []
  for (const [kind, fault] of Object.entries(FAULTS)) {
    if (without.includes(kind)) continue
    day.faults.add(kind, 0)
    const meanMs = DAY_MS / fault.perDay
    const dice = createDice(seed, `handover fault ${kind}`)
    const times = createDice(seed, `handover times of ${kind}`)
    for (let at = times.exponential(meanMs); at < untilMs; at += times.exponential(meanMs))
      planned.push({ at, kind, fault, dice, quietMs: LONGEST_QUIET_MS * (0.5 + times.next()) })
  }
  let [lived, before] = [0, 0]
  for (const { at, kind, fault, dice, quietMs } of planned.toSorted((a, b) => a.at - b.at)) {
    lived += Math.min(at - before, quietMs)
    before = at
    day.at(lived, () => {
      fault.strike(day, dice)
      if (kind !== 'venue applies late') day.faults.add(kind)
    })
  }
  return lived + MINUTE_MS
}
