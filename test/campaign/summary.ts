import { addCounts } from './fault-world.ts'
import type { CampaignHead } from './kept.ts'
import { killKind, KILL_WORLDS } from './kills/kill-worlds.ts'
import { shortFailure } from './kills/run-kills.ts'
import { type KeptResult, keyOf, type LivedWith, plantedWorlds, unitsOf } from './plan.ts'
import { WORLDS } from './worlds/all.ts'

export type WorldSummary = {
  readonly name: string
  readonly days: number
  readonly failed: number
  readonly firstSeed: number
  readonly lastSeed: number
  /** Processor time of all of them. */
  readonly cpuMs: number
  /** How often each kind was injected, and on how many days it could be. */
  readonly faults: Readonly<Record<string, { readonly times: number; readonly days: number }>>
  readonly seen: Readonly<Record<string, number>>
}

/** What was lived with one program. */
export type CommitSummary = LivedWith & {
  readonly days: number
  readonly failed: number
  readonly answers: number
  /** Planted bugs that were looked for in it, and those that were missed. */
  readonly planted: number
  readonly missed: number
}

/** Spoilt answers of batches, and how many batches found something. */
export type FuzzSummary = {
  readonly planned: number
  readonly answers: number
  readonly failed: number
  readonly seen: Readonly<Record<string, number>>
}

/** Real processes that were ended by kill -9. */
export type KillsSummary = {
  readonly planned: number
  readonly done: number
  /** Runs of some kills after which something did not hold. */
  readonly failed: number
  readonly byKind: Readonly<Record<string, number>>
  /** What has happened in those worlds, by kind. */
  readonly seen: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** How long the runs took together; several are under way at once. */
  readonly hours: number
  readonly commit: string
}

export type CampaignSummary = Pick<CampaignHead, 'version' | 'commit' | 'node' | 'days' | 'firstSeed'> & {
  readonly fuzz: FuzzSummary
  /** Absent where none are planned. */
  readonly kills?: KillsSummary
  /** Fault-days that were lived. */
  readonly lived: number
  readonly failed: number
  /** In the order in which they went on with the campaign. */
  readonly commits: readonly CommitSummary[]
  readonly worlds: readonly WorldSummary[]
  /** With the program that went on last, in the order of the worlds; the seed in which it was found, or why it was missed. */
  readonly canaries: readonly {
    readonly world: string
    readonly name: string
    readonly found: number | null
    readonly why: string | null
  }[]
  readonly failures: readonly { readonly world: string; readonly seed: number; readonly failure: string }[]
}

/** What the results of a campaign come to, as far as it has come. */
export function summarise(head: CampaignHead, results: readonly KeptResult[]): CampaignSummary {
  const units = unitsOf(head)
  const planted = results.filter((one) => isCanaryOf(one, head))
  const others = results.filter(({ kind }) => kind !== 'canary')
  const byKey = new Map([...planted, ...others].map((result) => [result.key, result]))
  const days = units.flatMap((unit) => (unit.kind === 'day' ? (byKey.get(keyOf(unit)) ?? []) : []))
  const batches = units.flatMap((unit) => (unit.kind === 'fuzz' ? (byKey.get(keyOf(unit)) ?? []) : []))
  const killed = units.flatMap((unit) => (unit.kind === 'kills' ? (byKey.get(keyOf(unit)) ?? []) : []))
  const { version, commit, node, days: planned, firstSeed } = head
  return {
    version,
    commit,
    node,
    days: planned,
    firstSeed,
    fuzz: fuzzSummary(head.fuzz, batches),
    ...(head.kills > 0 ? { kills: killsSummary(head, killed) } : {}),
    lived: days.length,
    failed: failuresOf(days),
    commits: commitSummaries(results, [...days, ...batches]),
    worlds: WORLDS.map(({ name }) =>
      worldSummary(
        name,
        days.filter(({ world }) => world === name),
      ),
    ),
    canaries: units.flatMap((unit) => {
      const result = byKey.get(keyOf(unit))
      if (unit.kind !== 'canary' || result === undefined) return []
      const { world, canary: name } = unit
      return [{ world, name, found: result.seen[name] ?? null, why: result.failure }]
    }),
    failures: [...batches, ...days, ...killed].flatMap(({ kind, world, seed, failure }) =>
      failure === null ? [] : [{ world, seed, failure: kind === 'kills' ? shortFailure(failure) : failure }],
    ),
  }
}

/** A planted bug that was looked for with this program. */
export function isCanaryOf({ kind, commit }: KeptResult, head: Pick<CampaignHead, 'commit'>): boolean {
  return kind === 'canary' && commit === head.commit
}

function failuresOf(results: readonly KeptResult[]): number {
  return results.filter(({ failure }) => failure !== null).length
}

/** Of every program, what it has lived of the campaign. */
function commitSummaries(
  results: readonly KeptResult[],
  lived: readonly KeptResult[],
): readonly CommitSummary[] {
  const programs = new Map(lived.map(({ commit, node }) => [`${commit} ${node}`, { commit, node }]))
  return [...programs.values()].map(({ commit, node }) => {
    const own = lived.filter((one) => one.commit === commit && one.node === node)
    const days = own.filter(({ kind }) => kind === 'day')
    const planted = results.filter((one) => isCanaryOf(one, { commit }))
    return {
      commit,
      node,
      days: days.length,
      failed: failuresOf(own),
      answers: answersOf(own.filter(({ kind }) => kind === 'fuzz')),
      planted: planted.length,
      missed: failuresOf(planted),
    }
  })
}

