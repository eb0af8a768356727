import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, errorText, ok, type Result } from '../../src/base/result.ts'
import type { CampaignPlan, KeptResult, LivedWith, WorldIds } from './plan.ts'

/** What a campaign is, as its folder has it, and which program continues with it. */
export type CampaignHead = CampaignPlan &
  LivedWith & {
    /** Of each world that it has results of, or is to have. */
    readonly worlds: WorldIds
    readonly version: string
  }

/** The folder of one campaign: every result once it is there, so that an end at any moment loses only what was under way. */
export type CampaignFolder = {
  readonly results: readonly KeptResult[]
  readonly add: (result: KeptResult) => void
  /** What is known of one, under the name of its world and its seed, with the journal of its core. */
  readonly addFailure: (name: string, failed: object, journal?: readonly string[]) => string
  readonly hasFailure: (name: string) => boolean
  readonly writeSummary: (summary: object) => string
}

/** What the campaign of a folder consists of so far; null = none exists. */
export function plannedIn(folder: string): Result<CampaignPlan | null, string> {
  const file = join(folder, 'campaign.json')
  try {
    if (!existsSync(file)) return ok(null)
    const {
      days = 0,
      firstSeed = 1,
      fuzz = 0,
      kills = 0,
    } = JSON.parse(readFileSync(file, 'utf8')) as Partial<CampaignHead>
    return ok({ days, firstSeed, fuzz, kills })
  } catch (error) {
    return err(`${file} cannot be read: ${errorText(error)}`)
  }
}

/** Opens the folder of a campaign, or begins one. The error says whose folder it is. */
export function openFolder(folder: string, head: CampaignHead): Result<CampaignFolder, string> {
  const file = join(folder, 'campaign.json')
  const lines = join(folder, 'results.jsonl')
  const fileOf = (name: string, ending: string) => join(folder, 'failures', `${name}.${ending}`)
  try {
    mkdirSync(join(folder, 'failures'), { recursive: true })
    if (existsSync(file)) {
      const known = JSON.parse(readFileSync(file, 'utf8')) as Partial<CampaignHead>
      const changed = changedWorlds(known, head)
      if (changed.length > 0)
        return err(
          `${folder} has the campaign of other worlds (version ${known.version}, commit ${known.commit}; not as they are now: ${changed.join(', ')}): name another folder with --out`,
        )
    }
    // Its results name the program that each was lived with; this is the one that continues.
    writeFileSync(file, `${JSON.stringify(head, null, 1)}\n`)
    const results = existsSync(lines) ? readLines(readFileSync(lines, 'utf8')) : []
    // A last line that was cut off by a kill would be joined with the next one.
    writeFileSync(lines, results.map((one) => `${JSON.stringify(one)}\n`).join(''))
    return ok({
      results,
      add: (result) => appendFileSync(lines, `${JSON.stringify(result)}\n`),
      addFailure(name, failed, journal) {
        const path = fileOf(name, 'json')
        if (journal !== undefined)
          writeFileSync(fileOf(name, 'journal.jsonl'), journal.map((line) => `${line}\n`).join(''))
        writeFileSync(path, `${JSON.stringify(failed, null, 1)}\n`)
        return path
      },
      hasFailure: (name) => existsSync(fileOf(name, 'json')),
      writeSummary(summary) {
        const path = join(folder, 'summary.json')
        writeFileSync(path, `${JSON.stringify(summary, null, 1)}\n`)
        return path
      },
    })
  } catch (error) {
    return err(`${folder} cannot be used for a campaign: ${errorText(error)}`)
  }
}

/** The worlds whose results would not be today's. One that is new, or that there is no more, changes nothing for the others. */
function changedWorlds(known: Partial<CampaignHead>, { worlds }: CampaignHead): readonly string[] {
  const before = known.worlds
  if (before === undefined) return ['all']
  return Object.keys(worlds).filter((name) => before[name] !== undefined && before[name] !== worlds[name])
}

/** Each unit once, and a planted bug once for each program; what is no whole line was not finished. */
function readLines(text: string): readonly KeptResult[] {
  const found = new Map<string, KeptResult>()
  for (const line of text.split('\n')) {
    const result = lineOf(line)
    if (result === null) continue
    const { key, kind, commit } = result
    found.set(kind === 'canary' ? `${key} at ${commit}` : key, result)
  }
  return [...found.values()]
}

function lineOf(line: string): KeptResult | null {
  try {
    return line === '' ? null : (JSON.parse(line) as KeptResult)
  } catch {
    return null
  }
}
