import { createHash } from 'node:crypto'
import { DAY_HOURS, drawDay, type FaultDay, type FaultWorld } from './fault-world.ts'
import { BATCH } from './fuzz/fuzz-answers.ts'
import { ANSWERS } from './worlds/answers.ts'
import { killUnits, type KillUnit } from './kills/kill-units.ts'
import { ROUND, WORLDS, worldOf } from './worlds/all.ts'

/** What a campaign consists of: equal plans have equal units, in equal order. */
export type CampaignPlan = {
  /** Fault-days, over all worlds. */
  readonly days: number
  readonly firstSeed: number
  /** Spoilt answers; they are counted by whole batches. */
  readonly fuzz: number
  /** Real processes that are ended by kill -9, over all worlds of kills. */
  readonly kills: number
}

/** One piece of work. */
export type Unit =
  | KillUnit
  | {
      readonly kind: 'day' | 'fuzz'
      readonly world: string
      readonly day: FaultDay
      /** Where it fails, its result has what was journalled. */
      readonly keepsJournal?: true
    }
  | { readonly kind: 'canary'; readonly world: string; readonly canary: string }

/** What a unit came to. */
export type UnitResult = {
  /** Of which it is the result, whatever plan has it. */
  readonly key: string
  readonly kind: Unit['kind']
  readonly world: string
  readonly seed: number
  readonly ms: number
  /** Processor time of its thread. */
  readonly cpuMs: number
  readonly faults: Readonly<Record<string, number>>
  readonly seen: Readonly<Record<string, number>>
  /** What did not hold, or why a canary was missed; null = nothing. */
  readonly failure: string | null
  /** Every event of the core up to the failure, where it was asked for and the world has one. */
  readonly journal?: readonly string[]
}

/** Which program a unit was lived with. */
export type LivedWith = {
  /** With the digest of what is in no commit, where there is something. */
  readonly commit: string
  readonly node: string
}

/** As the folder of a campaign has it. */
export type KeptResult = UnitResult & LivedWith

/** What of a plan has planted bugs: kills alone have none. */
export function plantedWorlds({ days, fuzz }: Pick<CampaignPlan, 'days' | 'fuzz'>): readonly FaultWorld[] {
  return [...(days > 0 ? WORLDS : []), ...(fuzz > 0 ? [ANSWERS] : [])]
}

/**
 * Canaries first, so that a campaign that finds nothing it should find ends before it has cost a night; then day after day through the
 * worlds, and the kills last.
 */
export function unitsOf({ days, firstSeed, fuzz, kills }: CampaignPlan): readonly Unit[] {
  const canaries = plantedWorlds({ days, fuzz }).flatMap(({ name, canaries }) =>
    canaries.map((canary) => ({ kind: 'canary' as const, world: name, canary: canary.name })),
  )
  const seeds = new Map(WORLDS.map(({ name }) => [name, firstSeed]))
  const lived = Array.from({ length: days }, (_, index) => {
    const name = ROUND[index % ROUND.length] ?? ''
    const world = worldOf(name)
    if (world === undefined) throw new Error(`there is no world ${name}`)
    const seed = seeds.get(name) ?? firstSeed
    seeds.set(name, seed + 1)
    return { kind: 'day' as const, world: name, day: drawDay(world, seed) }
  })
  const batches = Array.from({ length: Math.ceil(fuzz / BATCH) }, (_, index) => ({
    kind: 'fuzz' as const,
    world: ANSWERS.name,
    day: drawDay(ANSWERS, firstSeed + index),
  }))
  return [...canaries, ...batches, ...lived, ...killUnits(kills, firstSeed)]
}

/** Its days and spoilt answers, in their order. */
export function livedUnits(plan: CampaignPlan): readonly Unit[] {
  return unitsOf(plan).filter(({ kind }) => kind === 'day' || kind === 'fuzz')
}

export function keyOf(unit: Unit): string {
  const { kind, world } = unit
  if (kind === 'kills') return `${world} ${unit.seed}, ${unit.kills} kills`
  return kind === 'canary' ? `canary ${world} ${unit.canary}` : `${kind} ${world} ${unit.day.seed}`
}

/** 0 for a planted bug, which is looked for in several. */
export function seedOf(unit: Unit): number {
  if (unit.kind === 'kills') return unit.seed
  return unit.kind === 'canary' ? 0 : unit.day.seed
}

/** Results of another form are not read. */
const FORM = 2

/** By name: the version of a world. Results of another version of it are not taken for its own, whatever other worlds there are. */
export type WorldIds = Readonly<Record<string, string>>

export function worldIds(version: string): WorldIds {
  const idOf = ({ name, faults }: Named) => digest({ form: FORM, version, hours: DAY_HOURS, name, faults })
  return Object.fromEntries([...WORLDS, ANSWERS].map((world) => [world.name, idOf(world)]))
}

type Named = { readonly name: string; readonly faults: readonly string[] }

function digest(named: object): string {
  return createHash('sha256').update(JSON.stringify(named)).digest('hex')
}
