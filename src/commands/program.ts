import { Command, Option } from 'commander'
import { ASSETS } from '../money/asset.ts'
import { SCENARIOS } from '../sandbox/world/scenario-names.ts'
import { EXPORT_KINDS } from '../store/export-kind.ts'
import { EXIT } from './exit-code.ts'
import { numberOption } from './number-option.ts'
import { version } from './version.ts'

const CONFIG = ['--config <file>', 'the configuration of the position'] as const
const JSON_OUTPUT = ['--json', 'one JSON document instead of text'] as const
const REASON = ['--reason <text>', 'why; it is journalled with who', 'from the command line'] as const

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 refused by risk, 4 venue unreachable.`

const FIRST_STEPS = `
Examples:
  $ npm start                                                 a whole market, nothing to set up
  $ npm run -s mizani -- check --config config/live.yaml      is everything ready?
  $ npm run -s mizani -- run --config config/live.yaml        make the market, in the foreground
  $ npm run -s mizani -- status --config config/live.yaml --watch
  $ npm run -s mizani -- halt --config config/live.yaml --reason "the feed looks wrong"
\`mizani <command> --help\` says more about each.`
const ANY_SEED = { whole: true, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/** The command line: names, options and help here, each command's work in a file of its own, loaded when asked for. */
export function buildProgram(): Command {
  const program = new Command('mizani')
    .configureOutput({ outputError: explain })
    .description('A market maker for liquidity providers of a stablecoin venue: dollars against shillings.')
    .version(version)
    .addHelpText('after', FIRST_STEPS)
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('(mizani --help shows every command)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage))
  addRunning(program)
  addOperating(program)
  addReading(program)
  return program
}

function addRunning(program: Command): void {
  program
    .command('start')
    .description('a live market on your screen: a venue in a box and the daemon that makes it')
    .addHelpText(
      'after',
      '\nNothing to set up. Ctrl-C ends it with a summary; kill -9 and start again: it takes up where it was.',
    )
    .addOption(scenario('what the pretend world does'))
    .option('--speed <x>', 'how fast it does it', numberOption({ min: 0.01, max: 100_000 }), 60)
    .option('--seed <n>', 'which world of its kind', numberOption(ANY_SEED), 1)
    .option('--fresh', 'forget the market of the last start')
    .action(async (options) => (await import('./start.ts')).start(options))
  program
    .command('run')
    .description('run the daemon in the foreground; several --config run several positions')
    .requiredOption('--config <file>', 'a configuration; may be given several times', collect, [])
    .addHelpText(
      'after',
      '\nSIGHUP or a change of the file reloads strategy, risk and quote settings, as a whole or not at all.\nSIGTERM leaves the position as quote.onExit says and prints what the venue confirmed.',
    )
    .action(async (options) => (await import('./run.ts')).run(options))
  program
    .command('sandbox')
    .description('the venue in a box: a real HTTP server with the whole LP contract and a pretend world')
    .option(
      '--port <n>',
      'where to listen on 127.0.0.1; 0 takes a free port',
      numberOption({ whole: true, min: 0, max: 65_535 }),
      8_787,
    )
    .option('--seed <n>', 'the world follows from it', numberOption(ANY_SEED), 1)
    .addOption(scenario('the story of the world'))
    .option(
      '--speed <x>',
      'virtual seconds per second; 0 moves only by POST /sandbox/advance',
      numberOption({ min: 0, max: 1_000_000 }),
      1,
    )
    .addOption(
      new Option('--dialect <name>', 'how answers look')
        .choices(['contract', 'observed'])
        .default('contract'),
    )
    .option('--api-key <key>', 'the key it accepts', 'mm_test_sandbox')
    .option(
      '--linger-ms <ms>',
      'end by itself when nobody has asked it anything for this long',
      numberOption({ whole: true, min: 0, max: 86_400_000 }),
    )
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
Its first line says where it listens. GET /sandbox/state shows the venue's own books, POST /sandbox/advance
{"ms": 60000} moves its clock, POST /sandbox/inject and /sandbox/swap disturb it.
Example:
  $ npm run -s mizani -- sandbox --port 8787 --scenario devaluation --speed 60`,
    )
    .action(async (options) => (await import('./sandbox.ts')).sandbox(options))
}

function addOperating(program: Command): void {
  const operator = (name: 'pause' | 'halt' | 'activate' | 'deactivate', description: string, after: string) =>
    program
      .command(name)
      .description(description)
      .addHelpText('after', `\n${after}`)
      .requiredOption(...CONFIG)
      .option(...REASON)
      .option(...JSON_OUTPUT)
      .action(async (options) => (await import('./operate.ts')).operate({ name }, options))
  operator(
    'pause',
    'pull both sides to the safe quote until resume',
    'The position stays in the market at quote.safeBps.',
  )
  operator(
    'halt',
    'stop trading; only resume lifts it, a restart does not',
    'What stands afterwards is risk.onHalt: deactivate or safe.',
  )
  program
    .command('resume')
    .description('lift a pause or a halt; the reason that halted is checked again at once')
    .addHelpText(
      'after',
      '\nWith unexplained balances say what they are: an adjustment, a deposit or a withdrawal of your own.',
    )
    .requiredOption(...CONFIG)
    .addOption(
      new Option('--book <what>', 'book what is unexplained as this').choices([
        'adjustment',
        'deposit',
        'withdrawal',
      ]),
    )
    .option(...REASON)
    .option(...JSON_OUTPUT)
    .action(async (options) =>
      (await import('./operate.ts')).operate(
        options.book === undefined ? { name: 'resume' } : { name: 'resume', book: options.book },
        options,
      ),
    )
  operator(
    'activate',
    'take the position into the market, once its quote is known',
    'Needs the running daemon: nobody else would watch what stands.',
  )
  operator(
    'deactivate',
    'take the position out of the market; the tokens return to the wallet',
    'Works with and without the running daemon.',
  )
  program
    .command('withdraw')
    .description('send tokens to a listed address; off unless the configuration allows it')
    .addHelpText(
      'after',
      `
Needs withdraw.enabled, an address in withdraw.destinations and room in withdraw.maxPerDay.
Asks before it sends. A withdrawal without a clear answer is never sent again.
Example:
  $ npm run -s mizani -- withdraw --config live.yaml --token USDC --amount 250.5 --to 0x...`,
    )
    .requiredOption(...CONFIG)
    .addOption(new Option('--token <token>', 'which').choices(ASSETS).makeOptionMandatory())
    .requiredOption('--amount <decimal>', 'how much, in tokens')
    .requiredOption('--to <address>', 'where to')
    .option('--yes', 'do not ask')
    .option(...REASON)
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import('./withdraw.ts')).withdraw(options))
}

function addReading(program: Command): void {
  program
    .command('check')
    .description('a doctor: configuration, key, clock, venue, rate, quote, formulas; one line each')
    .requiredOption(...CONFIG)
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing failed (a warning is no failure), 1 something failed, 2 the configuration is wrong,\n4 the venue does not answer or refuses the key. Changes nothing at the venue.',
    )
    .action(async (options) => (await import('./check.ts')).check(options))
  program
    .command('status')
    .description('what the daemon is doing and why; from its store when it does not run')
    .requiredOption(...CONFIG)
    .option('--watch', 'show it anew every second until Ctrl-C')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
The terms of the PnL add up to its total. 'not running, as of' means that the figures come from the store.
Example:
  $ npm run -s mizani -- status --config live.yaml --json | jq .tradingState`,
    )
    .action(async (options) => (await import('./status.ts')).status(options))
  program
    .command('quote')
    .description('what the venue quotes a taker for this position now, both sides')
    .requiredOption(...CONFIG)
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import('./quote.ts')).quote(options))
  program
    .command('replay')
    .description('run the journal through the core again: the decisions must come out the same')
    .requiredOption(...CONFIG)
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
Works while the daemon runs and changes nothing. Exit code 1 says that the decisions came out differently
from what was stored: another version of the code, an edited strategy, or a damaged journal.`,
    )
    .action(async (options) => (await import('./replay.ts')).replay(options))
  program
    .command('export')
    .description('the books as rows, while the daemon runs or not')
    .addOption(new Option('--what <what>', 'which rows').choices(EXPORT_KINDS).makeOptionMandatory())
    .addOption(new Option('--format <format>', 'how').choices(['jsonl', 'csv']).default('jsonl'))
    .requiredOption(...CONFIG)
    .option('--out <file>', 'to a file instead of stdout; it is whole or not there')
    .option('--json', 'one JSON document about the file written with --out, and errors as JSON')
    .addHelpText(
      'after',
      `
Amounts are exact decimals, times are UTC. A fill's row has the venue's id.
Examples:
  $ npm run -s mizani -- export --what fills --config live.yaml | head
  $ npm run -s mizani -- export --what ledger --format csv --config live.yaml --out ledger.csv`,
    )
    .action(async (options) => (await import('./export.ts')).exportBooks(options))
}

function scenario(description: string): Option {
  return new Option('--scenario <name>', description).choices(SCENARIOS).default('normal')
}

/** What is wrong with the command line itself, before any command could read `--json`. */
function explain(text: string, write: (text: string) => void): void {
  if (!process.argv.includes('--json')) return write(text)
  const error = text.trim().replace(/^error: /, '')
  process.stdout.write(`${JSON.stringify({ error, exitCode: EXIT.usage })}\n`)
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value]
}
