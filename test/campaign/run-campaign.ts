import { err, ok, type Result } from '../../src/base/result.ts'
import { leftOut } from './fault-world.ts'
import { type CampaignHead, openFolder } from './kept.ts'
import { keepFailures } from './keep-failures.ts'
import { runKills } from './kills/run-kills.ts'
import type { KillUnit } from './kills/kill-units.ts'
import { livedUnits, type Unit, unitsOf, type UnitResult } from './plan.ts'
import { runMissing, type Work } from './run-missing.ts'
import { type CampaignSummary, chanceBelow, isCanaryOf, summarise, whyNotClean } from './summary.ts'
import { worldOf } from './worlds/all.ts'

/** What a campaign needs of the outside. */
export type CampaignPorts = {
  /** How many units at once. */
  readonly size: number
  /** How many worlds of kills at once; as many as of other units by default. */
  readonly killsAtOnce?: number
  /** Lives days and spoilt answers together with other processes; absent = here alone. */
  readonly share?: (units: readonly Unit[], work: Work) => Promise<Result<null, string>>
  readonly run: (unit: Unit) => Promise<UnitResult>
  readonly print: (line: string) => void
  /** Milliseconds that only grow. */
  readonly now: () => number
  /** Units under way are finished, and no other one is begun. */
  readonly signal: AbortSignal
}

export type CampaignEnd = {
  readonly summary: CampaignSummary
  readonly summaryFile: string
  /** What keeps it from being clean: a failure, a planted bug that was missed, work that is left; null = nothing. */
  readonly problem: string | null
}

/** Runs what of a campaign has no result yet, shrinks what failed, and writes what it came to. */
export async function runCampaign(
  head: CampaignHead,
  folder: string,
  ports: CampaignPorts,
): Promise<Result<CampaignEnd, string>> {
  const opened = openFolder(folder, head)
  if (!opened.ok) return opened
  const results = [...opened.value.results]
  const { canaries, lived, kills } = stagesOf(head)
  const work = { head, results, folder: opened.value }
  await runMissing(canaries, work, ports)
  // Where nothing is found that should be found, a night proves nothing.
  const isMissed = results.some((one) => isCanaryOf(one, head) && one.failure !== null)
  if (!isMissed) {
    const shared = (await ports.share?.(lived, work)) ?? null
    if (shared !== null && !shared.ok) return shared
    if (shared === null) await runMissing(lived, work, ports)
    // Alone: what simulated days take of the processors, starts of processes would wait for.
    await runMissing(kills, work, { ...ports, size: ports.killsAtOnce ?? ports.size })
  }
  await keepFailures([...lived, ...kills], work, ports)
  const summary = summarise(head, results)
  printFigures(summary, ports.print)
  const summaryFile = opened.value.writeSummary(summary)
  return ok({ summary, summaryFile, problem: whyNotClean(summary) })
}

/** One after the other: planted bugs, days and spoilt answers, kills. */
function stagesOf(head: CampaignHead) {
  const units = unitsOf(head)
  return {
    canaries: units.filter(({ kind }) => kind === 'canary'),
    lived: livedUnits(head),
    kills: units.filter(({ kind }) => kind === 'kills'),
  }
}

function printFigures(summary: CampaignSummary, print: (line: string) => void): void {
  const { lived, failed, worlds, canaries, fuzz, kills, days } = summary
  if (days > 0) {
    for (const { name, days, failed: bad } of worlds) print(`${name}: ${figure(days, bad, 'days')}`)
    print(`all: ${figure(lived, failed, 'fault-days')}`)
  }
  if (days > 0 || fuzz.planned > 0) {
    print(`answers: ${figure(fuzz.answers, fuzz.failed, 'spoilt answers')}`)
    print(
      `planted bugs: ${canaries.filter(({ found }) => found !== null).length} of ${canaries.length} found`,
    )
  }
  if (kills === undefined) return
  const { done, failed: bad, byKind, hours } = kills
  const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} ${count}`)
  print(`${kinds.join(', ')}, in ${hours} hours altogether`)
  print(bad > 0 ? `kills: ${bad} runs failed, of ${done} kills` : `kills: ${figure(done, 0, 'kills')}`)
}

export function figure(runs: number, failed: number, what: string): string {
  const chance = chanceBelow(runs, failed)
  if (chance === null) return failed > 0 ? `${failed} of ${runs} ${what} failed` : `no ${what}`
  return `${runs} ${what} without a failure, p < ${Number((100 * chance).toPrecision(2))} % (3/n)`
}

/** Kills the processes of one run again, as the command of a saved failure has it. */
export async function repeatKills(
  only: Omit<KillUnit, 'kind'>,
  print: (line: string) => void,
): Promise<Result<null, string>> {
  const { seen, failure } = await runKills({ kind: 'kills', ...only })
  print(JSON.stringify(seen, null, 1))
  return failure === null ? ok(null) : err(failure)
}

/** Lives one day again, as it is drawn or as the command of a saved failure has it. */
export async function repeatDay(
  only: {
    readonly world: string
    readonly seed: number
    readonly hours: number
    readonly without: readonly string[] | null
  },
  print: (line: string) => void,
): Promise<Result<null, string>> {
  const { world: name, seed, hours } = only
  const world = worldOf(name)
  if (world === undefined) return err(`there is no world ${name}`)
  const without = only.without ?? leftOut(world, seed)
  const strange = without.filter((fault) => !world.faults.includes(fault))
  if (strange.length > 0)
    return err(`${name} has no fault ${strange.join(', ')}; there are ${world.faults.join(', ')}`)
  try {
    print(JSON.stringify(await world.live({ seed, hours, without, canary: null }), null, 1))
    return ok(null)
  } catch (error) {
    return err(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}
