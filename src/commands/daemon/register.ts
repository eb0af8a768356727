import { type Command, Option } from 'commander'
import { ANY_SEED, COMMAND_OPTIONS, numberOption, scenarioOption, timeOption } from '../options.ts'

/** The commands that run until they are ended: the demo, the daemon, the venue in a box. */
export function registerDaemonCommands(program: Command): void {
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

const HELP = `
Its first line says where it listens. GET /sandbox/state shows the venue's own books, POST /sandbox/advance
{"ms": 60000} moves its clock, POST /sandbox/inject and /sandbox/swap disturb it.

With --chain the second line says where the chain answers JSON-RPC, as chain 8453 with the exchange at its real
address; it needs anvil and, the first time, the contracts' npm packages. The maker's wallet is anvil's first
account, 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, whose key every such chain publishes: a key for tests
only. A solver fills orders from time to time; POST /sandbox/chain/fill {"orderHash": "0x.."} fills one now,
/sandbox/chain/mine and /sandbox/chain/advance move the chain. Time is now and runs as it does.
Examples:
  $ npm run -s mizani -- sandbox --port 8787 --scenario devaluation --speed 60
  $ npm run -s mizani -- sandbox --port 8787 --chain --chain-port 8545
  $ npm run -s mizani -- sandbox --port 8787 --options venue.yaml`

/** The venue in a box. */
function addSandboxCommand(program: Command): void {
  const command = program
    .command('sandbox')
    .description('the venue in a box: a real HTTP server with the whole LP contract and a pretend world')
    .option(
      '--port <n>',
      'where to listen on 127.0.0.1; 0 takes a free port',
      numberOption({ whole: true, min: 0, max: 65_535 }),
      8_787,
    )
    .option(
      '--feed-port <n>',
      "also serve the market's own rate on that port, as a reference feed; 0 takes a free port",
      numberOption({ whole: true, min: 0, max: 65_535 }),
    )
    .option('--seed <n>', 'the world follows from it', numberOption(ANY_SEED), 1)
    .addOption(scenarioOption('the story of the world'))
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
    .option('--start <time>', 'when the world begins, ISO 8601; now where nothing is said', timeOption)
    .option('--api-key <key>', 'the key it accepts', 'mm_test_sandbox')
    .option(
      '--options <file>',
      'a YAML or JSON file with any option of the venue: faults, opening, fees, rfq, partnerKey; this line goes before it',
    )
    .option(
      '--linger-ms <ms>',
      'end by itself when nobody has asked it anything for this long',
      numberOption({ whole: true, min: 0, max: 86_400_000 }),
    )
  addChainOptions(command)
    .option(...COMMAND_OPTIONS.json)
    .addHelpText('after', HELP)
    .action(async (options, given: Command) => {
      const names = Object.keys(options).filter((name) => given.getOptionValueSource(name) === 'cli')
      await (await import('./sandbox.ts')).sandbox({ ...options, given: new Set(names) })
    })
}

function addChainOptions(command: Command): Command {
  return command
    .option('--chain', 'put it on a local chain with the real exchange contract, for signed orders')
    .option(
      '--chain-port <n>',
      'where the chain listens on 127.0.0.1; 0 takes a free port',
      numberOption({ whole: true, min: 0, max: 65_535 }),
      0,
    )
    .addOption(
      new Option('--solver <policy>', 'on the chain: when orders are filled')
        .choices(['soon', 'late', 'never'])
        .default('soon'),
    )
    .option(
      '--fill-every-ms <ms>',
      'on the chain: the mean time between two wishes of the solver',
      numberOption({ min: 10, max: 86_400_000 }),
      10_000,
    )
    .option(
      '--fill-parts <n>',
      'on the chain: in how many parts the solver takes an order',
      numberOption({ whole: true, min: 1, max: 1_000 }),
      1,
    )
}
