import { Option, type Command } from 'commander'
import { EXPORT_KINDS } from '../../store/export/export-table.ts'
import { COMMAND_OPTIONS } from '../options.ts'

/** The commands that look and change nothing. */
export function registerInspectCommands(program: Command): void {
  addCheck(program)
  addStatus(program)
  addQuote(program)
  addReplay(program)
  addExport(program)
}

function addCheck(program: Command): void {
  program
    .command('check')
    .description('a doctor: configuration, key, clock, venue, rate, quote, formulas; one line each')
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing failed (a warning is no failure), 1 something failed, 2 the configuration is wrong,\n4 the venue does not answer or refuses the key. Changes nothing at the venue.',
    )
    .action(async (options) => (await import('./check/check.ts')).check(options))
}

function addStatus(program: Command): void {
  program
    .command('status')
    .description('what the daemon is doing and why; from its store when it does not run')
    .requiredOption(...COMMAND_OPTIONS.configs)
    .option('--watch', 'show it anew every second until q or Ctrl-C')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
The terms of the PnL add up to its total. 'not running, as of' means that the figures come from the store.
Several --config are shown as a list; watched, a digit opens one of them and 0 goes back. Without a terminal,
and with TERM=dumb, --watch writes a plain line every few seconds. NO_COLOR takes the colours away.
Examples:
  $ npm run -s mizani -- status --config a.yaml --config b.yaml --watch
  $ npm run -s mizani -- status --config live.yaml --json | jq .tradingState`,
    )
    .action(async (options) => (await import('./status/status.ts')).status(options))
}

function addQuote(program: Command): void {
  program
    .command('quote')
    .description('what the venue quotes a taker for this position now, both sides')
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./quote.ts')).quote(options))
}

function addReplay(program: Command): void {
  program
    .command('replay')
    .description('run the journal through the core again: the decisions must come out the same')
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Works while the daemon runs and changes nothing. Exit code 1 says that the decisions came out differently
from what was stored: another version of the code, an edited strategy, or a damaged journal.`,
    )
    .action(async (options) => (await import('./replay.ts')).replay(options))
}

function addExport(program: Command): void {
  program
    .command('export')
    .description('the books as rows, while the daemon runs or not')
    .addOption(new Option('--what <what>', 'which rows').choices(EXPORT_KINDS).makeOptionMandatory())
    .addOption(new Option('--format <format>', 'how').choices(['jsonl', 'csv']).default('jsonl'))
    .requiredOption(...COMMAND_OPTIONS.config)
    .option('--out <file>', 'to a file instead of stdout; it is whole or not there')
    .option('--json', 'one JSON document about the file written with --out, and errors as JSON')
    .addHelpText(
      'after',
      `
Amounts are exact decimals, times are UTC. A fill's row has the venue's id.
Examples:
  $ npm run -s mizani -- export --what fills --config live.yaml | head
  $ npm run -s mizani -- export --what ledger --format csv --config live.yaml --out ledger.csv`,
    )
    .action(async (options) => (await import('./export.ts')).exportBooks(options))
}
