import type { FaultDay, FaultWorld } from './fault-world.ts'
import type { UnitResult } from './plan.ts'

/** A day that fails, made as small as it was found to fail. */
export type Shrunk = {
  readonly world: string
  readonly day: FaultDay
  readonly failure: string
  /** How many days were lived to find it. */
  readonly tries: number
  /** Every event of the core up to the failure; absent where the world has no core. */
  readonly journal?: readonly string[]
}

type Live = (day: FaultDay, keepsJournal: boolean) => Promise<Pick<UnitResult, 'failure' | 'journal'>>

const LEAST_HOURS = 0.25

/**
 * Leaves out one kind of fault after the other, then cuts the day by bisection, as long as anything fails. What is left is the
 * shortest that was found, not the shortest that there is: a world without a fault is another world.
 */
export async function shrink(
  world: Pick<FaultWorld, 'name' | 'faults'>,
  failing: FaultDay,
  failure: string,
  live: Live,
): Promise<Shrunk> {
  let best = { day: failing, failure }
  let tries = 0
  const fails = async (day: FaultDay): Promise<boolean> => {
    tries += 1
    const lived = await live(day, false)
    if (lived.failure === null) return false
    best = { day, failure: lived.failure }
    return true
  }
  for (const fault of world.faults) {
    const { day } = best
    if (!day.without.includes(fault)) await fails({ ...day, without: [...day.without, fault] })
  }
  let [passes, hours] = [0, best.day.hours]
  while (hours - passes > LEAST_HOURS) {
    const middle = Math.round((4 * (passes + hours)) / 2) / 4
    if (middle <= passes || middle >= hours) break
    if (await fails({ ...best.day, hours: middle })) hours = middle
    else passes = middle
  }
  const { journal } = await live(best.day, true)
  return { world: world.name, ...best, tries, ...(journal !== undefined && { journal }) }
}

/** What lives exactly this day again. */
export function repeatCommand({ world, day }: Pick<Shrunk, 'world' | 'day'>): string {
  const { seed, hours, without } = day
  // Also where no fault is left out: without the option the day leaves out what is drawn for it.
  return `npm run campaign -- --only ${world}:${seed} --hours ${hours} --without '${without.join(',')}'`
}
