import { Option, type Command } from 'commander'
import { ANY_SEED, numberOption } from './number-option.ts'
import { COMMAND_OPTIONS } from './command-options.ts'
import { scenarioOption } from './scenario-option.ts'
import { timeOption } from './time-option.ts'

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
export function addSandboxCommand(program: Command): void {
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
