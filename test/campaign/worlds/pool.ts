import { HOUR_MS } from '../../../src/base/time.ts'
import { simulate, type SimulationResult } from '../../world/simulate.ts'
import { violated } from '../../world/step.ts'
import type { DayResult, FaultDay, FaultWorld, KeepJournal } from '../fault-world.ts'
import { POOL_CANARIES } from './pool-bugs.ts'
import { drawPoolDay, POOL_FAULTS, poolFaultCounts } from './pool-faults.ts'

/** Every so many days the whole journal is kept and replayed in the end. */
const REPLAY_EVERY = 8

const checked = (file: string) => `test/world/invariants/${file}.ts`

/** The daemon's core and shell parts at the simulated venue, as test/world has them. */
export const POOL: FaultWorld = {
  name: 'pool',
  about: 'a position in the pool: the real core, journal, restart and translation at the simulated venue',
  faults: POOL_FAULTS,
  invariants: [
    {
      name: 'conserves',
      claim: 'every entry and all accounts together sum to zero of each token',
      checkedBy: checked('ledger-conserves'),
    },
    {
      name: 'identities',
      claim: 'both PnL identities hold to the last unit',
      checkedBy: checked('identities-hold'),
    },
    {
      name: 'posts-once',
      claim: 'a fill is posted once, and it is one that happened',
      checkedBy: checked('fills-post-once'),
    },
    {
      name: 'is-the-book',
      claim: "books that are called reconciled are the venue's own, to the last unit",
      checkedBy: checked('complete-is-the-book'),
    },
    {
      name: 'legal-spreads',
      claim: 'no spread outside the limits is sent',
      checkedBy: checked('spreads-are-legal'),
    },
    {
      name: 'wanted-writes',
      claim: 'money leaves only on an order, once, to a listed address',
      checkedBy: checked('writes-are-wanted'),
    },
    {
      name: 'halted-is-safe',
      claim: 'a halted position sends the safe quote only, and the venue holds it',
      checkedBy: checked('halted-never-quotes'),
    },
    {
      name: 'corridor',
      claim: 'a mid outside the corridor is never in force',
      checkedBy: checked('corridor-holds'),
    },
    {
      name: 'known-is-true',
      claim: 'a quote that is called known is the one at the venue',
      checkedBy: checked('known-is-true'),
    },
    {
      name: 'unproven-is-idle',
      claim: 'nothing is traded while the books stay unproven',
      checkedBy: checked('unproven-never-trades'),
    },
    {
      name: 'no-false-alarm',
      claim: 'where everything can be explained no break is reported',
      checkedBy: checked('no-false-alarm'),
    },
    {
      name: 'key-limit',
      claim: 'the key asks no more than its minute allows',
      checkedBy: 'test/world/venue-watch.ts',
    },
    { name: 'wakes', claim: 'the core is woken in time', checkedBy: checked('wakes-in-time') },
    {
      name: 'replays',
      claim: 'a restart, and a replay of the whole journal, decide what was decided',
      checkedBy: checked('replays-alike'),
    },
    {
      name: 'converges',
      claim: "healed, the books are the venue's and the position is in the market, or names why not",
      checkedBy: checked('ends-accounted-for'),
    },
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
