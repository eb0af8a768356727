import { InvalidArgumentError, Option } from 'commander'
import { OBSERVED_IS_GONE } from '../../simulator/sandbox/observed-is-gone.ts'
import { SCENARIO_NAMES } from '../../research/scenarios/scenario.ts'
import { ANY_SEED, type CommandLine, numberOption, timeOption } from '../options.ts'
import { keepMemoryLow } from './register.ts'

const HELP = `
The first line of output is the address of the venue. GET /sandbox/state returns the venue's own accounts, POST
/sandbox/advance {"ms": 60000} advances its clock, POST /sandbox/inject and /sandbox/swap inject faults and trades.

The same port serves the partner API: the test key svc_test_sandbox has every capability and a float of 1,000
USDC, POST /v1/testmode/signup gives another key, and GET /sandbox/state shows the provider's own user under
partner.keys. POST /sandbox/partner/pay {"reference": "TZS-..", "amountTzs": 40000} pays a bank deposit;
/sandbox/partner/KIND/ID/STATE moves a deposit, withdrawal, spend, settlement, user, agent or merchant on; settings,
next, fund, webhooks and agents under /sandbox/partner change the settings, corrupt the next answers, fund a wallet, set a
receiver and issue the credential of an agent. docs/simulated-partner-api.md shows how to cause every error code.

The market is that of docs/scenarios.md: a tournament draws the same true rate, updates, small and informed takers, rivals and
outages from scenario and seed. It opens in the week before the first jump, fall of the stablecoin or mistyped update.
--options can set restocking: weekly, which a daemon's books show as a break.

With --chain the second line is the address of the chain's JSON-RPC: chain 8453 with the exchange contract at its
real address. It needs anvil and, the first time, the contracts' npm packages. The maker's wallet is anvil's first
account, 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, whose key is public: use it for tests only. A solver fills
orders from time to time; POST /sandbox/chain/fill {"orderHash": "0x.."} fills one at once, /sandbox/chain/mine and
/sandbox/chain/advance move the chain. Time on the chain is real time.
Examples:
  $ npx mizani sandbox --port 8787 --scenario devaluation --speed 60
  $ npx mizani sandbox --port 8787 --venue measured
  $ npx mizani sandbox --port 8787 --chain --chain-port 8545
  $ npx mizani sandbox --port 8787 --options venue.yaml
  $ npx mizani sandbox --port 8787 --like venue.json
  $ npx mizani sandbox --port 8787 --webhooks http://127.0.0.1:9465/`

/** The simulated venue. */
export function registerSandbox(program: CommandLine): void {
  const command = program
    .command('sandbox')
    .description(
      'run the simulated venue: an HTTP server with the LP API and the partner API over a simulated market',
    )
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
      '--retail-factor <x>',
      'multiplies the number of small takers of the scenario',
      numberOption({ min: 0, max: 100 }),
      1,
    )
    .option(
      '--speed <x>',
      'simulated seconds per second; 0 = only POST /sandbox/advance moves the clock',
      numberOption({ min: 0, max: 1_000_000 }),
      1,
    )
    .addOption(
      new Option(
        '--venue <kind>',
        'contract: the documented venue; measured: the one of docs/measured-venue.md, with its arithmetic and faults',
      )
        .choices(['contract', 'measured'])
        .default('contract'),
    )
    .addOption(new Option('--dialect <name>').hideHelp().argParser(goneDialect))
    .option('--start <time>', 'start of the simulated time, ISO 8601; default now', timeOption)
    .option('--api-key <key>', 'the API key that the venue accepts', 'mm_test_sandbox')
    .option(
      '--linger-ms <ms>',
      'exit after this long without a request',
      numberOption({ whole: true, min: 0, max: 86_400_000 }),
    )
  addFileOptions(command)
  addPartnerOptions(command)
  addChainOptions(command)
    .shared('json')
    .more(HELP)
    .action(async (options, given: CommandLine) => {
      const names = Object.keys(options).filter((name) => given.getOptionValueSource(name) === 'cli')
      await (await import('./sandbox.ts')).sandbox({ ...options, given: new Set(names) })
    })
}

function addFileOptions(command: CommandLine): CommandLine {
  return command
    .option(
      '--options <file>',
      'a YAML or JSON file with any option of the venue: faults, opening, fees, rfq, partner, partnerKey; the command line takes precedence',
    )
    .option(
      '--like <file>',
      'start from a venue profile written by `mizani conformance --out`; --options and the command line take precedence',
    )
}

function addChainOptions(command: CommandLine): CommandLine {
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

function addPartnerOptions(command: CommandLine): CommandLine {
  return command
    .option(
      '--webhooks <url>',
      'partner API: post its events here, signed with whsec_test_sandbox',
      receiverOption,
    )
    .option(
      '--live-key <key>',
      'partner API: also serve this live key (svc_live_...), without test mode',
      liveKeyOption,
    )
    .option(
      '--pay-by-hand',
      'partner API: bank transfers and till payments wait for POST /sandbox/partner/pay, instead of arriving after 3 s',
    )
}

function goneDialect(name: string): string {
  if (name === 'contract') return name
  throw new InvalidArgumentError(OBSERVED_IS_GONE)
}

function receiverOption(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text
  throw new InvalidArgumentError('expected an http or https address, such as http://127.0.0.1:9465/')
}

function liveKeyOption(text: string): string {
  if (/^svc_live_\S+$/.test(text)) return text
  throw new InvalidArgumentError('expected a key that begins with svc_live_')
}

/** Registers the demo. */
export function registerStart(program: CommandLine): void {
  const command = program
    .command('start')
    .description('run a demo market on this machine: a simulated venue and the daemon that quotes on it')
    .more(
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
    .option(
      '--treasury',
      'keep the position in shillings: refills from a simulated bank, payouts that two people approve',
    )
    .option('--seed <n>', 'seed of the scenario', numberOption(ANY_SEED), 1)
    .option('--fresh', 'start a new market instead of resuming the last one')
    .action(async (options) => {
      keepMemoryLow()
      await (await import('./start.ts')).start(options)
    })
  const ofNpm = (option: Option) => process.env[`npm_config_${option.name().replaceAll('-', '_')}`]
  const kept = process.env['npm_lifecycle_event'] === 'start' && command.options.find((one) => ofNpm(one))
  if (kept)
    command.error(`npm kept ${kept.long} for itself; put two dashes first: npm start -- ${kept.long} ...`)
}

/** A shipped scenario, or the path of a custom file. */
function scenarioOption(description: string): Option {
  const names = SCENARIO_NAMES.join(', ')
  return new Option('--scenario <name>', `${description}: ${names}, or the path of a .yaml file`)
    .argParser((text) => {
      if (SCENARIO_NAMES.some((name) => name === text) || /\.ya?ml$/.test(text)) return text
      throw new InvalidArgumentError(`There are ${names}, or the path of a .yaml file.`)
    })
    .default('normal')
}
