import { setFlagsFromString } from 'node:v8'
import type { CommandLine } from '../options.ts'

/** The commands that run until a signal ends them: the daemon, the fleet and the recorder. */
export function registerDaemonCommands(program: CommandLine): void {
  program
    .command('run')
    .description('run the daemon in the foreground; several --config run several positions')
    .needs('configs')
    .more(
      '\nSIGHUP or a change of the file reloads strategy, risk and quote settings, all or nothing.\nSIGTERM applies quote.onExit to the position, then prints what the venue confirmed.',
    )
    .action(async (options) => {
      keepMemoryLow()
      await (await import('./run.ts')).run(options)
    })
  program
    .command('fleet')
    .argument('<folder>', 'the folder: defaults.yaml, and one file for each position')
    .description('run every position of a folder in the foreground, and follow changes of the folder')
    .option('--check', 'validate every file, list its position, and start nothing')
    .option('--json', 'with --check: one JSON document instead of text')
    .more(`
Every *.yaml in the folder is a position; defaults.yaml has the keys that it omits, and its block \`fleet:\` makes the folder a
fleet. The store of a position is store.path/name. Positions start, reload and end when files are added, changed and removed;
SIGHUP reads all files again. A broken file is reported with file, line and column, and its position continues unchanged. If
the folder is missing or empty, all positions continue. SIGTERM leaves each position as quote.onExit requires.
Exit codes of --check: 0 every file is valid, 2 one is not.
Examples:
  $ npx mizani fleet config/fleet --check
  $ npx mizani fleet config/fleet
  $ npx mizani status --config config/fleet/west.yaml`)
    .action(async (folder, options) => {
      keepMemoryLow()
      await (await import('./fleet.ts')).fleet(folder, options)
    })
  program
    .command('record')
    .description('record market data and fills of the venue on a tape, without trading')
    .needs('config')
    .option('--out <folder>', 'folder of the tape; default record.path of the configuration, then ./tape')
    .more(`
A dry run with its own store: it records rates, competition, balances, fills and the live quote, and changes nothing at the
venue. With the default pacing it sends about 45 of the key's 60 requests a minute (pacing.* lowers this) and 30 a minute to
the public endpoint. A trading daemon with the same key shares the 60: set record.path in its configuration instead. Ctrl-C
ends the recording; kill -9 loses no written row.
Example:
  $ npx mizani record --config config/live.yaml --out ./tape`)
    .action(async (options) => {
      keepMemoryLow()
      await (await import('./record.ts')).record(options)
    })
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
