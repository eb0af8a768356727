import { setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'
import { COMMAND_OPTIONS } from '../options.ts'

/** The commands that run until a signal ends them: the daemon, the fleet and the recorder. */
export function registerDaemonCommands(program: Command): void {
  addRun(program)
  addFleet(program)
  addRecord(program)
}

/**
 * Sets the flags of V8 for a process that runs for months. They apply to every thread of it.
 *
 * V8 enlarges the nursery of the main thread to 32 MB while a start loads its modules and never makes it smaller, and a
 * daemon allocates little. It also lets each heap grow by 8 MB or more, and up to four times after a start, before it is collected: a
 * quiet daemon needs hours for that, which looks like a leak. In the memory saver mode it is 2 MB, or 30 % of what lives.
 */
export function keepMemoryLow(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--memory-saver-mode')
}

function addRun(program: Command): void {
  program
    .command('run')
    .description('run the daemon in the foreground; several --config run several positions')
    .requiredOption(...COMMAND_OPTIONS.configs)
    .addHelpText(
      'after',
      '\nSIGHUP or a change of the file reloads strategy, risk and quote settings, as a whole or not at all.\nSIGTERM applies quote.onExit to the position, then prints what the venue confirmed.',
    )
    .action(async (options) => {
      keepMemoryLow()
      await (await import('./run.ts')).run(options)
    })
}

function addFleet(program: Command): void {
  program
    .command('fleet')
    .argument('<folder>', 'the folder: defaults.yaml, and one file for each position')
    .description('run every position of a folder in the foreground, and keep them as the folder has them')
    .option('--check', 'read and try every file, list what each makes, and start nothing')
    .option('--json', 'with --check: one JSON document instead of text')
    .addHelpText(
      'after',
      `
Every *.yaml in the folder is a position; what it leaves out comes from defaults.yaml, whose block \`fleet:\` makes the
folder a fleet. The store of a position is store.path/name. Positions start, reload and leave as files come, change and
go; SIGHUP reads all again. A broken file is shown with file, line and column, and its position continues as it was. A
folder that is missing or has no position any longer leaves none. SIGTERM leaves all as quote.onExit says.
Exit codes of --check: 0 every file is right, 2 one is not.
Examples:
  $ npm run -s mizani -- fleet config/fleet --check
  $ npm run -s mizani -- fleet config/fleet
  $ npm run -s mizani -- status --config config/fleet/west.yaml`,
    )
    .action(async (folder, options) => {
      keepMemoryLow()
      await (await import('./fleet.ts')).fleet(folder, options)
    })
}

function addRecord(program: Command): void {
  program
    .command('record')
    .description('record market data and fills of the venue on a tape, without trading')
    .requiredOption(...COMMAND_OPTIONS.config)
    .option('--out <folder>', 'folder of the tape; default record.path of the configuration, else ./tape')
    .addHelpText(
      'after',
      `
A dry run with a store of its own: it records rates, competition, balances, fills and the live quote, and changes
nothing at the venue. It sends as many requests as a daemon: with the default pacing about 45 of the key's 60 a
minute, which pacing.* of the configuration lowers, and 30 a minute to the public endpoint. A daemon that trades
with the same key shares these 60 a minute; set record.path in its configuration instead. Ctrl-C ends the
recording; kill -9 loses no row that was written.
Example:
  $ npm run -s mizani -- record --config config/live.yaml --out ./tape`,
    )
    .action(async (options) => {
      keepMemoryLow()
      await (await import('./record.ts')).record(options)
    })
}
