import { createHash } from 'node:crypto'
import { DAY_HOURS, drawDay, type FaultDay } from './fault-world.ts'
import { BATCH } from './fuzz/fuzz-answers.ts'
import { ANSWERS } from './worlds/answers.ts'
import { ROUND, WORLDS, worldOf } from './worlds/all.ts'

/** What a campaign consists of: equal plans have equal units, in equal order. */
export type CampaignPlan = {
  /** Fault-days, over all worlds. */
  readonly days: number
  readonly firstSeed: number
  /** Spoilt answers; they are counted by whole batches. */
  readonly fuzz: number
}

/** One piece of work. */
export type Unit =
  | { readonly kind: 'day' | 'fuzz'; readonly world: string; readonly day: FaultDay }
  | { readonly kind: 'canary'; readonly world: string; readonly canary: string }

/** What a unit came to. */
export type UnitResult = {
  /** Of which it is the result, whatever plan has it. */
  readonly key: string
  readonly kind: Unit['kind']
  readonly world: string
  readonly seed: number
  readonly ms: number
  readonly faults: Readonly<Record<string, number>>
  readonly seen: Readonly<Record<string, number>>
  /** What did not hold, or why a canary was missed; null = nothing. */
  readonly failure: string | null
}

/** Canaries first, so that a campaign that finds nothing it should find ends before it has cost a night; then day after day through the worlds. */
export function unitsOf({ days, firstSeed, fuzz }: CampaignPlan): readonly Unit[] {
  const canaries = [...WORLDS, ...(fuzz > 0 ? [ANSWERS] : [])].flatMap(({ name, canaries }) =>
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
  return [...canaries, ...batches, ...lived]
}

export function keyOf(unit: Unit): string {
  const { kind, world } = unit
  return kind === 'canary' ? `canary ${world} ${unit.canary}` : `${kind} ${world} ${unit.day.seed}`
}

/** By name: the version of a world. Results of another version of it are not taken for its own, whatever other worlds there are. */
export type WorldIds = Readonly<Record<string, string>>

export function worldIds(version: string): WorldIds {
  const idOf = ({ name, faults }: Named) => digest({ version, hours: DAY_HOURS, name, faults })
  return Object.fromEntries([...WORLDS, ANSWERS].map((world) => [world.name, idOf(world)]))
}

/** The worlds that a campaign had while one digest was the version of all of them; it had spoilt answers too. */
const OF_ONE_DIGEST = ['pool', 'custody', 'treasury', 'guard']

/** That digest, of these worlds as they are now. */
export function sharedId(version: string): string {
  const worlds = WORLDS.filter(({ name }) => OF_ONE_DIGEST.includes(name))
  return digest({
    version,
    hours: DAY_HOURS,
    worlds: worlds.map(({ name, faults }) => ({ name, faults })),
  })
}

/** The versions that a head of that time stands for; null = other ones than today's. */
export function idsOfShared(version: string, id: string): WorldIds | null {
  if (id !== sharedId(version)) return null
  const today = worldIds(version)
  return Object.fromEntries([...OF_ONE_DIGEST, ANSWERS.name].map((name) => [name, today[name] ?? '']))
}

type Named = { readonly name: string; readonly faults: readonly string[] }

function digest(named: object): string {
  return createHash('sha256').update(JSON.stringify(named)).digest('hex')
}
