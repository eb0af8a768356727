import type { Command } from 'commander'
import { addSandboxCommand } from './add-sandbox-command.ts'
import { COMMAND_OPTIONS } from './command-options.ts'
import { ANY_SEED, numberOption } from './number-option.ts'
import { scenarioOption } from './scenario-option.ts'

/** The commands that run until they are ended: the demo, the daemon, the venue in a box. */
export function addRunningCommands(program: Command): void {
  addStart(program)
  addRun(program)
  addRecord(program)
  addSandboxCommand(program)
}

function addStart(program: Command): void {
  program
    .command('start')
    .description('a live market on your screen: a venue in a box and the daemon that makes it')
    .addHelpText(
      'after',
      '\nNothing to set up. Ctrl-C ends it with a summary; kill -9 and start again: it takes up where it was.',
    )
    .addOption(scenarioOption('what the pretend world does'))
    .option(
      '--speed <x>',
      'how fast it does it; 60 where nothing is said',
      numberOption({ min: 0.01, max: 100_000 }),
    )
    .option('--self-custody', 'signed orders on a local chain with the real exchange, instead of a spread')
    .option('--seed <n>', 'which world of its kind', numberOption(ANY_SEED), 1)
    .option('--fresh', 'forget the market of the last start')
    .action(async (options) => (await import('./start.ts')).start(options))
}

function addRun(program: Command): void {
  program
    .command('run')
    .description('run the daemon in the foreground; several --config run several positions')
    .requiredOption(...COMMAND_OPTIONS.configs)
    .addHelpText(
      'after',
      '\nSIGHUP or a change of the file reloads strategy, risk and quote settings, as a whole or not at all.\nSIGTERM leaves the position as quote.onExit says and prints what the venue confirmed.',
    )
    .action(async (options) => (await import('./run.ts')).run(options))
}

function addRecord(program: Command): void {
  program
    .command('record')
    .description('write a tape of what the venue shows, without trading')
    .requiredOption(...COMMAND_OPTIONS.config)
    .option('--out <folder>', 'where to; default record.path of the configuration, or ./tape')
    .addHelpText(
      'after',
      `
A dry run with a store of its own: rates, competition, balances and fills are read and written down, the quote
that stands is read back, and nothing is changed at the venue. It asks as often as a daemon does: some 45 of
the key's 60 requests a minute with the default pacing, which pacing.* of the configuration lowers, and 30 a
minute of the public endpoint. A daemon that trades on the same key shares these 60 a minute: rather set
record.path in its own configuration. Ctrl-C ends it; kill -9 loses nothing, start it again.
Example:
  $ npm run -s mizani -- record --config config/live.yaml --out ./tape`,
    )
    .action(async (options) => (await import('./record.ts')).record(options))
}
