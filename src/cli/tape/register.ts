import type { CommandLine } from '../options.ts'

/** The commands that read and rewrite tapes. */
export function registerTapeCommands(program: CommandLine): void {
  const tape = program.command('tape').description('tapes: inspect, convert and merge recorded market data')
    .more(`
A tape is a folder of Parquet files, as the daemon and \`mizani record\` write them, a .jsonl file with one row per line, or
one .parquet file. All forms have the same rows; docs/tape-format.md describes every column. A .csv file with the columns time and
mid is read as a tape of mids.`)
  tape
    .command('inspect')
    .description('read a whole tape and report its rows, gaps and invalid rows')
    .argument('<path>', 'the tape')
    .shared('json')
    .more(`
Works while the tape is written. Invalid rows do not change the exit code; --json lists them all.
Example:
  $ npx mizani tape inspect ./tape --json | jq .rowsByKind`)
    .action(async (path, options) => (await import('./inspect.ts')).tapeInspect(path, options))
  tape
    .command('convert')
    .description('convert a tape between text and Parquet without loss')
    .argument('<from>', 'the tape')
    .argument('<to>', 'the new tape: text if it ends in .jsonl, otherwise a folder of Parquet files')
    .shared('json')
    .more(`
The new tape is written atomically; nothing is overwritten.
Examples:
  $ npx mizani tape convert ./tape tape.jsonl
  $ npx mizani tape convert tape.jsonl ./tape-again`)
    .action(async (from, to, options) => (await import('./copy.ts')).tapeConvert(from, to, options))
  addMerge(tape)
  addFromJournal(tape)
  addImport(program.command('data').description('data of others: import rates from CSV files'))
}

function addImport(data: CommandLine): void {
  data
    .command('import')
    .description('import rates of a central bank, a board or a peer-to-peer market from a CSV file')
    .argument('<file>', 'the CSV file')
    .requiredOption('--format <file>', 'a YAML file that names the columns; see docs/tapes.md')
    .option('--tape <path>', 'write a tape: text if it ends in .jsonl, otherwise a folder')
    .option('--source <name>', 'its rows are references of this source; default mids of the venue')
    .option('--feed <file>', 'write the columns time and mid, for a csv feed or as a tape of mids')
    .option('--scenario <file>', 'write a scenario with sigma, kappa and noise fitted to the days')
    .shared('json')
    .more(`
Every row that is not understood is listed with its line; then nothing is written, and the exit code is 1. No file is overwritten.
Example:
  $ npx mizani data import bank.csv --format bank.yaml --tape ./bank.jsonl --source bank --scenario ./fitted.yaml`)
    .action(async (file, options) => (await import('./import.ts')).dataImport(file, options))
}

function addMerge(tape: CommandLine): void {
  tape
    .command('merge')
    .description('merge several tapes into one')
    .argument('<from...>', 'the tapes')
    .requiredOption(
      '--out <path>',
      'the new tape: text if it ends in .jsonl, otherwise a folder of Parquet files',
    )
    .shared('json')
    .more(`
Equal rows are written once and counted. If fills with the same id differ, the first one is kept.
Example:
  $ npx mizani tape merge ./tape-of-may ./tape-of-june --out ./tape`)
    .action(async (from, options) => (await import('./copy.ts')).tapeMerge(from, options))
}

function addFromJournal(tape: CommandLine): void {
  tape
    .command('from-journal')
    .description('make a tape from the journal of a store')
    .requiredOption('--store <folder>', 'the store of a position')
    .requiredOption(
      '--out <path>',
      'the new tape: text if it ends in .jsonl, otherwise a folder of Parquet files',
    )
    .option('--config <file>', 'the configuration file that strategy paths are relative to')
    .shared('json')
    .more(`
For periods without a recording: writes the rows that record.path would have recorded, as far back as the journal reaches
(store.keepJournalDays). Works while the daemon runs.
Example:
  $ npx mizani tape from-journal --store data/desk-1 --out ./tape`)
    .action(async (options) => (await import('./from-journal.ts')).tapeFromJournal(options))
}
