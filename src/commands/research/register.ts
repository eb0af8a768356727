import { type Command, Option } from 'commander'
import { FILL_MODELS } from '../../backtest/fill-models/fill-model.ts'
import { COMMAND_OPTIONS, numberOption, timeOption } from '../options.ts'

const WHOLE = { whole: true, min: 0, max: 2_147_483_647 } as const

/** The commands that ask what would have been. */
export function registerResearchCommands(program: Command): void {
  addBacktest(program)
  addParity(program)
  addWhatif(program)
}

function addBacktest(program: Command): void {
  program
    .command('backtest')
    .description('what a configuration would have earned over a tape, with its uncertainty')
    .requiredOption(...COMMAND_OPTIONS.config)
    .option('--tape <path>', 'a tape: folder, .jsonl or .parquet; default backtest.tape')
    .option('--strategy <name>', 'another strategy than the configuration has')
    .option('--params <json>', 'its parameters; without --strategy they change those of the configuration')
    .addOption(fillsOption())
    .option('--seed <n>', 'of everything drawn', numberOption(WHOLE))
    .option('--from <time>', 'begin here', timeOption)
    .option('--to <time>', 'end before this', timeOption)
    .option(
      '--variants <n>',
      'how many variants you have tried so far, this one included',
      numberOption({ ...WHOLE, min: 1 }),
      1,
    )
    .option(
      '--replicates <n>',
      'thinned and simulated: run so often again with A and k drawn from their posterior',
      numberOption({ ...WHOLE, max: 10_000 }),
      0,
    )
    .option('--report <file>', 'write the report as one HTML file')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
The core, its pacing and its rules are the daemon's own; nothing is sent anywhere and no key is needed.
Fill models:
  recorded   recorded fills that our quote would have won for certain, at our price (the default)
  thinned    recorded fills kept by chance where we are wider, synthetic ones added where we are narrower
  routed     recorded fills through the venue's router, against the recorded competition
  simulated  takers drawn from a calibration
Examples:
  $ npm run -s mizani -- backtest --config config/backtest.yaml
  $ npm run -s mizani -- backtest --config live.yaml --tape ./tape --params '{"halfSpreadBps":45}' --report out.html`,
    )
    .action(async (options) => (await import('./backtest/backtest.ts')).backtest(options))
}

function addParity(program: Command): void {
  program
    .command('parity')
    .description("a store's journal through the backtest: the decisions must be the daemon's own")
    .requiredOption('--store <folder>', 'the store of a position')
    .option('--config <file>', 'where its strategies are found, if not in strategies/')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
First every decision to send something is held against the journal; none may differ (exit code 1). Then the
recording is run as a backtest with fill model recorded, and its fills are scored against the real ones.
Works while the daemon runs and changes nothing.`,
    )
    .action(async (options) => (await import('./parity/parity.ts')).parity(options))
}

function addWhatif(program: Command): void {
  program
    .command('whatif')
    .description('what another configuration would have done with what this position saw')
    .requiredOption('--store <folder>', 'the store of a position')
    .requiredOption('--config <file>', 'the configuration to try, before it is reloaded')
    .addOption(fillsOption())
    .option('--from <time>', 'begin here', timeOption)
    .option('--to <time>', 'end before this', timeOption)
    .option('--seed <n>', 'of everything drawn', numberOption(WHOLE))
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Runs the recording of the journal twice, with the configuration that was in force and with the new one, over
the same takers, and shows both with their difference.
Example:
  $ npm run -s mizani -- whatif --store data/desk-1 --config new.yaml`,
    )
    .action(async (options) => (await import('./whatif.ts')).whatif(options))
}

function fillsOption(): Option {
  return new Option('--fills <model>', 'who trades with us; default backtest.fills').choices(FILL_MODELS)
}

/** What a recording says about takers and the mid. */
export function registerCalibrate(program: Command): void {
  program
    .command('calibrate')
    .description(
      'learn from a tape how takers answer to spreads, how much the mid moves, and what takers know',
    )
    .option('--tape <path>', 'a tape: folder, .jsonl or .parquet; default backtest.tape of --config')
    .option('--config <file>', 'take tolerance, fee, reference source and seed from this configuration')
    .option('--out <file>', 'write it for calibration: in the configuration; it is whole or not there')
    .option('--from <time>', 'begin here', timeOption)
    .option('--to <time>', 'end before this', timeOption)
    .option(
      '--tolerance-bps <n>',
      'within so many bps of the best the venue takes turns; default venue.toleranceBps, else 5',
      numberOption({ whole: true, min: 0, max: 500 }),
    )
    .option('--seed <n>', 'of everything drawn', numberOption({ whole: true, min: 0, max: 2_147_483_647 }))
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
A tape without competition rows is read as if nobody else quoted. Every figure has a 90 % interval, and what
the tape is too thin for is said in sentences. See docs/calibration.md.
Examples:
  $ npm run -s mizani -- calibrate --tape ./tape
  $ npm run -s mizani -- calibrate --config live.yaml --tape ./tape --out calibration.json
  $ npm run -s mizani -- calibrate --tape ./tape --from 2026-11-01 --json | jq .both.k`,
    )
    .action(async (options) => (await import('./calibrate.ts')).calibrate(options))
}

const SEED = { whole: true, min: 0, max: 2_147_483_647 } as const

/** Many backtests, here or on many machines. */
export function registerSweep(program: Command): void {
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
    .action(async (options) => (await import('./sweep/sweep.ts')).sweep(options))
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
