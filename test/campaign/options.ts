import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { err, errorText, ok, type Result } from '../../src/base/result.ts'
import { SECOND_MS } from '../../src/base/time.ts'
import type { QueueChoice } from '../../src/research/queue/database.ts'
import { DAY_HOURS } from './fault-world.ts'
import { MOST_KILLS, type KillUnit } from './kills/kill-units.ts'
import { killWorldOf } from './kills/kill-worlds.ts'
import type { CampaignPlan } from './plan.ts'

export type CampaignOptions =
  | {
      readonly do: 'run'
      /** What the command names; the rest is as the folder has it. */
      readonly named: Partial<CampaignPlan>
      readonly out: string
      /** With a queue there may be none. */
      readonly workers: number
      readonly queue: QueueChoice | null
    }
  | { readonly do: 'join'; readonly queue: QueueChoice; readonly workers: number }
  | {
      readonly do: 'repeat'
      readonly world: string
      readonly seed: number
      readonly hours: number
      /** null = as the day is drawn. */
      readonly without: readonly string[] | null
    }
  | ({ readonly do: 'repeat-kills' } & Pick<KillUnit, 'world' | 'seed' | 'kills'>)
  | { readonly do: 'help' }

export const HELP = `npm run campaign -- [options]

Lives seeded days full of faults, and reports what did not hold. It may be ended at any moment; the same command continues.

  --days N         fault-days over all worlds (200; none where only --fuzz or --kills is named)
  --fuzz N         spoilt answers through all translations, by batches of 1000 (0)
  --kills N        kill -9 of real processes, over all worlds of kills (0)
  --first-seed N   the seed of the first day of each world, and of the first kills (1)
  --out FOLDER     where the results are kept (campaign-results); what is not named is as the campaign of this folder has it
  --workers N      threads (one a core; with --queue 0 lets the others live everything); twice as many worlds of kills at once, as their processes mostly wait
  --queue URL      shares days and spoilt answers over this PostgreSQL database with every process that joins; kills stay here
  --join           lives units of the campaign that is open in the queue; of the same commit, Node and worlds only
  --lease-seconds N  a process that is silent for longer has lost its units to the others (30)
  --only W:SEED    lives one day again as it is drawn, or --hours H of it; --without 'fault,fault' leaves out these kinds of faults
                   instead of those that the day leaves out ('' = none); or kills again, as kills-pool:3 with --kills N

Exit codes: 0 nothing failed and every planted bug was found; 1 a day or kills failed, a planted bug was missed, or the campaign is not
over; 2 the options are wrong.
`

/** The error is a sentence that names the option. */
export function parseOptions(argv: readonly string[]): Result<CampaignOptions, string> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        days: { type: 'string' },
        fuzz: { type: 'string' },
        kills: { type: 'string' },
        'first-seed': { type: 'string' },
        out: { type: 'string', default: 'campaign-results' },
        workers: { type: 'string', default: String(availableParallelism()) },
        queue: { type: 'string' },
        join: { type: 'boolean', default: false },
        'lease-seconds': { type: 'string', default: '30' },
        only: { type: 'string' },
        hours: { type: 'string', default: String(DAY_HOURS) },
        without: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return ok({ do: 'help' })
    const named = namedIn(values)
    if (!named.ok) return named
    if (values.only !== undefined)
      return repeatOf(values.only, values.hours, values.without, named.value.kills)
    const queue = queueIn(values.queue, values['lease-seconds'])
    if (!queue.ok) return queue
    const isWatcher = values.workers === '0' && queue.value !== null && !values.join
    const workers = isWatcher ? ok(0) : wholeNumber('--workers', values.workers)
    if (!workers.ok) return workers
    const work = { queue: queue.value, workers: workers.value }
    if (!values.join) return ok({ do: 'run', named: named.value, out: values.out, ...work })
    return work.queue === null
      ? err('--join: the queue is needed, with --queue')
      : ok({ do: 'join', queue: work.queue, workers: work.workers })
  } catch (error) {
    return err(errorText(error))
  }
}

function queueIn(url: string | undefined, lease: string): Result<QueueChoice | null, string> {
  const seconds = Number(lease)
  if (!(seconds > 0)) return err(`--lease-seconds: a number above 0 is needed, not ${lease}`)
  return ok(url === undefined ? null : { url, leaseMs: seconds * SECOND_MS })
}

type Counts = Readonly<Partial<Record<'days' | 'fuzz' | 'kills' | 'first-seed', string>>>

function namedIn(values: Counts): Result<Partial<CampaignPlan>, string> {
  const named: { -readonly [Key in keyof CampaignPlan]?: number } = {}
  for (const [option, key] of [
    ['days', 'days'],
    ['fuzz', 'fuzz'],
    ['kills', 'kills'],
    ['first-seed', 'firstSeed'],
  ] as const) {
    const text = values[option]
    if (text === undefined) continue
    // That none exist of these is a plan too.
    const isNone = text === '0' && key !== 'firstSeed'
    const count = isNone ? ok(0) : wholeNumber(`--${option}`, text)
    if (!count.ok) return count
    named[key] = count.value
  }
  return ok(named)
}

/** The whole plan: what the command does not name is what the folder has, or else the default. */
export function planOf(named: Partial<CampaignPlan>, known: CampaignPlan | null): CampaignPlan {
  const { fuzz = 0, kills = 0 } = named
  const usual = known ?? { days: fuzz + kills > 0 ? 0 : 200, firstSeed: 1, fuzz: 0, kills: 0 }
  return { ...usual, ...named }
}

function repeatOf(
  only: string,
  hours: string,
  without: string | undefined,
  kills: number = MOST_KILLS,
): Result<CampaignOptions, string> {
  const [world = '', seed = ''] = only.split(':')
  const parsed = wholeNumber('--only', seed)
  if (!parsed.ok) return err(`--only: a world and a seed are needed, such as pool:17; ${only} is none`)
  if (killWorldOf(world) !== undefined) return ok({ do: 'repeat-kills', world, seed: parsed.value, kills })
  const length = Number(hours)
  if (!(length > 0 && length <= 31 * DAY_HOURS))
    return err(`--hours: a number above 0 is needed, not ${hours}`)
  const left = without?.split(',').filter((fault) => fault !== '') ?? null
  return ok({ do: 'repeat', world, seed: parsed.value, hours: length, without: left })
}

function wholeNumber(option: string, text: string): Result<number, string> {
  const value = Number(text)
  const isWhole = /^\d{1,9}$/.test(text) && value > 0
  return isWhole ? ok(value) : err(`${option}: a whole number above 0 is needed, not ${text}`)
}
