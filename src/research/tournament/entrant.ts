import { z } from 'zod'
import { err, ok, type Result } from '../../base/result.ts'
import { upTo } from '../scenarios/parameter.ts'

const MOST_VARIANTS = 1_000

const refillsSchema = z
  .strictObject({
    belowShare: upTo(0.99)
      .min(0.01)
      .default(0.2)
      .describe('A refill is ordered when a side holds less than this share of its target.'),
    delayHours: upTo(720).default(4).describe('From the order to the tokens in the pool.'),
    costBps: upTo(1_000).default(10).describe('Of the amount that is moved.'),
    failure: upTo(0.9).default(0).describe('Share of refills that fail; they cost the same.'),
  })
  .nullable()
  .default(null)
  .describe('A treasury that refills the position, instead of the weekly restocking; null = no treasury.')

const calibrationSchema = z
  .strictObject({
    from: z
      .literal('firstWeek')
      .describe('The estimator of `mizani calibrate` learns from the first 7 days.'),
    ditherBps: upTo(100)
      .default(0)
      .describe(
        'During this week quotes move by up to this, drawn each hour: a constant spread shows nothing about k.',
      ),
  })
  .nullable()
  .default(null)
  .describe('The strategy learns about takers and the mid from its own fills; null = it does not.')

const withholdSchema = z
  .array(z.enum(['feed', 'calibration', 'rivals', 'inventory']))
  .default([])
  .describe(
    'Inputs that the strategy does not get: its feed, its calibration, what probes show of rivals, or the inventory, which then appears on target.',
  )

const ingredientSchema = z
  .strictObject({
    params: z.record(z.string(), z.json()).default({}).describe('Parameters that switch it off.'),
    withhold: withholdSchema,
  })
  .refine(
    ({ params, withhold }) => withhold.length > 0 || Object.keys(params).length > 0,
    'takes nothing away; set params or withhold',
  )

export const entrantSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.@+-]{1,40}$/, 'expected at most 40 letters, digits and . _ @ + -')
    .describe('The name in the table.'),
  use: z.string().min(1).describe('A strategy by name or path, as in a configuration.'),
  params: z.record(z.string(), z.json()).default({}).describe('Its parameters.'),
  grid: z
    .record(z.string(), z.array(z.json()).min(1))
    .default({})
    .describe(
      'Values to choose from, by parameter; `a=b` sets two parameters to the same value. Chosen per scenario on the training seeds.',
    ),
  feedTauBps: upTo(1_000)
    .nullable()
    .default(null)
    .describe('Error of its reference feed, bps; null = no feed.'),
  refills: refillsSchema,
  calibration: calibrationSchema,
  exact: z
    .record(z.string(), z.json())
    .nullable()
    .default(null)
    .describe(
      'Parameters for exact quotes, without rounding: the first test world of a scenario compares its spreads with those.',
    ),
  withhold: withholdSchema,
  ingredients: z
    .record(
      z.string().regex(/^[\w.@+-]{1,32}$/, 'expected at most 32 letters, digits and . _ @ + -'),
      ingredientSchema,
    )
    .default({})
    .describe('What `--ablate` takes away from it, one at a time, by name.'),
})

/** A strategy with its parameters, or a grid of them, and its feed. */
export type Entrant = z.infer<typeof entrantSchema>

const seedCount = z.int().min(2).max(10_000)
const seedNumber = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

