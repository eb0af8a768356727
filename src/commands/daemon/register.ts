import { setFlagsFromString } from 'node:v8'
import { type Command, Option } from 'commander'
import { ANY_SEED, COMMAND_OPTIONS, numberOption, scenarioOption, timeOption } from '../options.ts'

/** The commands that run until a signal ends them: the demo, the daemon, the recorder, the simulated venue. */
export function registerDaemonCommands(program: Command): void {
  addStart(program)
  addRun(program)
  addFleet(program)
  addRecord(program)
  addSandboxCommand(program)
}

/**
 * V8 enlarges the nursery of the main thread to 32 MB while a start loads its modules and never makes it smaller, and a
 * daemon allocates little. The flag counts for every thread of this process, as long as it is set before they grow.
 */
function keepNurserySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

function addStart(program: Command): void {
  program
    .command('start')
    .description('run a demo market on this machine: a simulated venue and the daemon that quotes on it')
    .addHelpText(
      'after',
      '\nNeeds no setup and no key. Ctrl-C ends the demo with a summary; after kill -9 the next start resumes the same market.',
    )
    .addOption(scenarioOption('the market scenario that the simulated venue runs'))
    .option(
      '--speed <x>',
      'simulated seconds per second; default 60',
      numberOption({ min: 0.01, max: 100_000 }),
    )
    .option(
      '--self-custody',
      'sign orders on a local chain with the real exchange contract, instead of quoting a spread',
    )
    .option('--seed <n>', 'seed of the scenario', numberOption(ANY_SEED), 1)
    .option('--fresh', 'start a new market instead of resuming the last one')
    .action(async (options) => {
      keepNurserySmall()
      await (await import('./start.ts')).start(options)
    })
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
      keepNurserySmall()
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
go; SIGHUP reads all again. A broken file is shown with file, line and column, and its position goes on as it was. A
folder that is missing or has no position any more leaves none. SIGTERM leaves all as quote.onExit says.
Exit codes of --check: 0 every file is right, 2 one is not.
Examples:
  $ npm run -s mizani -- fleet config/fleet --check
  $ npm run -s mizani -- fleet config/fleet
  $ npm run -s mizani -- status --config config/fleet/west.yaml`,
    )
    .action(async (folder, options) => (await import('./fleet.ts')).fleet(folder, options))
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
      keepNurserySmall()
      await (await import('./record.ts')).record(options)
    })
}

const HELP = `
The first line of output is the address of the venue. GET /sandbox/state returns the venue's own accounts, POST
/sandbox/advance {"ms": 60000} advances its clock, POST /sandbox/inject and /sandbox/swap inject faults and trades.

With --chain the second line is the address of the chain's JSON-RPC: chain 8453 with the exchange contract at its
real address. It needs anvil and, the first time, the contracts' npm packages. The maker's wallet is anvil's first
account, 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, whose key is public: use it for tests only. A solver fills
orders from time to time; POST /sandbox/chain/fill {"orderHash": "0x.."} fills one at once, /sandbox/chain/mine and
/sandbox/chain/advance move the chain. Time on the chain is real time.
Examples:
  $ npm run -s mizani -- sandbox --port 8787 --scenario devaluation --speed 60
  $ npm run -s mizani -- sandbox --port 8787 --chain --chain-port 8545
  $ npm run -s mizani -- sandbox --port 8787 --options venue.yaml`

/** The simulated venue. */
function addSandboxCommand(program: Command): void {
  const command = program
    .command('sandbox')
    .description('run the simulated venue: an HTTP server with the whole LP API over a simulated market')
    .option(
      '--port <n>',
      'the port on 127.0.0.1; 0 takes a free port',
      numberOption({ whole: true, min: 0, max: 65_535 }),
      8_787,
    )
    .option(
      '--feed-port <n>',
      'also serve the simulated market rate on this port, as a reference feed; 0 takes a free port',
      numberOption({ whole: true, min: 0, max: 65_535 }),
    )
    .option('--seed <n>', 'seed of the simulated market', numberOption(ANY_SEED), 1)
    .addOption(scenarioOption('the market scenario'))
    .option(
      '--speed <x>',
      'simulated seconds per second; 0 = only POST /sandbox/advance moves the clock',
      numberOption({ min: 0, max: 1_000_000 }),
      1,
    )
    .addOption(
      new Option('--dialect <name>', 'the form of the answers')
        .choices(['contract', 'observed'])
        .default('contract'),
    )
    .option('--start <time>', 'start of the simulated time, ISO 8601; default now', timeOption)
    .option('--api-key <key>', 'the API key that the venue accepts', 'mm_test_sandbox')
    .option(
      '--options <file>',
      'a YAML or JSON file with any option of the venue: faults, opening, fees, rfq, partnerKey; the command line takes precedence',
    )
    .option(
      '--linger-ms <ms>',
      'exit after this long without a request',
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
    .option('--chain', 'add a local chain with the real exchange contract, for signed orders')
    .option(
      '--chain-port <n>',
      "the chain's port on 127.0.0.1; 0 takes a free port",
      numberOption({ whole: true, min: 0, max: 65_535 }),
      0,
    )
    .addOption(
      new Option('--solver <policy>', 'with --chain: when the solver fills orders')
        .choices(['soon', 'late', 'never'])
        .default('soon'),
    )
    .option(
      '--fill-every-ms <ms>',
      'with --chain: mean time between two fills of the solver',
      numberOption({ min: 10, max: 86_400_000 }),
      10_000,
    )
    .option(
      '--fill-parts <n>',
      'with --chain: the number of parts in which the solver fills an order',
      numberOption({ whole: true, min: 1, max: 1_000 }),
      1,
    )
}
