import { Command, Option } from 'commander'
import { EXIT } from './exit-code.ts'
import { version } from './version.ts'

const CONFIG = ['--config <file>', 'the configuration of the position'] as const
const JSON_OUTPUT = ['--json', 'one JSON document instead of text'] as const
const REASON = ['--reason <text>', 'why; it is journalled with who', 'from the command line'] as const

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 refused by risk, 4 venue unreachable.`

/** The command line: names, options and help here, each command's work in a file of its own, loaded when asked for. */
export function buildProgram(): Command {
  const program = new Command('mizani')
    .description('A market maker for liquidity providers of a stablecoin venue: dollars against shillings.')
    .version(version)
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
    .option('--scenario <name>', 'what the pretend world does', 'normal')
    .option('--speed <x>', 'how fast it does it', Number, 60)
    .option('--seed <n>', 'which world of its kind', Number, 1)
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
    .option('--port <n>', 'where to listen on 127.0.0.1; 0 takes a free port', Number, 8787)
    .option('--seed <n>', 'the world follows from it', Number, 1)
    .option(
      '--scenario <name>',
      'calm, normal, devaluation, appreciation, stale-jump, toxic-taker, undercut, payroll, weekend, stablecoin-basis, fat-finger-mid, api-outage',
      'normal',
    )
    .option('--speed <x>', 'virtual seconds per second; 0 moves only by /sandbox/advance', Number, 1)
    .addOption(
      new Option('--dialect <name>', 'how answers look')
        .choices(['contract', 'observed'])
        .default('contract'),
    )
    .option('--api-key <key>', 'the key it accepts', 'mm_test_sandbox')
    .option('--linger-ms <ms>', 'end by itself when stdin has been closed for this long', Number)
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
      '\nNeeds withdraw.enabled, an address in withdraw.destinations and room in withdraw.maxPerDay.\nAsks before it sends. A withdrawal without a clear answer is never sent again.',
    )
    .requiredOption(...CONFIG)
    .requiredOption('--token <token>', 'NTZS, USDC, USDT or USDT.bnb')
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
    .action(async (options) => (await import('./check.ts')).check(options))
  program
    .command('status')
    .description('what the daemon is doing and why; from its store when it does not run')
    .requiredOption(...CONFIG)
    .option('--watch', 'keep showing it')
    .option(...JSON_OUTPUT)
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
    .action(async (options) => (await import('./replay.ts')).replay(options))
  program
    .command('export')
    .description('the books as rows, while the daemon runs or not')
    .addOption(
      new Option('--what <what>', 'which rows')
        .choices(['fills', 'quotes', 'rates', 'ledger'])
        .makeOptionMandatory(),
    )
    .addOption(new Option('--format <format>', 'how').choices(['jsonl', 'csv']).default('jsonl'))
    .requiredOption(...CONFIG)
    .option('--out <file>', 'to a file instead of stdout')
    .action(async (options) => (await import('./export.ts')).exportBooks(options))
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value]
}
