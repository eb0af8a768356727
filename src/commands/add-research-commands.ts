import { Option, type Command } from 'commander'
import { FILL_MODELS } from '../backtest/fill-models/fill-model.ts'
import { COMMAND_OPTIONS } from './command-options.ts'
import { numberOption } from './number-option.ts'
import { timeOption } from './time-option.ts'

const WHOLE = { whole: true, min: 0, max: 2_147_483_647 } as const

/** The commands that ask what would have been. */
export function addResearchCommands(program: Command): void {
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
    .action(async (options) => (await import('./backtest.ts')).backtest(options))
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
    .action(async (options) => (await import('./parity.ts')).parity(options))
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
