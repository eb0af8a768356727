import { type Command, InvalidArgumentError } from 'commander'
import { DRILL_NAMES, type DrillName } from '../../simulator/drills/catalogue.ts'
import { COMMAND_OPTIONS, numberOption } from '../options.ts'

const HELP = `
Drills: ${DRILL_NAMES.join(', ')}.
Strategy, limits, pacing and severities of notifications are those of the configuration. The venue, its key, feeds,
store, HTTP port and the receiver of notifications are the drill's own, on this machine and in a temporary folder: no
secret of the configuration is read, and nothing is sent to its venue, feeds or channels. A daemon that runs on the
configuration is not touched. The peak is read from the store in store.path; with --read-store also from one in
PostgreSQL, for which its secret is read and the database asked.
Without --config the example of the simulated venue is drilled, which \`npm start\` runs.
The cost is what takers and leaks take until the position is safe, at the market's own rate; below zero it is earned.
Results are added to drills.json in store.path; \`mizani check\` warns when the last is 90 days old. The section \`drills\` sets what is allowed.
Exit codes: 0 the drills were run (with --gate: and passed), 1 with --gate one failed or none was played, 2 the configuration is wrong.
Examples:
  $ npm run -s mizani -- drill --config live.yaml
  $ npm run -s mizani -- drill --config live.yaml --only mid-lies,leak --html drills.html
  $ npm run -s mizani -- drill --config live.yaml --gate --json`

/** Registers the command that rehearses bad nights. */
export function registerDrillCommand(program: Command): void {
  program
    .command('drill')
    .description('play bad nights on the simulated venue with your strategy and limits: notice, safety, cost')
    .option(
      '--config <file>',
      'the configuration of the position; without one the example of the simulated venue',
    )
    .option('--only <names>', 'these drills, with commas between them; default all', drillNames)
    .option('--parallel <n>', 'drills at a time', numberOption({ whole: true, min: 1, max: 16 }), 3)
    .option('--like <file>', 'simulate the venue by a profile of `mizani conformance --out`')
    .option('--read-store', 'read the peak also from a store in PostgreSQL')
    .option('--gate', 'exit code 1 where a drill fails, or none was played')
    .option('--html <file>', 'also write the report as one HTML page')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText('after', HELP)
    .action(async (options) => (await import('./drill.ts')).drill(options))
}

function drillNames(text: string): readonly DrillName[] {
  return text.split(',').map((given) => {
    const found = DRILL_NAMES.find((name) => name === given.trim())
    if (found === undefined) throw new InvalidArgumentError(`There are ${DRILL_NAMES.join(', ')}.`)
    return found
  })
}
