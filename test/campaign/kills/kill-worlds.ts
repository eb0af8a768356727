import type { KillRun, KillsSeen } from '../../e2e/kills/kill-run.ts'
import type { WorldInvariant } from '../fault-world.ts'

/** A kind of real processes that are ended by kill -9, and what has to hold after the last one. */
export type KillWorld = {
  readonly name: string
  readonly about: string
  readonly invariants: readonly Omit<WorldInvariant, 'name'>[]
  /** Rejects where an invariant does not hold. */
  readonly kill: (run: KillRun) => Promise<KillsSeen>
}

/** Loaded where it runs: what is only listed or planned needs no venue and no chain. */
export const KILL_WORLDS: readonly KillWorld[] = [
  {
    name: 'kills-pool',
    about:
      'a position in the pool, while takers trade several times a second and the venue drops answers, repeats rows, shows them late and in disorder',
    invariants: [
      held('the books equal those of the venue, fill for fill and to the last unit', 'kill-pool'),
      held('the journal replays to the digests that were stored, twice the same', 'kill-pool'),
      held('the position is reconciled and not halted', 'kill-pool'),
    ],
    async kill(run) {
      const { killPool } = await import('../../e2e/kills/kill-pool.ts')
      return killPool({ ...run, ...(run.seed % 2 === 1 ? FROM_POSITION : FROM_POOL) })
    },
  },
  {
    name: 'kills-custody',
    about:
      'a maker in self-custody on a chain, while a solver fills parts of its orders and the mid jumps; kills follow a moment of the protocol that is drawn',
    invariants: [
      held('every order that can be filled is known as outstanding after each start', 'kill-custody'),
      held('no unit is committed twice, and no order is signed under a salt that was used', 'kill-custody'),
      held('the books equal the chain, fill for fill and to the last unit', 'kill-custody'),
      held('the journal replays to the digests that were stored', 'kill-custody'),
    ],
    async kill(run) {
      const { killCustody } = await import('../../e2e/kills/kill-custody.ts')
      return killCustody({ ...run, ...(run.seed % 2 === 1 ? BY_BALANCE : BY_ALLOWANCE) })
    },
  },
  {
    name: 'kills-treasury',
    about: 'a position whose treasury refills it and pays out',
    invariants: [
      held('no payout and no transfer is sent twice', 'kill-treasury'),
      held('the partner has paid what the journal has as settled', 'kill-treasury'),
      held('the position is reconciled, so that every refill is booked once', 'kill-treasury'),
    ],
    async kill(run) {
      const { killTreasury } = await import('../../e2e/kills/kill-treasury.ts')
      return killTreasury(run)
    },
  },
  {
    name: 'kills-fleet',
    about: 'a process of four positions on shared workers and journal threads, under flow',
    invariants: [
      held('the books of each position equal its venue, fill for fill and to the last unit', 'kill-fleet'),
      held('the journal of each position replays to the digests that were stored', 'kill-fleet'),
      held('each position is reconciled and not halted', 'kill-fleet'),
    ],
    async kill(run) {
      const { killFleet } = await import('../../e2e/kills/kill-fleet.ts')
      return killFleet({ ...run, positions: 4 })
    },
  },
]

/** The kind of a world in a summary: `pool` of `kills-pool`. */
export function killKind(world: string): string {
  return world.replace(/^kills-/, '')
}

export function killWorldOf(name: string): KillWorld | undefined {
  return KILL_WORLDS.find((world) => world.name === name)
}

const FROM_POSITION = { feeFrom: 'position' } as const
const FROM_POOL = { feeFrom: 'pool' } as const
const BY_BALANCE = { bound: 'balance', listsFills: true } as const
const BY_ALLOWANCE = { bound: 'allowance', listsFills: false } as const

function held(claim: string, file: string): Omit<WorldInvariant, 'name'> {
  return { claim, checkedBy: `test/e2e/kills/${file}.ts` }
}
