import type { CommandLine } from '../options.ts'
import type { AskOptions } from './ask.ts'

/** The dead-man switch, and commands to a running one. */
export function registerGuardCommands(program: CommandLine): void {
  const guard = program
    .command('guard')
    .description('watch the daemon from a second process, and make the quote safe when it is silent')
    .needs('configs')
    .option('--check', 'check every configuration, exit with code 2 if one is invalid, and watch nothing')
    .more(`
The guard is a second, small process, best on another machine. The daemon renews a lease there every second. When the
position's loop is silent for guard.waitMs, the guard notifies, sets both sides to the safe quote with the venue's key, reads
them back, closes the worse side and finally deactivates the position. It reads the daemon's own configuration, several files
or the folder of a fleet. Without a section guard it listens on 127.0.0.1 at http.port + 1, or + 2 if treasury.webhooks uses
that port.
SIGTERM drains it first: running daemons continue to quote without a guard. SIGHUP reloads a valid configuration.
The guard skips an invalid file of a fleet's folder with a warning and a notice, and watches the others.
Example:
  $ npx mizani guard --config config/live.yaml
  $ npx mizani guard status --config config/live.yaml`)
    .action(async (options) => (await import('./run.ts')).runGuardCommand(options))
  add(guard, 'status', 'show who holds the lease of each position, and what the guard does', STATUS)
  add(
    guard,
    'drain',
    'end every lease before you stop the guard: daemons continue to quote without it',
    DRAIN,
  )
  add(
    guard,
    'release',
    'return the positions that the guard acts for to their daemons, and lift the latch',
    RELEASE,
  )
}

const STATUS = `
Exit code 1 means that no guard answers, that it acts for a position, that it could not act for one (the venue refuses its
key or does not answer), or that it does not watch a file of the fleet's folder.`
const DRAIN = `
Positions that the guard acts for stay as they are. The guard grants leases again after its restart.`
const RELEASE = `
After the third firing within an hour the position stays safe until this command; with guard.handBack: person, after every
firing. The daemon quotes again once it runs and has reconciled.`

function add(guard: CommandLine, name: 'status' | 'drain' | 'release', does: string, more: string): void {
  guard
    .command(name)
    .description(does)
    .shared('config')
    .option('--position <name>', 'only this position; default: every position of the guard')
    .shared('json')
    .more(more)
    .action(async (own: AskOptions, command: CommandLine) => {
      // The parent command has the same option, and receives it at any place in the line.
      const { config } = command.optsWithGlobals<{ readonly config: readonly [string, ...string[]] }>()
      await (await import('./ask.ts')).askRunningGuard(name, { ...own, config: config[0] })
    })
}
