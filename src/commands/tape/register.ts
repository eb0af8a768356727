import type { Command } from 'commander'
import { COMMAND_OPTIONS } from '../options.ts'

const TAPES = `
A tape is a folder of Parquet files as the daemon and \`mizani record\` write it, a .jsonl file with one row a
line, or one .parquet file. Both forms hold the same: docs/tapes.md describes every column.`

/** The commands that look at recordings and rewrite them. */
export function registerTapeCommands(program: Command): void {
  const tape = program
    .command('tape')
    .description('recordings of what was seen and done: look at them, convert them, merge them')
    .addHelpText('after', TAPES)
  addInspect(tape)
  addConvert(tape)
  addMerge(tape)
  addFromJournal(tape)
}

function addInspect(tape: Command): void {
  tape
    .command('inspect')
    .description('read a tape from end to end: what is on it, its gaps, and what of it cannot be read')
    .argument('<path>', 'the tape')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Works while the tape is being written. Problems are no failure of the command; --json has all of them.
Example:
  $ npm run -s mizani -- tape inspect ./tape --json | jq .rowsByKind`,
    )
    .action(async (path, options) => (await import('./inspect.ts')).tapeInspect(path, options))
}

function addConvert(tape: Command): void {
  tape
    .command('convert')
    .description('write a tape again in the other form, without losing anything')
    .argument('<from>', 'the tape')
    .argument('<to>', 'what to make: text if it ends in .jsonl, otherwise a folder of Parquet files')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
The new tape is whole or not there; nothing is overwritten.
Examples:
  $ npm run -s mizani -- tape convert ./tape tape.jsonl
  $ npm run -s mizani -- tape convert tape.jsonl ./tape-again`,
    )
    .action(async (from, to, options) => (await import('./copy.ts')).tapeConvert(from, to, options))
}

function addMerge(tape: Command): void {
  tape
    .command('merge')
    .description('make one tape of several')
    .argument('<from...>', 'the tapes')
    .requiredOption(
      '--out <path>',
      'what to make: text if it ends in .jsonl, otherwise a folder of Parquet files',
    )
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Rows that are equal are written once, and counted. Of fills with one id and different content the first is kept.
Example:
  $ npm run -s mizani -- tape merge ./tape-of-may ./tape-of-june --out ./tape`,
    )
    .action(async (from, options) => (await import('./copy.ts')).tapeMerge(from, options))
}

function addFromJournal(tape: Command): void {
  tape
    .command('from-journal')
    .description('make a tape of what the journal of a store has seen and done')
    .requiredOption('--store <folder>', 'the store of a position')
    .requiredOption(
      '--out <path>',
      'what to make: text if it ends in .jsonl, otherwise a folder of Parquet files',
    )
    .option('--config <file>', 'where its strategies are found, if not in strategies/')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
For what was not recorded, or before recording was turned on: the rows are those that record.path would have
brought, as far back as the journal reaches (store.keepJournalDays). Works while the daemon runs.
Example:
  $ npm run -s mizani -- tape from-journal --store data/desk-1 --out ./tape`,
    )
    .action(async (options) => (await import('./from-journal.ts')).tapeFromJournal(options))
}
