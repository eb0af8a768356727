// What docs/reliability.json keeps of campaigns: several of them, whose days have different seeds, as they were lived at different commits.
import { z } from 'zod'
import { addCounts } from '../test/campaign/fault-world.ts'
import { keptKills } from './campaign-kills-section.ts'

const counts = z.record(z.string(), z.number())

const world = z.strictObject({
  name: z.string(),
  days: z.number(),
  failed: z.number(),
  firstSeed: z.number(),
  lastSeed: z.number(),
  /** Processor time of all its days; campaigns of before have none. */
  cpuMs: z.number().optional(),
  faults: z.record(z.string(), z.strictObject({ times: z.number(), days: z.number() })),
  seen: counts,
})

/** What was lived with one program. */
const ofCommit = z.strictObject({
  commit: z.string(),
  node: z.string(),
  days: z.number(),
  failed: z.number(),
  answers: z.number(),
  planted: z.number(),
  missed: z.number(),
})

/** The days of one campaign, which may have gone on with other programs. */
const part = z.strictObject({
  version: z.string(),
  commits: z.array(ofCommit),
  lived: z.number(),
  failed: z.number(),
  worlds: z.array(world),
})

const shared = {
  fuzz: z.strictObject({ planned: z.number(), answers: z.number(), failed: z.number(), seen: counts }),
  canaries: z.array(
    z.strictObject({
      world: z.string(),
      name: z.string(),
      found: z.number().nullable(),
      why: z.string().nullable(),
    }),
  ),
  kills: keptKills.optional(),
  failures: z.array(z.strictObject({ world: z.string(), seed: z.number(), failure: z.string() })),
}

/** The summary that a campaign writes. */
export const campaignSummary = part
  .extend({ ...shared, commit: z.string(), node: z.string(), days: z.number(), firstSeed: z.number() })
  .strict()
type Summary = z.infer<typeof campaignSummary>

export const keptCampaigns = z.strictObject({ ...shared, parts: z.array(part) })
export type KeptCampaigns = z.infer<typeof keptCampaigns>

/** All days of a world. `seeds`: the first and the last one of each campaign. */
export type LivedWorld = Pick<z.infer<typeof world>, 'days' | 'failed' | 'faults' | 'seen'> & {
  /** Processor time of a day, as far as it was measured; null = nowhere. */
  readonly cpuMsADay: number | null
  readonly seeds: readonly (readonly [first: number, last: number])[]
}

/**
 * The kept figures with those of a campaign. Its days come beside those of other seeds, and in place of campaigns that lived one of
 * its seeds; spoilt answers and kills replace what was kept where it has some.
 */
export function withCampaign(known: KeptCampaigns, next: Summary): KeptCampaigns {
  const { fuzz, kills, canaries, failures } = next
  const lived: Part = {
    version: next.version,
    commits: next.commits,
    lived: next.lived,
    failed: next.failed,
    worlds: next.worlds,
  }
  const others = known.parts.filter((one) => !sharesSeeds(one, lived))
  const planted = new Set(canaries.map(({ world: of, name }) => `${of} ${name}`))
  return {
    parts: lived.lived === 0 ? known.parts : [...others, lived],
    fuzz: fuzz.planned > 0 ? fuzz : known.fuzz,
    canaries: [...known.canaries.filter((one) => !planted.has(`${one.world} ${one.name}`)), ...canaries],
    kills: kills ?? known.kills,
    failures: [...known.failures.filter((one) => !livedAgain(one, lived)), ...failures],
  }
}

type Part = z.infer<typeof part>

function sharesSeeds(one: Part, other: Part): boolean {
  return one.worlds.some(({ name, days, firstSeed, lastSeed }) => {
    const same = other.worlds.find((world) => world.name === name)
    if (same === undefined || days === 0 || same.days === 0) return false
    return firstSeed <= same.lastSeed && same.firstSeed <= lastSeed
  })
}

function livedAgain({ world: name, seed }: KeptCampaigns['failures'][number], { worlds }: Part): boolean {
  return worlds.some(
    (one) => one.name === name && one.days > 0 && seed >= one.firstSeed && seed <= one.lastSeed,
  )
}

/** What all campaigns have lived of a world. */
export function livedWorld({ parts }: KeptCampaigns, name: string): LivedWorld {
  const all = parts.flatMap(({ worlds }) => worlds.filter((one) => one.name === name && one.days > 0))
  const seen: Record<string, number> = {}
  const faults: Record<string, { times: number; days: number }> = {}
  for (const one of all) {
    addCounts(seen, one.seen)
    for (const [fault, { times, days }] of Object.entries(one.faults)) {
      const sum = (faults[fault] ??= { times: 0, days: 0 })
      sum.times += times
      sum.days += days
    }
  }
  const measured = all.flatMap(({ days, cpuMs }) => (cpuMs === undefined ? [] : [{ days, cpuMs }]))
  return {
    days: sumOf(all, 'days'),
    cpuMsADay: measured.length === 0 ? null : sumOf(measured, 'cpuMs') / sumOf(measured, 'days'),
    failed: sumOf(all, 'failed'),
    faults,
    seen,
    seeds: all.map(({ firstSeed, lastSeed }) => [firstSeed, lastSeed] as const),
  }
}

function sumOf<Key extends string>(all: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return all.reduce((sum, one) => sum + one[key], 0)
}
