import { type CommandLine, numberOption } from '../options.ts'

/** Registers the commands that copy and restore a store. */
export function registerBackupCommands(program: CommandLine): void {
  program
    .command('backup')
    .description('copy the store of a position, also while its daemon runs')
    .more(`
Writes a consistent copy into OUT/NAME/TIME with its digest. --keep removes the oldest copies after that.
--drill restores the copy into a temporary folder, opens it as a daemon does and reads every event. It writes the outcome to
drills.json in store.path and ends with exit code 1 if it fails. A store in PostgreSQL is copied in one read-only transaction,
into the same format. Example, from a nightly timer:
  $ npx mizani backup --config live.yaml --out backups --keep 30 --drill`)
    .needs('config')
    .requiredOption('--out <folder>', 'the folder of the backups')
    .option('--keep <n>', 'number of backups to keep', numberOption({ whole: true, min: 1, max: 10_000 }))
    .option('--drill', 'restore the copy into a temporary folder and read it')
    .shared('json')
    .action(async (options) => (await import('./backup.ts')).backup(options))
  program
    .command('restore')
    .description('replace a lost store by a backup')
    .more(`
Compares the backup with its digest first. Refuses to overwrite a store, or to run next to a running daemon. With
store.postgres it restores the position into PostgreSQL.
Example:
  $ npx mizani restore --config live.yaml --from backups/desk-1/2026-11-23T05-30-00.000Z`)
    .needs('config')
    .requiredOption('--from <folder>', 'a folder that `mizani backup` wrote')
    .shared('json')
    .action(async (options) => (await import('./backup.ts')).restore(options))
  program
    .command('copy-store')
    .description('move a position with its journal between a folder and PostgreSQL')
    .more(`
Stop the daemon, change store.postgres in the configuration, keep store.path, and run this command. It copies the store in one
transaction to the place in the configuration, which must be empty, and compares every row.
Without --from it copies the folder store.path to PostgreSQL. The source remains; do not start a daemon on it again. Examples:
  $ npx mizani copy-store --config live.yaml
  $ npx mizani copy-store --config live.yaml --from 'postgres://db.example/desks?position=desk-1'`)
    .needs('config')
    .option('--from <place>', 'the source: a database with its position, or the folder')
    .shared('json')
    .action(async (options) => (await import('./copy-store.ts')).copyStoreCommand(options))
}
