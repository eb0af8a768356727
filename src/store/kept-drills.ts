import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { DAY_MS, type Ms } from '../base/time.ts'

const keptSchema = z.array(
  z.strictObject({
    name: z.string(),
    /** ISO 8601. */
    at: z.iso.datetime(),
    passed: z.boolean(),
    noticeMs: z.number().nullable(),
    safeMs: z.number().nullable(),
    costUsd: z.number().nullable(),
  }),
)
/** A drill as stored beside the store; `mizani controls` shows the last one of each name. */
export type KeptDrill = z.output<typeof keptSchema>[number]

const FILE = 'drills.json'
/** The console warns a desk whose last drill is older than this. */
export const STALE_MS = 90 * DAY_MS
/** Some thousand nights; older ones are dropped from the file. */
const MOST_KEPT = 2_000

export function drillsFile(storeFolder: string): string {
  return join(storeFolder, FILE)
}

/** Returns all kept drills, oldest first; empty if the file is missing. */
export function readKept(storeFolder: string): Result<readonly KeptDrill[], string> {
  const file = drillsFile(storeFolder)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? ok([]) : err(`${file} cannot be read (${code ?? 'unreadable'})`)
  }
  const damaged = err(`${file} was not written by mizani: move it away, and drill again`)
  try {
    const kept = keptSchema.safeParse(JSON.parse(text))
    return kept.success ? ok(kept.data) : damaged
  } catch {
    return damaged
  }
}

/** Returns the results to keep, without nights that do not apply. */
export function keptOf(
  results: readonly (Pick<KeptDrill, 'name' | 'noticeMs' | 'safeMs' | 'costUsd'> & {
    readonly status: 'passed' | 'failed' | 'not-applicable'
  })[],
  at: Ms,
): readonly KeptDrill[] {
  return results.flatMap(({ name, status, noticeMs, safeMs, costUsd }) =>
    status === 'not-applicable'
      ? []
      : [{ name, at: new Date(at).toISOString(), passed: status === 'passed', noticeMs, safeMs, costUsd }],
  )
}

/** Returns the file's text with these drills, oldest first. */
export function keptResultText(kept: readonly KeptDrill[]): string {
  const lines = kept.slice(-MOST_KEPT).map((one) => `  ${JSON.stringify(one)}`)
  return `[\n${lines.join(',\n')}\n]\n`
}

/** Returns the time since the last drill, or null. */
export function sinceLastDrill(kept: readonly KeptDrill[], now: Ms): Ms | null {
  const last = kept.at(-1)
  return last === undefined ? null : now - Date.parse(last.at)
}
