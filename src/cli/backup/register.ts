import type { Command } from 'commander'
import { COMMAND_OPTIONS, numberOption } from '../options.ts'

/** Registers the commands that copy and restore a store. */
export function registerBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('copy the store of a position, also while its daemon runs')
    .addHelpText(
      'after',
      `
Writes a consistent copy into OUT/NAME/TIME with its digest. --keep removes the oldest ones once the new one is there.
--drill restores the copy into a folder that is thrown away, opens it as a daemon does and reads every event. Its outcome
is kept in drills.json in store.path; exit code 1 where it fails. The daemon continues meanwhile. A store in PostgreSQL is
copied in one transaction that only reads, into the same form. Example, from a nightly timer:
  $ npm run -s mizani -- backup --config live.yaml --out backups --keep 30 --drill`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .requiredOption('--out <folder>', 'the folder of the backups')
    .option('--keep <n>', 'how many to keep', numberOption({ whole: true, min: 1, max: 10_000 }))
    .option('--drill', 'restore the copy apart and read it')
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./backup.ts')).backup(options))
  program
    .command('restore')
    .description('put a backup in the place of a store that is lost')
    .addHelpText(
      'after',
      `
Compares the backup with its digest first. Never overwrites a store, and never beside a running daemon. With store.postgres
the position is made there.
Example:
  $ npm run -s mizani -- restore --config live.yaml --from backups/desk-1/2026-11-23T05-30-00.000Z`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .requiredOption('--from <folder>', 'a folder that `mizani backup` wrote')
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./backup.ts')).restore(options))
  program
    .command('copy-store')
    .description('move a position with its journal between a folder and PostgreSQL')
    .addHelpText(
      'after',
      `
Stop the daemon, change store.postgres in the configuration and leave store.path as it was, then run this. It copies to where the
configuration has the store now, which must be empty, in one transaction, and reads both again to compare every row.
Without --from it copies the folder store.path to PostgreSQL. The source stays; never start a daemon on it again. Examples:
  $ npm run -s mizani -- copy-store --config live.yaml
  $ npm run -s mizani -- copy-store --config live.yaml --from 'postgres://db.example/desks?position=desk-1'`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .option('--from <place>', 'where the position was: a database with its position, or the folder')
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./copy-store.ts')).copyStoreCommand(options))
}
