import { InvalidArgumentError } from 'commander'
import { DRILL_NAMES, type DrillName } from '../../simulator/drills/catalogue.ts'
import { type CommandLine, numberOption } from '../options.ts'

/** Registers the command that rehearses bad nights. */
export function registerDrillCommand(program: CommandLine): void {
  program
    .command('drill')
    .description('play bad nights on the simulated venue with your strategy and limits: notice, safety, cost')
    .option(
      '--config <file>',
      'the configuration of the position; default the example of the simulated venue',
    )
    .option('--only <names>', 'only these drills, separated by commas; default all', drillNames)
    .option(
      '--parallel <n>',
      'number of concurrent drills',
      numberOption({ whole: true, min: 1, max: 16 }),
      3,
    )
    .option('--like <file>', 'simulate the venue by a profile of `mizani conformance --out`')
    .option('--read-store', 'read the peak also from a store in PostgreSQL')
    .option('--gate', 'exit code 1 if a drill fails or none ran')
    .option('--html <file>', 'also write the report as one HTML page')
    .shared('json')
    .more(`
Drills: ${DRILL_NAMES.join(', ')}.
A drill uses the strategy, limits, pacing and notification severities of the configuration. It simulates the venue, its key,
feeds, store, HTTP port and the receiver of notifications on this machine and in a temporary folder: it reads no secret of the
configuration and sends nothing to its venue, feeds or channels. A running daemon is not affected. The peak is read from the
store in store.path; --read-store also reads it from PostgreSQL, which needs the secret of the database.
Without --config it drills the example that \`npm start\` runs.
The cost is the loss to takers and leaks until the position is safe, at the market rate; a negative cost is a gain.
Results are added to drills.json in store.path; \`mizani check\` warns if the last one is 90 days old. The
section \`drills\` sets the limits.
Exit codes: 0 the drills ran (with --gate: and passed), 1 with --gate one failed or none ran, 2 the configuration is wrong.
Examples:
  $ npx mizani drill --config live.yaml
  $ npx mizani drill --config live.yaml --only mid-lies,leak --html drills.html
  $ npx mizani drill --config live.yaml --gate --json`)
    .action(async (options) => (await import('./drill.ts')).drill(options))
}

function drillNames(text: string): readonly DrillName[] {
  return text.split(',').map((given) => {
    const found = DRILL_NAMES.find((name) => name === given.trim())
    if (found === undefined) throw new InvalidArgumentError(`There are ${DRILL_NAMES.join(', ')}.`)
    return found
  })
}
