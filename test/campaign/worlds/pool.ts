import { HOUR_MS } from '../../../src/base/time.ts'
import { simulate, type SimulationResult } from '../../world/simulate.ts'
import { violated } from '../../world/step.ts'
import {
  invariantsOf,
  type DayResult,
  type FaultDay,
  type FaultWorld,
  type KeepJournal,
} from '../fault-world.ts'
import { POOL_CANARIES } from './pool-bugs.ts'
import { drawPoolDay, POOL_FAULTS, poolFaultCounts } from './pool-faults.ts'

/** Every so many days the whole journal is kept and replayed in the end. */
const REPLAY_EVERY = 8

const held = (name: string, claim: string, file: string) =>
  invariantsOf(`test/world/invariants/${file}.ts`)(name, claim)

/** The daemon's core and shell parts at the simulated venue, as test/world has them. */
export const POOL: FaultWorld = {
  name: 'pool',
  about: 'a position in the pool: the real core, journal, restart and translation at the simulated venue',
  faults: POOL_FAULTS,
  invariants: [
    held('conserves', 'every entry and all accounts together sum to zero of each token', 'ledger-conserves'),
    held('identities', 'both PnL identities hold to the last unit', 'identities-hold'),
    held('posts-once', 'a fill is posted once, and it is one that happened', 'fills-post-once'),
    held(
      'is-the-book',
      "books that are called reconciled are the venue's own, to the last unit",
      'complete-is-the-book',
    ),
    held('legal-spreads', 'no spread outside the limits is sent', 'spreads-are-legal'),
    held('wanted-writes', 'money leaves only on an order, once, to a listed address', 'writes-are-wanted'),
    held(
      'halted-is-safe',
      'a halted position sends the safe quote only, and the venue holds it',
      'halted-never-quotes',
    ),
    held('corridor', 'a mid outside the corridor is never in force', 'corridor-holds'),
    held('known-is-true', 'a quote that is called known is the one at the venue', 'known-is-true'),
    held('unproven-is-idle', 'nothing is traded while the books stay unproven', 'unproven-never-trades'),
    held('no-false-alarm', 'where everything can be explained no break is reported', 'no-false-alarm'),
    {
      name: 'key-limit',
      claim: 'the key asks no more than its minute allows',
      checkedBy: 'test/world/venue-watch.ts',
    },
    held('wakes', 'the core is woken in time', 'wakes-in-time'),
    held('replays', 'a restart, and a replay of the whole journal, decide what was decided', 'replays-alike'),
    held(
      'converges',
      "healed, the books are the venue's and the position is in the market, or names why not",
      'ends-accounted-for',
    ),
  ],
  canaries: POOL_CANARIES,
  live: (...day) => Promise.resolve(livePoolDay(...day)),
}

function livePoolDay({ seed, without, hours, canary }: FaultDay, keepJournal?: KeepJournal): DayResult {
  const planted = POOL_CANARIES.find(({ name }) => name === canary)
  const drawn = drawPoolDay(seed, without)
  const result = simulate(
    { ...drawn, lengthMs: hours * HOUR_MS + drawn.quietMs },
    {
      replay: planted !== undefined || keepJournal !== undefined || seed % REPLAY_EVERY === 0,
      ...(planted !== undefined && { bug: planted.plant() }),
      ...(keepJournal !== undefined && { onDaemon: ({ journal }) => keepJournal(journal) }),
    },
  )
  mustBeNamed(result)
  const { tally } = result
  return {
    faults: poolFaultCounts(result, without),
    seen: {
      events: tally.events,
      fills: tally.fills,
      quotes: tally.patches,
      'readings that proved the books': tally.readingsProven,
      'days whose books a person had to resolve': result.resolved > 0 ? 1 : 0,
    },
  }
}

/** What does not trade in the end says why. */
function mustBeNamed({ tradingState, latched }: SimulationResult): void {
  if (tradingState === 'HALTED' && latched === null)
    violated('after the quiet the position is halted, and nothing names why')
}
