import { HOUR_MS } from '../../../../src/base/time.ts'
import {
  invariantsOf,
  type DayResult,
  type FaultDay,
  type FaultWorld,
  type KeepJournal,
} from '../../fault-world.ts'
import { HANDOVER_CANARIES } from './bugs.ts'
import { converge } from './converge.ts'
import { HandOverDay } from './day.ts'
import { CLOCK_RATES, HANDOVER_FAULTS, planFaults, THREE_DAEMONS } from './faults.ts'

const always = invariantsOf('test/campaign/worlds/handover/watch.ts')
const atTheEnd = invariantsOf('test/campaign/worlds/handover/converge.ts')

/** Who trades: the product's rules of holding a position in PostgreSQL, with daemons that take it over from each other. */
export const HANDOVER: FaultWorld = {
  name: 'handover',
  about:
    'hand-over: two or three daemons of one position with the real core, loop, journal writer and rules of holding it, at simulated rows of PostgreSQL and the simulated venue; quiet stretches between two faults are shortened to a minute at most',
  faults: HANDOVER_FAULTS,
  invariants: [
    always('one-writer', 'never do two write, or may two write, at once, with clock rates of up to 15 %'),
    always(
      'lands-in-turn',
      'no write of a holder lands after the first one of the next, unless its process had died or was stopped before it could reset it, or the venue kept it',
    ),
    always('journals-in-turn', 'nothing is journalled under the number of an earlier holder'),
    always(
      'safe-before-next',
      'a holder that loses the database has sent the safe quote, and ended, before another one may begin',
    ),
    always('withdraws-once', 'no withdrawal is sent twice'),
    always(
      'left-safe',
      'a daemon that leaves in order leaves to one that has taken the position, or leaves the safe quote',
    ),
    always('activates-once', 'nor an activation while the one before is under way'),
    atTheEnd('one-holder', 'healed, one daemon holds the position, and its quote stands'),
    atTheEnd('in-time', 'a standby quotes within 10 s of kill -9, and within 3 s of SIGTERM'),
    atTheEnd('booked-once', "every fill is booked once, and the books are the venue's"),
  ],
  canaries: HANDOVER_CANARIES,
  live,
}

async function live(
  { seed, without, hours, canary }: FaultDay,
  keepJournal?: KeepJournal,
): Promise<DayResult> {
  const bug = HANDOVER_CANARIES.find(({ name }) => name === canary)?.bug ?? {}
  const ratesAreOff = !without.includes(CLOCK_RATES)
  const hasThird = !without.includes(THREE_DAEMONS)
  const day = new HandOverDay({ seed, bug, ratesAreOff, hasThird })
  keepJournal?.(() => day.server.database.journal(true).tail)
  if (ratesAreOff) day.faults.add(CLOCK_RATES)
  if (hasThird) day.faults.add(THREE_DAEMONS)
  await day.until(planFaults(day, seed, without, hours * HOUR_MS))
  const seen = await converge(day)
  return { faults: day.faults.all, seen }
}
