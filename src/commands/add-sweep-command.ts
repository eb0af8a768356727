import { Option, type Command } from 'commander'
import { FILL_MODELS } from '../backtest/fill-models/fill-model.ts'
import { COMMAND_OPTIONS } from './command-options.ts'
import { numberOption } from './number-option.ts'
import { timeOption } from './time-option.ts'

const SEED = { whole: true, min: 0, max: 2_147_483_647 } as const

/** Many backtests, here or on many machines. */
export function addSweepCommand(program: Command): void {
  program
    .command('sweep')
    .description('try many configurations over one tape, and rank them by what they surely earned')
    .requiredOption(...COMMAND_OPTIONS.config)
    .option('--tape <path>', 'a tape: folder, .jsonl or .parquet; default backtest.tape')
    .option('--grid <json>', 'keys and the values each takes; every combination is tried')
    .option('--random <n>', 'draw so many combinations instead', numberOption({ ...SEED, min: 1 }))
    .option('--space <json>', 'ranges and lists to draw from; default half to twice of every parameter')
    .addOption(
      new Option('--fills <model>', 'who trades with us; default backtest.fills').choices(FILL_MODELS),
    )
    .option('--seed <n>', 'of everything drawn; default backtest.seed', numberOption(SEED))
    .option('--from <time>', 'begin here', timeOption)
    .option('--to <time>', 'end before this', timeOption)
    .option('--splits <n>', 'walk-forward splits', numberOption({ whole: true, min: 1, max: 50 }), 4)
    .option('--heatmap <keys>', 'one or two keys for the heatmap; default those that matter most', keys, [])
    .option('--workers <n>', 'threads; default one a core', numberOption({ whole: true, min: 0, max: 256 }))
    .option('--out <folder>', 'where results are kept', 'sweep')
    .option('--add', 'keep this sweep beside others in --out; all their variants count as tried')
    .option('--queue <url>', 'share the work through this PostgreSQL database')
    .option('--join', 'work at the open sweep of --queue that is over this configuration and tape')
    .option(
      '--lease-seconds <n>',
      'a worker that is silent for longer loses its jobs to others',
      numberOption({ min: 1, max: 3_600 }),
      20,
    )
    .option(...COMMAND_OPTIONS.json)
    .addHelpText('after', MORE)
    .action(async (options) => (await import('./sweep.ts')).sweep(options))
}

const MORE = `
A key without a dot is a parameter of the strategy; with dots it is a path of the configuration
(quote.requoteThresholdBps, strategy.use). The configuration as it is takes part as variant 0.
Results are kept as they come: after Ctrl-C, or a kill, the same command goes on. See docs/sweeps.md.
Examples:
  $ npm run -s mizani -- sweep --config config/backtest.yaml --grid '{"halfSpreadBps":[40,60,80],"maxSkewBps":[0,40]}'
  $ npm run -s mizani -- sweep --config live.yaml --tape ./tape --random 200 --space '{"halfSpreadBps":[20,120]}'
  $ npm run -s mizani -- sweep --config live.yaml --tape ./tape --grid ... --queue postgres://desk@db/sweeps
  $ npm run -s mizani -- sweep --config live.yaml --tape ./tape --queue postgres://desk@db/sweeps --join`

function keys(text: string): readonly string[] {
  return text.split(',').map((key) => key.trim())
}
