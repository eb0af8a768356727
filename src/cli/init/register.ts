import { InvalidArgumentError } from 'commander'
import type { CommandLine } from '../options.ts'
import type { OutputFormat } from '../output/print.ts'
import { type InitOptions, QUESTIONS } from './ask.ts'

export function registerInit(program: CommandLine): void {
  const { name, venue, key, halfSpreadBps, target, corridor } = QUESTIONS
  program
    .command('init')
    .description('write a first configuration and a folder for strategies, after six questions')
    .argument('[folder]', 'where to write', '.')
    .option('--name <name>', 'name of the position', name.parse)
    .option('--venue <url>', 'address of the venue', venue.parse)
    .option('--key <variable or file>', 'where the API key is; never the key itself', key.parse)
    .option('--half-spread-bps <n>', 'half-spread to begin with, from 10 to 250', halfSpreadBps.parse)
    .option('--target <share>', 'share of the value to hold in dollars, from 0 to 1', target.parse)
    .option('--corridor <low-high>', 'TZS per USD within which it may quote', corridor.parse)
    .option('--yes', 'take the usual answer to every other question')
    .shared('json')
    .more(`
Asks six questions and writes mizani.yaml with comments, strategies/trend.ts with its test, and the tsconfig.json and
package.json that give an editor the types of the strategy kit. An answer on the command line is not asked for; without a
terminal the usual answers are taken. Nothing that exists is overwritten: package.json is completed.
Examples:
  $ npx mizani init
  $ npx mizani init desk --venue https://venue.example --key ./mm.key
  $ npx mizani init desk --yes --half-spread-bps 45`)
    .action(async (folder: string, options: InitOptions & OutputFormat) => {
      await (await import('./init.ts')).init(folder, options)
    })
}

/** The command that adds a strategy to the folder of `mizani init`. */
export function registerStrategyCommands(program: CommandLine): void {
  program
    .command('strategy')
    .description('strategies of your own')
    .command('new')
    .description('write a strategy from a template, with its test')
    .argument('<name>', 'its name: small letters, digits and dashes', parseStrategyName)
    .option('--folder <folder>', 'where to write', 'strategies')
    .shared('json')
    .more(`
Writes NAME.ts, a strategy that uses an indicator of the kit, and NAME.test.ts, into the folder of \`mizani init\`. Refuses
if either exists.
Example:
  $ npx mizani strategy new carry`)
    .action(async (name: string, options: OutputFormat & { readonly folder: string }) => {
      await (await import('./init.ts')).newStrategy(name, options)
    })
}

function parseStrategyName(given: string): string {
  if (/^[a-z][a-z0-9-]{0,62}$/.test(given)) return given
  throw new InvalidArgumentError('Expected small letters, digits and dashes, beginning with a letter.')
}
