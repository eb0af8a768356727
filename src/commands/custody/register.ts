import type { Command } from 'commander'
import { COMMAND_OPTIONS } from '../options.ts'

/** Between pooled capital and signed orders. */
export function registerCustodyCommands(program: Command): void {
  const custody = program
    .command('custody')
    .description('switch between pooled capital and orders signed from your own wallet')
  custody
    .command('enable')
    .description('leave the pool, approve the configured amounts, tell the venue')
    .addHelpText(
      'after',
      `
Checks key, chain, tokens and venue first, changes nothing before all of them fit, and says each step. The
daemon must not run. It may be broken off and run again: what is so already is not done twice. The signer signs for
the solver that is confirmed here and for no other.
Example:
  $ npm run -s mizani -- custody enable --config live.yaml`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(
      '--solver <address>',
      'confirms the solver that orders will name; asked on the terminal otherwise',
    )
    .option(...COMMAND_OPTIONS.reason)
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./enable.ts')).custodyEnable(options))
  custody
    .command('disable')
    .description('end every order, take the allowances back, tell the venue')
    .addHelpText(
      'after',
      `
Refuses while orders can still be filled, and lists them. The daemon must not run. It may be broken off and run
again.
Example:
  $ npm run -s mizani -- custody disable --config live.yaml --cancel`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .option('--cancel', 'take orders back on chain first, which costs gas')
    .option('--wait', 'wait first until the last of them has expired')
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./disable.ts')).custodyDisable(options))
}
