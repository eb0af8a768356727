import { HOUR_MS } from '../../../../src/base/time.ts'
import type { DayResult, FaultDay, FaultWorld } from '../../fault-world.ts'
import { GUARD_CANARIES } from './bugs.ts'
import { GuardDay } from './day.ts'
import { CLOCK_RATES, GUARD_FAULTS, planFaults } from './faults.ts'

const WATCH = 'test/campaign/worlds/guard/watch.ts'
const DAY = 'test/campaign/worlds/guard/day.ts'

/** Who may write: the product's leases and guard, with two daemons that hand over to each other. */
export const GUARD: FaultWorld = {
  name: 'guard',
  about:
    'guard and hand-over: the real leases, grants and ladder, two daemons that write only under a lease, a network and a venue that cannot be fenced',
  faults: GUARD_FAULTS,
  invariants: [
    {
      name: 'one-writer',
      claim: 'never do two write, or may two write, at once, with clock rates of up to 19 %',
      checkedBy: WATCH,
    },
    {
      name: 'numbers-grow',
      claim: 'the numbers of leases only grow, also through restarts of the guard',
      checkedBy: WATCH,
    },
    {
      name: 'safe-in-time',
      claim: 'where no one holds the lease and the guard can act, the quote is safe within 10 s',
      checkedBy: WATCH,
    },
    {
      name: 'late-writes-found',
      claim: 'a late write of the dead is found and made safe within 90 s',
      checkedBy: WATCH,
    },
    {
      name: 'one-holder',
      claim: 'healed, one daemon holds the lease, and the guard calls the same one the holder',
      checkedBy: DAY,
    },
    {
      name: 'holder-quote',
      claim: 'and the quote at the venue is one that the holder has decided',
      checkedBy: DAY,
    },
  ],
  canaries: GUARD_CANARIES,
  live,
}

async function live({ seed, without, hours, canary }: FaultDay): Promise<DayResult> {
  const bug = GUARD_CANARIES.find(({ name }) => name === canary)?.bug ?? {}
  const ratesAreOff = !without.includes(CLOCK_RATES)
  const day = new GuardDay(seed, bug, ratesAreOff)
  if (ratesAreOff) day.faults.add(CLOCK_RATES)
  const untilMs = hours * HOUR_MS
  planFaults(day, seed, without, untilMs)
  await day.until(untilMs)
  const seen = await day.converge()
  return { faults: day.faults.all, seen }
}
