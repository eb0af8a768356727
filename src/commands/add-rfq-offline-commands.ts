import type { Command } from 'commander'
import { COMMAND_OPTIONS } from './command-options.ts'
import { numberOption } from './number-option.ts'

const ORDER = ['--order <file>', 'the order as JSON, whole numbers as decimal strings'] as const
const CHAIN_ID = [
  '--chain-id <number>',
  'the chain of the exchange',
  numberOption({ whole: true, min: 1, max: Number.MAX_SAFE_INTEGER }),
] as const
const EXCHANGE = ['--exchange <address>', 'the contract that will execute it'] as const

/** What can be done with an order without any network. */
export function addRfqOfflineCommands(rfq: Command): void {
  addHash(rfq)
  addSign(rfq)
}

function addHash(rfq: Command): void {
  rfq
    .command('hash')
    .description("an order's two hashes: of the struct, and the one that is signed (getRfqOrderHash)")
    .requiredOption(...ORDER)
    .requiredOption(...CHAIN_ID)
    .requiredOption(...EXCHANGE)
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
The file has makerToken, takerToken, makerAmount, takerAmount, maker, taker, txOrigin, expiry, salt, and pool
unless it is zero.
Example:
  $ npm run -s mizani -- rfq hash --order order.json --chain-id 8453 \\
      --exchange 0xdef1c0ded9bec7f1a1670819833240f027b25eff`,
    )
    .action(async (options) => (await import('./rfq-hash.ts')).rfqHash(options))
}

function addSign(rfq: Command): void {
  rfq
    .command('sign')
    .description('sign an order with the key of a keystore file, whose address must be its maker')
    .requiredOption(...ORDER)
    .requiredOption(...CHAIN_ID)
    .requiredOption(...EXCHANGE)
    .requiredOption('--keystore <file>', 'the encrypted key')
    .requiredOption('--password-file <file>', 'a file whose first line is its password')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Whoever holds the signature can execute the order until it expires: the daemon does not know of it, and does
not count it among its promises.
Example:
  $ npm run -s mizani -- rfq sign --order order.json --chain-id 8453 \\
      --exchange 0xdef1c0ded9bec7f1a1670819833240f027b25eff \\
      --keystore maker.json --password-file maker.password --json`,
    )
    .action(async (options) => (await import('./rfq-sign.ts')).rfqSign(options))
}
