import { HOUR_MS } from '../../../src/base/time.ts'
import { settledPnl } from '../../../src/core/ledger/book/book.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import { expectBooksEqualChain, expectConvergence, expectSameReplay } from '../../property/rfq-end.ts'
import { take } from '../../property/rfq-steps.ts'
import { createWorld, type CustodyBug, expectNothingForgotten, type World } from '../../property/rfq-world.ts'
import { createDice } from '../../world/dice.ts'
import { violated } from '../../world/step.ts'
import {
  invariantsOf,
  type Canary,
  Counts,
  type DayResult,
  type FaultDay,
  type FaultWorld,
  type KeepJournal,
} from '../fault-world.ts'
import { CUSTODY_FAULTS, drawStep } from './custody-steps.ts'

/** A block every twenty seconds, and the polls and lives of orders as much longer: a day of blocks every two computes for a minute. */
const PACE = 10
/** Every so many days the whole journal is replayed in the end. */
const REPLAY_EVERY = 8
const LONGEST_RUN_MS = 30_000
/** Deeper than any reorganisation: what ended there has ended for good. */
const FINAL_BLOCKS = 12

const always = invariantsOf('test/property/rfq-world.ts')
const atTheEnd = invariantsOf('test/property/rfq-end.ts')

type CustodyCanary = Canary & {
  readonly bug?: CustodyBug
  /** Its day is replayed, as every eighth one is. */
  readonly isReplayed?: boolean
  /** What the core is shown of the chain. */
  readonly see?: (world: World) => void
}

const CANARIES: readonly CustodyCanary[] = [
  {
    name: 'promises-twice',
    breaks: 'covered',
    does: 'commits every unit of the wallet twice',
    finds: /are promised, and \d+ are there/,
    from: 4,
    needs: [],
    see: (world) =>
      showing(world, (reading) => ({
        ...reading,
        balances: Object.fromEntries(
          Object.entries(reading.balances).map(([asset, amount]) => [asset, 2n * (amount ?? 0n)]),
        ),
      })),
  },
  {
    name: 'forgets-an-order',
    breaks: 'nothing-forgotten',
    does: 'forgets the orders that it has signed',
    finds: /can be filled and is not outstanding|are promised, and \d+ are there/,
    needs: [],
    bug: {
      audit(audit, { rfq }) {
        for (const salt of Object.keys(rfq.openOrders)) if (salt.at(-1)! < '5') delete rfq.openOrders[salt]
        return audit
      },
    },
  },
  {
    name: 'lets-go-too-soon',
    breaks: 'final-ends',
    does: 'releases an order with the first block that shows its end',
    finds: /is let go, and 3 blocks below the head it can be filled/,
    needs: [],
    bug: { rfq: (settings) => ({ ...settings, confirmations: 0 }) },
  },
  {
    name: 'settlement-misprised',
    breaks: 'sane-fills',
    does: 'reads the payout of a fill as one base unit more',
    finds: /of order \d+ \d+ and \d+ are filled|the books have/,
    needs: [],
    see: (world) =>
      showing(world, (reading) => ({
        ...reading,
        fills: reading.fills.map((fill) => ({ ...fill, makerAmount: fill.makerAmount + 1n })),
      })),
  },
  {
    name: 'fill-read-twice',
    breaks: 'sane-fills',
    does: 'counts every fill twice',
    finds: /of order \d+ \d+ and \d+ are filled|is in the books \d+ times too/,
    needs: [],
    see: (world) =>
      showing(world, (reading) => ({
        ...reading,
        fills: reading.fills.flatMap((fill) => [fill, { ...fill, key: `${fill.key}+` }]),
      })),
  },
  {
    name: 'profit-off-by-one',
    breaks: 'identities',
    does: 'counts one base unit of costs too much at every event',
    finds: /the PnL identities are off/,
    needs: [],
    bug: {
      audit(audit, { book }) {
        const terms: { costs: bigint } = settledPnl(book).tzs
        terms.costs += 1n
        return audit
      },
    },
  },
  {
    name: 'posts-nameless-fills',
    breaks: 'booked-once',
    does: 'posts every fill without its id',
    finds: /is in the books \d+ times too seldom/,
    needs: [],
    bug: {
      audit(audit) {
        for (const one of audit.observations)
          if (one.type === 'entryPosted') (one.entry as { fillId: string | null }).fillId = null
        return audit
      },
    },
  },
  {
    name: 'orders-never-end',
    breaks: 'nothing-outstanding',
    does: 'signs orders that live a hundred times longer, and cancels no order',
    finds: /orders are still outstanding/,
    needs: [],
    bug: {
      rfq: (settings) => ({
        ...settings,
        expiryMs: 100 * settings.expiryMs,
        cancel: { ...settings.cancel, policy: 'never' },
      }),
    },
  },
  {
    name: 'calls-it-reconciled',
    breaks: 'is-the-chain',
    does: 'reports books with an open difference as reconciled',
    finds: /the books have \d+ of/,
    needs: ['tokens moved'],
    bug: {
      audit(audit, { reconciliation }) {
        const called: { state: string } = reconciliation
        called.state = 'reconciled'
        return audit
      },
    },
  },
  {
    name: 'decides-unjournalled',
    breaks: 'replays',
    does: 'decides with a mid that is not in the journal',
    finds: /the replay of the journal decides otherwise/,
    needs: [],
    isReplayed: true,
    bug: {
      unjournalled: (event) =>
        event.type === 'rate' && event.mid !== null ? { ...event, mid: event.mid + RATE_ONE } : event,
    },
  },
]

