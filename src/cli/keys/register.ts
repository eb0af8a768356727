import type { CommandLine } from '../options.ts'

const KEYSTORE = ['--keystore <file>', 'the encrypted key, as geth writes it (V3)'] as const
const PASSWORD = ['--password-file <file>', 'a file whose first line is the password'] as const

/** The commands about the wallet's key. */
export function registerKeysCommands(program: CommandLine): void {
  const keys = program
    .command('keys')
    .description(
      "the encrypted key of the maker's wallet: create, import, show its address, change its password",
    ).more(`
A password or key is never an argument, because every process on the machine can read arguments.`)
  addNewAndImport(keys)
  addAddressAndPassword(keys)
}

function addNewAndImport(keys: CommandLine): void {
  keys
    .command('new')
    .description('generate a key and write it encrypted')
    .requiredOption(...KEYSTORE)
    .requiredOption(...PASSWORD)
    .shared('json')
    .more(`
Never overwrites a file. Keep copies of the file and of the password in two other places: neither can be
recovered.
Example:
  $ npx mizani keys new --keystore maker.json --password-file maker.password`)
    .action(async (options) => (await import('./keys.ts')).keysNew(options))
  keys
    .command('import')
    .description('encrypt an existing key into a keystore file')
    .requiredOption(...KEYSTORE)
    .requiredOption(...PASSWORD)
    .requiredOption('--key-file <file>', 'a file with the key as 64 hex digits; - reads stdin')
    .shared('json')
    .more(`
Never overwrites a file. The file with the plain key stays: delete it afterwards.
Example:
  $ some-vault read maker-key | npx mizani keys import --key-file - \\
      --keystore maker.json --password-file maker.password`)
    .action(async (options) => (await import('./keys.ts')).keysImport(options))
}

function addAddressAndPassword(keys: CommandLine): void {
  keys
    .command('address')
    .description('show the address of the key in a keystore file')
    .requiredOption(...KEYSTORE)
    .option(...PASSWORD)
    .shared('json')
    .more('\nWithout the password the address is the unverified one that the file states.')
    .action(async (options) => (await import('./keys.ts')).keysAddress(options))
  keys
    .command('change-password')
    .description('encrypt the key of a keystore file with another password')
    .requiredOption(...KEYSTORE)
    .requiredOption(...PASSWORD)
    .requiredOption('--new-password-file <file>', 'a file whose first line is the new password')
    .shared('json')
    .more(`
The old file is replaced only after the new one is on disk and was opened with the new password. A copy of the old
file with the old password still opens the key.`)
    .action(async (options) => (await import('./keys.ts')).keysChangePassword(options))
}
