import { HOUR_MS } from '../../../../src/base/time.ts'
import { invariantsOf, type DayResult, type FaultDay, type FaultWorld } from '../../fault-world.ts'
import { GUARD_CANARIES } from './bugs.ts'
import { GuardDay } from './day.ts'
import { CLOCK_RATES, GUARD_FAULTS, planFaults } from './faults.ts'

const always = invariantsOf('test/campaign/worlds/guard/watch.ts')
const atTheEnd = invariantsOf('test/campaign/worlds/guard/day.ts')

/** Who may write: the product's leases and guard, with two daemons that hand over to each other. */
export const GUARD: FaultWorld = {
  name: 'guard',
  about:
    'guard and hand-over: the real leases, grants and ladder, two daemons that write only under a lease, a network and a venue that cannot be fenced',
  faults: GUARD_FAULTS,
  invariants: [
    always('one-writer', 'never do two write, or may two write, at once, with clock rates of up to 19 %'),
    always('numbers-grow', 'the numbers of leases only grow, also through restarts of the guard'),
    always(
      'safe-in-time',
      'where no one holds the lease and the guard can act, the quote is safe within 10 s',
    ),
    always('late-writes-found', 'a late write of the dead is found and made safe within 90 s'),
    atTheEnd('one-holder', 'healed, one daemon holds the lease, and the guard calls the same one the holder'),
    atTheEnd('holder-quote', 'and the quote at the venue is one that the holder has decided'),
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
