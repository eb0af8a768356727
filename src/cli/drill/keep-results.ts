import { mkdirSync } from 'node:fs'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { drillsFile, keptOf, keptResultText, readKept } from '../../store/kept-drills.ts'
import type { DrillResult } from '../../simulator/drills/drill.ts'
import { withFileLock } from '../../base/lock/file-lock.ts'
import { writeTextAtomically } from '../output/write-file.ts'

/** Adds the results next to the store. Concurrent runs write one after the other. */
export async function keepResults(
  storeFolder: string,
  results: readonly DrillResult[],
  at: Ms,
): Promise<Result<void, string>> {
  const file = drillsFile(storeFolder)
  const added = keptOf(results, at)
  if (added.length === 0) return ok(undefined)
  try {
    mkdirSync(storeFolder, { recursive: true })
  } catch (error) {
    return err(`${storeFolder} cannot be made (${errorText(error)}): the results are not kept`)
  }
  const kept = await withFileLock(`${file}.lockdb`, async () => {
    const before = readKept(storeFolder)
    if (!before.ok) return before
    return writeTextAtomically(file, keptResultText([...before.value, ...added]))
  })
  if (!kept.ok) return kept
  return kept.value
}
