import type { Command } from 'commander'
import { COMMAND_OPTIONS } from './command-options.ts'

/** The commands about messages to people. */
export function addNotifyCommands(program: Command): void {
  program
    .command('notify')
    .description('messages to people: Telegram, Slack, a webhook')
    .command('test')
    .description('send a test message to every channel and say what came back')
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Exit code 1 says that a channel did not take it. The least severity of a channel does not count here.
Example:
  $ npm run -s mizani -- notify test --config live.yaml`,
    )
    .action(async (options) => (await import('./notify-test.ts')).notifyTest(options))
}
