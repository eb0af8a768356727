import { InvalidArgumentError } from 'commander'
import type { CommandLine } from '../options.ts'

/** Commands for auditors and accountants. */
export function registerCloseCommands(program: CommandLine): void {
  program
    .command('close')
    .description('write the books of a day as one document that is signed and verified without the store')
    .more(`
Writes DAY.json with balances, entries, fills, transfers, PnL in both currencies, open orders, pending withdrawals,
transit and claims, and next to it a page to print, hledger and beancount text, the signature, the time-stamp and the list
of all their digests.
Each close holds the digest of the close before it and of the day's events. A day begins and ends in close.timezone.
A close before the end of the day is provisional (exit code 0); a close after its end replaces it. A final close is never
edited: a correction is a new ledger entry in the close of its own day.
Reads the store, also while the daemon runs, but no secret. ssh-keygen signs and asks for the passphrase of an encrypted key.
To sign with a key held by ssh-agent, pass its .pub file. openssl checks time-stamps. Exit code 1: nothing was written, or
the time-stamp is missing; the answer names the remedy.
Examples:
  $ npx mizani close --config live.yaml --day 2026-11-22 --out closes --key ~/.ssh/id_ed25519
  $ npx mizani close --fleet config/fleet --day yesterday --out closes      from a nightly timer`)
    .configOrFleet(false)
    .requiredOption('--day <day>', 'YYYY-MM-DD, yesterday or today', dayOption)
    .requiredOption(
      '--out <folder>',
      'the folder of the closes; with --fleet it has one folder for each position',
    )
    .option('--key <file>', 'sign with this SSH key, or with the key in ssh-agent whose .pub file this is')
    .shared('json')
    .action(async (options) => (await import('./close.ts')).close(options))
  program
    .command('verify-close')
    .argument('<folder>', 'the folder of the closes, or of a fleet')
    .description('verify closes without the store: every byte, every sum, the chain and the signatures')
    .more(`
--signers is the file that \`ssh-keygen -Y verify -f\` reads: \`NAME namespaces="mizani-close" ssh-ed25519 AAAA...\`. With it
a key of the file must have signed every close. Without it the command lists the keys and does not check them.
--authority has the certificates of a time-stamping authority, as \`openssl ts -verify -CAfile\` reads them. With it every
close must have a time-stamp that they verify, and its key must be allowed at that time. Without it the key must be allowed
at the time in the close; a time-stamp is only shown.
Needs ssh-keygen where closes are signed (OpenSSH 9.1 or newer), and openssl where they are time-stamped.
Exit code 1 means that a check failed or that the folder has no close.
Examples:
  $ npx mizani verify-close closes --signers auditors/allowed_signers --authority auditors/authority.pem
  $ ssh-keygen -Y verify -f allowed_signers -I NAME -n mizani-close -s 2026-11-22.json.sig < 2026-11-22.json`)
    .option('--signers <file>', 'the keys that may sign')
    .option('--authority <file>', 'certificates (PEM) of the time-stamping authority')
    .shared('json')
    .action(async (folder: string, options) =>
      (await import('./verify-close.ts')).verifyClose(folder, options),
    )
}

function dayOption(text: string): string {
  if (/^(\d{4}-\d\d-\d\d|yesterday|today)$/.test(text)) return text
  throw new InvalidArgumentError('Expected a day such as 2026-11-22, or yesterday.')
}
