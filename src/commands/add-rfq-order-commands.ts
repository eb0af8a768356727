import type { Command } from 'commander'
import { COMMAND_OPTIONS } from './command-options.ts'

/** What can be done with the orders that a position owes. */
export function addRfqOrderCommands(rfq: Command): void {
  addList(rfq)
  addCancel(rfq)
  addCancelAll(rfq)
  addStopAt(rfq)
}

function addList(rfq: Command): void {
  rfq
    .command('list')
    .description('every order that is owed, from the daemon or, without one, from the store')
    .addHelpText(
      'after',
      `
An order is owed from before it is signed until the chain says that it was filled, cancelled or has expired.
Example:
  $ npm run -s mizani -- rfq list --config live.yaml`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./rfq-list.ts')).rfqList(options))
}

function addCancel(rfq: Command): void {
  rfq
    .command('cancel')
    .description('take one order back on chain; costs gas')
    .addHelpText(
      'after',
      `
Works with and without the running daemon; without one it waits until the chain shows it.
Example:
  $ npm run -s mizani -- rfq cancel --config live.yaml --salt 1853020188851841000`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .option('--salt <number>', 'which, as `rfq list` shows it')
    .option('--hash <hash>', 'or its hash')
    .option(...COMMAND_OPTIONS.reason)
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./rfq-cancel.ts')).rfqCancel(options))
}

function addCancelAll(rfq: Command): void {
  rfq
    .command('cancel-all')
    .description('take every order back on chain, a whole pair in one transaction where that is cheaper')
    .addHelpText(
      'after',
      `
A running daemon goes on placing new ones; \`pause\` it first to be rid of them.
Example:
  $ npm run -s mizani -- rfq cancel-all --config live.yaml --reason "the feed looks wrong"`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(...COMMAND_OPTIONS.reason)
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./rfq-cancel.ts')).rfqCancelAll(options))
}

function addStopAt(rfq: Command): void {
  rfq
    .command('stop-at')
    .description('stop the signer itself: from that time on it signs no order, whatever the daemon wants')
    .argument('<when>', 'now, a time like 2026-11-18T06:40:00Z, or never, which lifts it')
    .addHelpText(
      'after',
      `
Works with and without the running daemon, and does not ask it: the signer reads its own file before every
signature. Cancellations and the end of allowances are signed all the same.
Example:
  $ npm run -s mizani -- rfq stop-at now --config live.yaml`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(...COMMAND_OPTIONS.json)
    .action(async (when, options) => (await import('./rfq-stop-at.ts')).rfqStopAt(when, options))
}
