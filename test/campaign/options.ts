import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { err, errorText, ok, type Result } from '../../src/base/result.ts'
import { DAY_HOURS } from './fault-world.ts'

export type CampaignOptions =
  | {
      readonly do: 'run'
      readonly days: number
      readonly firstSeed: number
      readonly fuzz: number
      readonly out: string
      readonly workers: number
    }
  | {
      readonly do: 'repeat'
      readonly world: string
      readonly seed: number
      readonly hours: number
      readonly without: readonly string[]
    }
  | { readonly do: 'help' }

export const HELP = `npm run campaign -- [options]

Lives seeded days full of faults, and reports what did not hold. It may be ended at any moment; the same command goes on.

  --days N         fault-days over all worlds (200)
  --fuzz N         spoilt answers through all translations, by batches of 1000 (0)
  --first-seed N   the seed of the first day of each world (1)
  --out FOLDER     where the results are kept (campaign-results)
  --workers N      threads (one a core)
  --only W:SEED    lives one day again, with --hours H and --without 'fault,fault'

Exit codes: 0 nothing failed and every planted bug was found; 1 a day failed, a planted bug was missed, or the campaign is not over;
2 the options are wrong.
`

/** The error is a sentence that names the option. */
export function parseOptions(argv: readonly string[]): Result<CampaignOptions, string> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        days: { type: 'string', default: '200' },
        fuzz: { type: 'string', default: '0' },
        'first-seed': { type: 'string', default: '1' },
        out: { type: 'string', default: 'campaign-results' },
        workers: { type: 'string', default: String(availableParallelism()) },
        only: { type: 'string' },
        hours: { type: 'string', default: String(DAY_HOURS) },
        without: { type: 'string', default: '' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return ok({ do: 'help' })
    if (values.only !== undefined) return repeatOf(values.only, values.hours, values.without)
    const days = wholeNumber('--days', values.days)
    const firstSeed = wholeNumber('--first-seed', values['first-seed'])
    const workers = wholeNumber('--workers', values.workers)
    const fuzz = values.fuzz === '0' ? ok(0) : wholeNumber('--fuzz', values.fuzz)
    if (!days.ok) return days
    if (!firstSeed.ok) return firstSeed
    if (!workers.ok) return workers
    if (!fuzz.ok) return fuzz
    return ok({
      do: 'run',
      days: days.value,
      firstSeed: firstSeed.value,
      fuzz: fuzz.value,
      out: values.out,
      workers: workers.value,
    })
  } catch (error) {
    return err(errorText(error))
  }
}

function repeatOf(only: string, hours: string, without: string): Result<CampaignOptions, string> {
  const [world = '', seed = ''] = only.split(':')
  const parsed = wholeNumber('--only', seed)
  if (!parsed.ok) return err(`--only: a world and a seed are needed, such as pool:17; ${only} is none`)
  const length = Number(hours)
  if (!(length > 0 && length <= 31 * DAY_HOURS))
    return err(`--hours: a number above 0 is needed, not ${hours}`)
  const left = without.split(',').filter((fault) => fault !== '')
  return ok({ do: 'repeat', world, seed: parsed.value, hours: length, without: left })
}

function wholeNumber(option: string, text: string): Result<number, string> {
  const value = Number(text)
  const isWhole = /^\d{1,9}$/.test(text) && value > 0
  return isWhole ? ok(value) : err(`${option}: a whole number above 0 is needed, not ${text}`)
}