function answersOf(batches: readonly KeptResult[]): number {
  return batches.reduce(
    (sum, { seen }) => sum + Object.values(seen).reduce((all, count) => all + count, 0),
    0,
  )
}

function fuzzSummary(planned: number, batches: readonly KeptResult[]): FuzzSummary {
  const seen: Record<string, number> = {}
  for (const batch of batches) addCounts(seen, batch.seen)
  return { planned, answers: answersOf(batches), failed: failuresOf(batches), seen }
}

function killsSummary({ kills: planned }: CampaignHead, runs: readonly KeptResult[]): KillsSummary {
  const of = (name: string) => runs.filter(({ world }) => world === name)
  const killsOf = (some: readonly KeptResult[]) =>
    some.reduce((sum, { seen }) => sum + (seen['kills'] ?? 0), 0)
  const seen = KILL_WORLDS.map(({ name }) => {
    const sum: Record<string, number> = {}
    for (const { seen } of of(name)) addCounts(sum, seen)
    delete sum['kills']
    return [killKind(name), sum] as const
  })
  return {
    planned,
    done: killsOf(runs),
    failed: failuresOf(runs),
    byKind: Object.fromEntries(KILL_WORLDS.map(({ name }) => [killKind(name), killsOf(of(name))])),
    seen: Object.fromEntries(seen),
    hours: Number((runs.reduce((sum, { ms }) => sum + ms, 0) / 3_600_000).toFixed(2)),
    commit: [...new Set(runs.map(({ commit }) => commit))].join(', '),
  }
}

function worldSummary(name: string, days: readonly KeptResult[]): WorldSummary {
  const times: Record<string, number> = {}
  const present: Record<string, number> = {}
  const seen: Record<string, number> = {}
  for (const day of days) {
    addCounts(times, day.faults)
    addCounts(seen, day.seen)
    for (const fault of Object.keys(day.faults)) addCounts(present, { [fault]: 1 })
  }
  const seeds = days.map(({ seed }) => seed)
  return {
    name,
    days: days.length,
    failed: failuresOf(days),
    firstSeed: seeds.reduce((first, seed) => Math.min(first, seed), seeds[0] ?? 0),
    lastSeed: seeds.reduce((last, seed) => Math.max(last, seed), 0),
    cpuMs: days.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    faults: Object.fromEntries(
      Object.entries(times).map(([fault, count]) => [fault, { times: count, days: present[fault] ?? 0 }]),
    ),
    seen,
  }
}

/** Why nothing may be published; null = it may. */
export function whyUnpublished({
  canaries,
  lived,
  commits,
  fuzz,
  days,
  kills,
}: Pick<CampaignSummary, 'canaries' | 'lived' | 'commits' | 'fuzz' | 'days' | 'kills'>): string | null {
  const planted = plantedWorlds({ days, fuzz: fuzz.planned }).reduce(
    (sum, world) => sum + world.canaries.length,
    0,
  )
  const missed = canaries.filter(({ found }) => found === null)
  if (missed.length > 0)
    return `planted bugs were missed, so that a clean run proves nothing: ${missed.map(({ name }) => name).join(', ')}`
  if (canaries.length < planted)
    return `only ${canaries.length} of ${planted} planted bugs have been looked for`
  const unproven = commits.find(({ planted, missed }) => planted === 0 || missed > 0)
  if (unproven !== undefined)
    return `${unproven.days} days are of commit ${unproven.commit}, in which planted bugs were missed or not looked for`
  return lived === 0 && fuzz.answers === 0 && (kills?.done ?? 0) === 0 ? 'nothing has been lived' : null
}

/** What keeps a campaign from an exit code of 0; null = all of it was lived, and nothing failed. */
export function whyNotClean(summary: CampaignSummary): string | null {
  const { lived, days, failed, fuzz, kills } = summary
  const unpublished = whyUnpublished(summary)
  if (unpublished !== null) return unpublished
  const runs = kills === undefined || kills.failed === 0 ? [] : [`${kills.failed} runs of kills failed`]
  const lives =
    failed + fuzz.failed > 0 ? [`${failed} days and ${fuzz.failed} batches of answers failed`] : []
  if (lives.length + runs.length > 0) return [...lives, ...runs].join(', ')
  if (lived < days || fuzz.answers < fuzz.planned)
    return `${lived} of ${days} days are lived, ${fuzz.answers} of ${fuzz.planned} answers spoilt; the same command continues with the rest`
  if (kills !== undefined && kills.done < kills.planned)
    return `${kills.done} of ${kills.planned} kills are done; the same command continues with the rest`
  return null
}

/**
 * The rule of three: after so many independent runs without a failure the chance of one is smaller, at 95 %. With failures there is
 * no such bound, so null.
 */
export function chanceBelow(runs: number, failed: number): number | null {
  return failed > 0 || runs === 0 ? null : Math.min(1, 3 / runs)
}

/** That bound in words. */
export function chanceText(runs: number, failed: number): string {
  const chance = chanceBelow(runs, failed)
  return chance === null ? 'no bound' : `below ${Number((100 * chance).toPrecision(2))} %`
}