/** The file of `mizani tournament --config`. */
export const tournamentSchema = z.strictObject({
  strategies: z
    .array(entrantSchema)
    .min(1)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names a strategy twice')
    .describe('The strategies.'),
  baselines: z
    .array(z.string())
    .default([])
    .describe('Strategies with which the others are compared, seed by seed; default the first one.'),
  reference: z
    .string()
    .nullable()
    .default(null)
    .describe('The baseline that `--adverse` also compares with as tuned in `normal`; null = the first.'),
  scenarios: z
    .union([z.literal('all'), z.array(z.string()).min(1)])
    .default('all')
    .describe('Names of config/scenarios, or paths of files of your own.'),
  days: z.int().min(14).max(1_000).default(90).describe('Days in a world.'),
  seeds: seedCount.default(50).describe('Number of test seeds.'),
  mostSeeds: seedCount.default(300).describe('Up to this many seeds are added by `--adverse`.'),
  firstSeed: seedNumber.default(1_000_001).describe('The first test seed.'),
  trainingSeeds: seedCount.default(30).describe('Number of seeds on which grids are tuned.'),
  firstTrainingSeed: seedNumber.default(1).describe('The first training seed.'),
  leastFillsADay: upTo(1_000).default(1).describe('Variants that trade less often are not chosen.'),
})
export type TournamentFile = z.infer<typeof tournamentSchema>

/** Returns the file's JSON Schema, for editors. */
export function tournamentJsonSchema(): object {
  const schema = z.toJSONSchema(tournamentSchema, { io: 'input', unrepresentable: 'any' })
  return { ...schema, title: 'mizani tournament' }
}

/** An input that a core hides from its strategy. */
export type HiddenInput = 'rivals' | 'inventory'

/** One choice of an entrant's parameters. */
export type EntrantVariant = {
  readonly entrant: string
  readonly use: string
  readonly params: Readonly<Record<string, unknown>>
  readonly feedTauBps: number | null
  readonly refills: Entrant['refills']
  readonly calibration: Entrant['calibration']
  /** All parameters of the exact variant; absent = no comparison. */
  readonly exact?: Readonly<Record<string, unknown>>
  /** Withheld inputs that the core has and does not show; absent = none. */
  readonly hidden?: readonly HiddenInput[]
  /** The parameters of the grid as text; empty = no grid. */
  readonly label: string
}

/** Returns every combination of an entrant's grid, in order. */
export function variantsOf(entrant: Entrant): Result<readonly EntrantVariant[], string> {
  const { name, use, params, grid, feedTauBps, refills, calibration, exact, withhold } = entrant
  const axes = Object.entries(grid)
  const count = axes.reduce((product, [, values]) => product * values.length, 1)
  if (count > MOST_VARIANTS)
    return err(`the grid of ${name} has ${count} variants; at most ${MOST_VARIANTS} are allowed`)
  const hidden = withhold.filter((input) => input !== 'feed' && input !== 'calibration')
  let combinations: readonly (readonly (readonly [string, unknown])[])[] = [[]]
  for (const [key, values] of axes)
    combinations = combinations.flatMap((before) => values.map((value) => [...before, [key, value] as const]))
  return ok(
    combinations.map((chosen) => {
      const own = {
        ...params,
        ...Object.fromEntries(chosen.flatMap(([key, value]) => key.split('=').map((one) => [one, value]))),
      }
      return {
        entrant: name,
        use,
        params: own,
        feedTauBps: withhold.includes('feed') ? null : feedTauBps,
        refills,
        calibration: withhold.includes('calibration') ? null : calibration,
        ...(hidden.length === 0 ? {} : { hidden }),
        ...(exact === null ? {} : { exact: { ...own, ...exact } }),
        label: chosen.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(', '),
      }
    }),
  )
}

/** Returns every reason why a tournament cannot run; empty = it can. */
export function entrantProblemsOf(file: TournamentFile, seeds = file.seeds): readonly string[] {
  const { firstSeed, trainingSeeds, firstTrainingSeed, strategies } = file
  const hasGrid = strategies.some(({ grid }) => Object.keys(grid).length > 0)
  const isApart = firstTrainingSeed + trainingSeeds <= firstSeed || firstSeed + seeds <= firstTrainingSeed
  if (!hasGrid || isApart) return []
  return [
    `training seeds ${firstTrainingSeed} to ${firstTrainingSeed + trainingSeeds - 1} and test seeds ${firstSeed} to ${firstSeed + seeds - 1} overlap; use separate seeds, because a seed that chose a parameter cannot test it`,
  ]
}
