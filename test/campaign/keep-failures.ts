import { LOST_THREAD } from '../../src/base/threads/pool.ts'
import type { CampaignFolder } from './kept.ts'
import { killsCommand } from './kills/run-kills.ts'
import { type KeptResult, keyOf, type Unit } from './plan.ts'
import type { CampaignPorts } from './run-campaign.ts'
import { repeatCommand, shrink } from './shrink.ts'
import { worldOf } from './worlds/all.ts'

/** In one run: the others would most likely be the same again. */
const MOST_SHRUNK = 5

type Failed = { readonly results: readonly KeptResult[]; readonly folder: CampaignFolder }

/** Saves what failed: days as small as they were found to fail, each once however often the campaign continues. */
export async function keepFailures(
  units: readonly Unit[],
  { results, folder }: Failed,
  { run, print, signal }: Pick<CampaignPorts, 'run' | 'print' | 'signal'>,
): Promise<void> {
  const byKey = new Map(results.map((result) => [result.key, result]))
  let shrunk = 0
  for (const unit of units) {
    const result = byKey.get(keyOf(unit))
    const name = `${unit.world}-${result?.seed}`
    if (result === undefined || result.failure === null || folder.hasFailure(name)) continue
    const { failure, commit } = result
    const save = (failed: object, command: string, journal?: readonly string[]) =>
      print(`saved ${folder.addFailure(name, { ...failed, commit, command }, journal)}: ${command}`)
    if (unit.kind === 'kills') save({ ...unit, failure }, killsCommand(unit))
    if (unit.kind !== 'day' && unit.kind !== 'fuzz') continue
    const world = worldOf(unit.world)
    if (world === undefined || shrunk >= MOST_SHRUNK || signal.aborted) continue
    // What does not end would have to be waited for at each try.
    if (failure.startsWith(LOST_THREAD)) {
      save({ world: unit.world, day: unit.day, failure }, repeatCommand(unit))
      continue
    }
    const { kind } = unit
    const { journal, ...smallest } = await shrink(world, unit.day, failure, (day, keepsJournal) =>
      run({ kind, world: unit.world, day, ...(keepsJournal && { keepsJournal }) }),
    )
    save(smallest, repeatCommand(smallest), journal)
    shrunk += 1
  }
}
