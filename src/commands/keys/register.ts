import type { Command } from 'commander'
import { COMMAND_OPTIONS } from '../options.ts'

const KEYSTORE = ['--keystore <file>', 'the encrypted key, as geth writes it (V3)'] as const
const PASSWORD = ['--password-file <file>', 'a file whose first line is the password'] as const

const KEYS = `
A password or key is never an argument, where every process of the machine could read it.`

/** The commands about the key of the own wallet. */
export function registerKeysCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('the encrypted key of the own wallet: make one, import one, look, change its password')
    .addHelpText('after', KEYS)
  addNew(keys)
  addImport(keys)
  addAddress(keys)
  addChangePassword(keys)
}

function addNew(keys: Command): void {
  keys
    .command('new')
    .description('make a key and write it encrypted')
    .requiredOption(...KEYSTORE)
    .requiredOption(...PASSWORD)
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Never writes over a file. Keep a copy of the file and of the password in two other places: nobody can bring
back either.
Example:
  $ npm run -s mizani -- keys new --keystore maker.json --password-file maker.password`,
    )
    .action(async (options) => (await import('./keys.ts')).keysNew(options))
}

function addImport(keys: Command): void {
  keys
    .command('import')
    .description('write a key that exists already, encrypted')
    .requiredOption(...KEYSTORE)
    .requiredOption(...PASSWORD)
    .requiredOption('--key-file <file>', 'a file with the key as 64 hex digits; - reads it from stdin')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Never writes over a file. The file with the plain key stays: delete it afterwards.
Example:
  $ some-vault read maker-key | npm run -s mizani -- keys import --key-file - \\
      --keystore maker.json --password-file maker.password`,
    )
    .action(async (options) => (await import('./keys.ts')).keysImport(options))
}

function addAddress(keys: Command): void {
  keys
    .command('address')
    .description('whose key a keystore file holds')
    .requiredOption(...KEYSTORE)
    .option(...PASSWORD)
    .option(...COMMAND_OPTIONS.json)
    .addHelpText('after', '\nWithout the password it is what the file says, which nobody has checked.')
    .action(async (options) => (await import('./keys.ts')).keysAddress(options))
}

function addChangePassword(keys: Command): void {
  keys
    .command('change-password')
    .description('encrypt the key of a keystore file with another password')
    .requiredOption(...KEYSTORE)
    .requiredOption(...PASSWORD)
    .requiredOption('--new-password-file <file>', 'a file whose first line is the new password')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
The old file stays as it is until the new one is whole on the disk and was opened with the new password.
Whoever has a copy of the old file and its password still has the key.`,
    )
    .action(async (options) => (await import('./keys.ts')).keysChangePassword(options))
}
