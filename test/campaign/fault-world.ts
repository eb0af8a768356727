import { createDice } from '../world/dice.ts'

/** All that makes one simulated day. Equal days are equal, event for event. */
export type FaultDay = {
  readonly seed: number
  /** Kinds of faults that this day does not have. */
  readonly without: readonly string[]
  /** Without the time at its end in which everything heals. */
  readonly hours: number
  /** The planted bug; null = none. */
  readonly canary: string | null
}

export type DayResult = {
  /** How often each kind of fault was injected. */
  readonly faults: Readonly<Record<string, number>>
  /** What else has happened, so that a day in which nothing happens is found out. */
  readonly seen: Readonly<Record<string, number>>
}

/** What holds in every moment of a world, or at its end. */
export type WorldInvariant = {
  readonly name: string
  readonly claim: string
  /** The file that checks it. */
  readonly checkedBy: string
}

/** Returns a function that makes the invariants which one file checks. */
export function invariantsOf(file: string) {
  return (name: string, claim: string): WorldInvariant => ({ name, claim, checkedBy: file })
}

/** A bug that is planted in the test world, never in the product, to see whether an invariant finds it. */
export type Canary = {
  readonly name: string
  /** The name of the invariant that has to find it. */
  readonly breaks: string
  /** What the bug does, as a sentence without a subject. */
  readonly does: string
  /** What this invariant reports. */
  readonly finds: RegExp
  /** The faults without which it does no harm; its day has no other ones. */
  readonly needs: readonly string[]
  /** The seed with which the search begins, where the first one is known to be too calm; 1 by default. */
  readonly from?: number
}

/** Called once, at the beginning: with what gives every event of the core so far. A world without a core has none. */
export type KeepJournal = (journal: () => readonly object[]) => void

/** A kind of simulated world: what can go wrong in it, what must hold all the same, and bugs that must be found. */
export type FaultWorld = {
  readonly name: string
  readonly about: string
  readonly faults: readonly string[]
  readonly invariants: readonly WorldInvariant[]
  readonly canaries: readonly Canary[]
  /** Lives the day, heals everything, and rejects where an invariant does not hold. */
  readonly live: (day: FaultDay, keepJournal?: KeepJournal) => Promise<DayResult>
}

export const DAY_HOURS = 24

/** Swarm testing: each kind of fault is left out of a day with probability one half, so that none hides another one every day. */
export function leftOut(
  { name, faults }: Pick<FaultWorld, 'name' | 'faults'>,
  seed: number,
): readonly string[] {
  const dice = createDice(seed, `left out of ${name}`)
  return faults.filter(() => dice.happens(0.5))
}

export function drawDay(world: Pick<FaultWorld, 'name' | 'faults'>, seed: number): FaultDay {
  return { seed, without: leftOut(world, seed), hours: DAY_HOURS, canary: null }
}

/** Counts by name. */
export class Counts {
  readonly #counts: Record<string, number> = {}

  add(name: string, count = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + count
  }

  get all(): Readonly<Record<string, number>> {
    return this.#counts
  }
}

/** Adds counts up; of what is called the longest, the longest counts. */
export function addCounts(sum: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) {
    const before = sum[name] ?? 0
    sum[name] = name.startsWith('longest ') ? Math.max(before, count) : before + count
  }
}
