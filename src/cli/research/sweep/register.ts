import { Option } from 'commander'
import { FILL_MODELS } from '../../../core/models/fill-models.ts'
import { type CommandLine, keys, numberOption } from '../../options.ts'

const SEED = { whole: true, min: 0, max: 2_147_483_647 } as const

/** Many backtests, here or on many machines. */
export function registerSweep(program: CommandLine): void {
  const command = program
    .command('sweep')
    .description('backtest many configurations over one tape and rank them by a lower bound of their PnL')
    .needs('config')
    .option(
      '--tape <path>',
      'a tape: folder, .jsonl, .parquet or .csv; default backtest.tape; with --search several times',
      several,
    )
    .option('--grid <json>', 'keys and the values of each; every combination is a variant')
    .option('--random <n>', 'draw this many variants at random instead', numberOption({ ...SEED, min: 1 }))
    .option('--space <json>', 'ranges and lists to draw from; default half to twice each parameter')
    .addOption(new Option('--fills <model>', 'the fill model; default backtest.fills').choices(FILL_MODELS))
    .option('--seed <n>', 'seed of all random draws; default backtest.seed', numberOption(SEED))
    .shared('from', 'to')
    .option('--splits <n>', 'walk-forward splits', numberOption({ whole: true, min: 1, max: 50 }), 4)
    .option(
      '--heatmap <keys>',
      'one or two keys for the heatmap; default those with the largest effect',
      keys,
      [],
    )
    .option(
      '--workers <n>',
      'number of threads; default one per core',
      numberOption({ whole: true, min: 0, max: 256 }),
    )
    .shared('allowSkipped')
    .option('--out <folder>', 'folder of the results', 'sweep')
    .option('--add', 'add this sweep to others in --out; all their variants count as tried')
    .option('--queue <url>', 'share the work through this PostgreSQL database')
    .option('--join', 'join the open sweep of --queue over this configuration and tape')
    .option(
      '--lease-seconds <n>',
      'other workers take over the jobs of a worker without a heartbeat for this long',
      numberOption({ min: 1, max: 3_600 }),
      20,
    )
    .shared('json')
    .more(MORE)
  addSearchOptions(command)
  command.action(async ({ tape: tapes = [], objective = [], constraint = [], ...options }) => {
    const strays = options.search === true ? ['--heatmap'] : OF_SEARCH
    const stray = command.options.find(
      (one) => strays.includes(one.long ?? '') && command.getOptionValueSource(one.attributeName()) === 'cli',
    )?.long
    const other = stray === '--scenarios' ? '; mizani tournament plays grids in them' : ''
    if (stray !== undefined)
      command.error(`error: ${stray} ${options.search === true ? 'excludes' : 'needs'} --search${other}`)
    if (options.search === true)
      return (await import('./search.ts')).search({ ...options, tapes, objective, constraint })
    return (await import('./sweep.ts')).sweep(options, tapes)
  })
}

function addSearchOptions(command: CommandLine): void {
  command
    .option('--search', 'search for the variants that are best in several objectives at once')
    .option(
      '--objective <metric>',
      'an objective: a metric, or max or min and a metric; may be given several times',
      several,
    )
    .option(
      '--constraint <bound>',
      "a bound that every result must meet: 'fillsADay>=1'; several times",
      several,
    )
    .option('--population <n>', 'variants per generation', numberOption({ ...SIZE, min: 4 }), 40)
    .option('--generations <n>', 'number of generations', numberOption({ ...SIZE, min: 1 }), 25)
    .option(
      '--combine <how>',
      'how to combine several tapes and scenarios: mean, worst, or the name of one of them',
      'mean',
    )
    .option(
      '--scenarios <names>',
      'also search in these simulated markets, or `all`; without --tape only in these',
      keys,
    )
    .option('--seeds <n>', 'worlds per scenario; default 10', numberOption({ ...SIZE, min: 1 }))
    .option('--days <n>', 'days in a world; default 30', numberOption({ whole: true, min: 14, max: 1_000 }))
    .option(
      '--feed-tau <bps>',
      'error of the reference feed in simulated markets; default no feed',
      numberOption({ min: 0, max: 1_000 }),
    )
}

const MORE = `
A key without a dot is a parameter of the strategy; with dots it is a path of the configuration
(quote.requoteThresholdBps, strategy.use). The unchanged configuration is variant 0.
Each result is stored at once: after Ctrl-C or a kill the same command resumes. See docs/sweeps.md.
Examples:
  $ npx mizani sweep --config config/backtest.yaml --grid '{"halfSpreadBps":[40,60,80],"maxSkewBps":[0,40]}'
  $ npx mizani sweep --config live.yaml --tape ./tape --random 200 --space '{"halfSpreadBps":[20,120]}'
  $ npx mizani sweep --config live.yaml --tape ./may --tape ./june --search --combine worst --out front
  $ npx mizani sweep --config live.yaml --scenarios normal,toxic-taker --seeds 10 --search --combine worst --out front
  $ npx mizani sweep --config live.yaml --tape ./tape --grid ... --queue postgres://desk@db/sweeps
  $ npx mizani sweep --config live.yaml --tape ./tape --queue postgres://desk@db/sweeps --join`

const OF_SEARCH: readonly string[] =
  '--objective --constraint --population --generations --combine --scenarios --seeds --days --feed-tau'.split(
    ' ',
  )

const SIZE = { whole: true, max: 2_000 } as const

function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}
