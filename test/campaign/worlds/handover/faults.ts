import { DAY_MS, MINUTE_MS, SECOND_MS, type Ms } from '../../../../src/base/time.ts'
import type { HandOverDay } from './day.ts'
import { DESTINATION, WITHDRAWN_USDC } from './settings.ts'

/** How often a day, and what happens; the end of it is planned there. */
type Fault = { readonly perDay: number; readonly strike: (day: HandOverDay) => void }

/** Begins now, and ends after a while. */
function spell(day: HandOverDay, meanMs: Ms, end: () => void): void {
  day.at(day.now + day.dice.exponential(meanMs), end)
}

function cut(day: HandOverDay, link: Parameters<HandOverDay['network']['cut']>[0]): void {
  day.network.cut(link)
  spell(day, day.dice.pick([SECOND_MS, 4 * SECOND_MS, 20 * SECOND_MS]), () => day.network.mend(link))
}

function kill(day: HandOverDay, name: string): void {
  day.kill(name)
  spell(day, day.dice.pick([300, 5 * SECOND_MS, 20 * SECOND_MS]), () => day.start(name))
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'daemon killed': {
    perDay: 12,
    strike: (day) => kill(day, day.holderOrAny()),
  },
  'standby killed': {
    perDay: 6,
    strike: (day) => kill(day, day.dice.pick(day.standbys())),
  },
  'all killed': {
    perDay: 3,
    strike: (day) => day.names.forEach((name) => kill(day, name)),
  },
  'daemon paused': {
    perDay: 16,
    strike(day) {
      const name = day.dice.happens(0.8) ? day.holderOrAny() : day.dice.pick(day.names)
      day.pause(name, day.dice.exponential(day.dice.pick([700, 4 * SECOND_MS, 15 * SECOND_MS])))
    },
  },
  SIGTERM: {
    perDay: 12,
    strike(day) {
      const name = day.dice.happens(0.8) ? day.holderOrAny() : day.dice.pick(day.names)
      day.leave(name)
    },
  },
  'all SIGTERM': {
    perDay: 8,
    // One after the other, as whoever ends them reaches them.
    strike: (day) =>
      day.names.forEach((name) => day.at(day.now + day.dice.next() * SECOND_MS, () => day.leave(name))),
  },
  'holder cut off from the database': {
    perDay: 12,
    strike: (day) => cut(day, `${day.holderOrAny()}-db`),
  },
  'standby cut off from the database': {
    perDay: 6,
    strike: (day) => cut(day, `${day.dice.pick(day.standbys())}-db`),
  },
  'daemon cut off from the venue': {
    perDay: 10,
    strike: (day) => cut(day, `${day.holderOrAny()}-venue`),
  },
  'connections cut': {
    perDay: 12,
    strike: (day) => day.cutConnections(),
  },
  'database restarted': {
    perDay: 6,
    strike(day) {
      day.server.isUp = false
      day.cutConnections()
      spell(day, day.dice.pick([300, 2 * SECOND_MS, 8 * SECOND_MS]), () => void (day.server.isUp = true))
    },
  },
  'database fails over': {
    perDay: 5,
    strike(day) {
      day.server.isUp = false
      day.cutConnections()
      day.failOver(day.dice.pick([0, 0, 200, 2_000]))
      spell(day, day.dice.pick([300, 3 * SECOND_MS]), () => void (day.server.isUp = true))
    },
  },
  'database slow': {
    perDay: 8,
    strike(day) {
      day.server.slowMs = day.dice.pick([60, 250, 700])
      spell(day, 10 * SECOND_MS, () => void (day.server.slowMs = 0))
    },
  },
  'network slow': {
    perDay: 8,
    strike(day) {
      day.network.slowMs = day.dice.pick([40, 150, 500])
      spell(day, 10 * SECOND_MS, () => void (day.network.slowMs = 0))
    },
  },
  'venue slow': {
    perDay: 8,
    strike(day) {
      day.venue.slowMs = day.dice.pick([100, 600, 2_500])
      spell(day, 15 * SECOND_MS, () => void (day.venue.slowMs = 0))
    },
  },
  'venue applies late': {
    perDay: 8,
    strike(day) {
      Object.assign(day.venue, { lates: 0.4, lateMs: day.dice.pick([2_000, 8_000]) })
      spell(day, 20 * SECOND_MS, () => void (day.venue.lates = 0))
    },
  },
  withdrawal: {
    perDay: 8,
    strike(day) {
      const amount = WITHDRAWN_USDC + BigInt(day.faults.all['withdrawal'] ?? 0)
      const steps = [4, 8, 14].map((s) => day.now + s * SECOND_MS * (0.5 + day.dice.next()))
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

type Planned = { readonly at: Ms; readonly kind: string; readonly fault: Fault }

/**
 * Schedules the faults of a day by dice of each kind, until it heals, and gives when the last one strikes. Quiet stretches between
 * two of them are shortened: no kind knows the time of day.
 */
export function planFaults(day: HandOverDay, without: readonly string[], untilMs: Ms): Ms {
  const planned: Planned[] = []
  for (const [kind, fault] of Object.entries(FAULTS)) {
    if (without.includes(kind)) continue
    day.faults.add(kind, 0)
    const meanMs = DAY_MS / fault.perDay
    for (let at = day.dice.exponential(meanMs); at < untilMs; at += day.dice.exponential(meanMs))
      planned.push({ at, kind, fault })
  }
  let [lived, before] = [0, 0]
  for (const { at, kind, fault } of planned.toSorted((a, b) => a.at - b.at)) {
    lived += Math.min(at - before, LONGEST_QUIET_MS * (0.5 + day.dice.next()))
    before = at
    day.at(lived, () => {
      fault.strike(day)
      if (kind !== 'venue applies late') day.faults.add(kind)
    })
  }
  return lived + MINUTE_MS
}