/** Self-custody: the core's orders against an exact model of the exchange and its chain. */
export const CUSTODY: FaultWorld = {
  name: 'custody',
  about:
    'self-custody: the real core with signed orders, against an exact model of exchange, chain and wallet',
  faults: CUSTODY_FAULTS,
  invariants: [
    always('nothing-forgotten', 'what anybody can fill is outstanding'),
    always('covered', 'no more is committed than is there, at every signature'),
    always('sane-fills', 'of no order more is filled than it is of'),
    always('final-ends', 'an order is let go only when its end is final'),
    always('identities', 'both PnL identities hold to the last unit'),
    atTheEnd('booked-once', 'healed, every fill is in the books once, whatever was reorganised'),
    atTheEnd('nothing-outstanding', 'and no order is outstanding'),
    atTheEnd('is-the-chain', 'and the books are those of the chain'),
    atTheEnd('replays', 'a replay of the whole journal decides what was decided (every eighth day)'),
  ],
  canaries: CANARIES,
  live: (...day) => Promise.resolve(liveCustodyDay(...day)),
}

function liveCustodyDay({ seed, without, hours, canary }: FaultDay, keepJournal?: KeepJournal): DayResult {
  const dice = createDice(seed, 'custody')
  const planted = CANARIES.find(({ name }) => name === canary)
  const keepsAudits = planted === undefined ? seed % REPLAY_EVERY === 0 : planted.isReplayed === true
  const bug = planted?.bug
  const world = createWorld({ pace: PACE, keepsAudits, ...(bug !== undefined && { bug }) })
  keepJournal?.(() => world.core.journal)
  const faults = new Counts()
  for (const kind of CUSTODY_FAULTS) if (!without.includes(kind)) faults.add(kind, 0)
  const until = world.core.now + hours * HOUR_MS
  while (world.core.now < until) {
    const { step, fault } = drawStep(dice, without)
    if (fault !== null) faults.add(fault)
    take(world, step)
    planted?.see?.(world)
    take(world, { do: 'run', ms: dice.between(1, LONGEST_RUN_MS) })
    expectNothingForgotten(world)
    dropEnded(world)
  }
  expectConvergence(world)
  expectBooksEqualChain(world)
  if (keepsAudits) expectSameReplay(world)
  mustTrade(world)
  return {
    faults: faults.all,
    seen: {
      events: world.core.journal.length,
      'orders signed': world.seen('orderPlaced').length,
      fills: world.chain.blocks.reduce((sum, { fills }) => sum + fills.length, 0),
      'blocks that were undone': world.chain.abandoned.length,
    },
  }
}

/** What the core is shown from now on, until a step has it see something else. */
function showing(
  world: World,
  change: (reading: ReturnType<World['chain']['read']>) => ReturnType<World['chain']['read']>,
): void {
  world.reading = (orders, from, blocks) => change(world.chain.read(orders, from, blocks))
}

/** What ended deep below the head is looked at no more: a day has thousands of orders. */
function dropEnded({ chain, held }: World): void {
  const deep = chain.blocks.at(-FINAL_BLOCKS)
  if (deep === undefined) return
  for (const [salt, order] of held) if (chain.status(order, deep) !== 'FILLABLE') held.delete(salt)
}

/** Healed, the core signs again, or names the rule that keeps it from it. */
function mustTrade({ core }: World): void {
  const { latch, decision } = core.state()
  if (latch.halted !== null || latch.paused !== null) return
  if (decision?.tradingState === 'HALTED') violated('healed, the position is halted, and nothing names why')
}
