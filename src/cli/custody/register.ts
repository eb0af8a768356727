import type { CommandLine } from '../options.ts'

/** The commands that switch between pooled capital and self-custody. */
export function registerCustodyCommands(program: CommandLine): void {
  const custody = program
    .command('custody')
    .description('switch between pooled capital and orders signed from your own wallet')
  custody
    .command('enable')
    .description(
      'deactivate the pooled position, approve the configured amounts, switch the venue to self-custody',
    )
    .more(`
Checks key, chain, tokens and venue first, changes nothing before all checks pass, and prints each step. The daemon
must not run. The command may be interrupted and run again: a completed step is not repeated. The signer signs only
for the solver that is confirmed here.
Example:
  $ npx mizani custody enable --config live.yaml`)
    .needs('config')
    .option(
      '--solver <address>',
      'confirms the solver that orders name; without it the command asks on the terminal',
    )
    .shared('reason', 'json')
    .action(async (options) => (await import('./enable.ts')).custodyEnable(options))
  custody
    .command('disable')
    .description('end every order, revoke the allowances, switch the venue to pooled capital')
    .more(`
Refuses while orders can still be filled, and lists them. The daemon must not run. The command may be interrupted
and run again.
Example:
  $ npx mizani custody disable --config live.yaml --cancel`)
    .needs('config')
    .option('--cancel', 'cancel open orders on chain first, which costs gas')
    .option('--wait', 'wait until the last open order has expired')
    .shared('json')
    .action(async (options) => (await import('./disable.ts')).custodyDisable(options))
}
