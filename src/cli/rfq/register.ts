import { type CommandLine, numberOption } from '../options.ts'

/** The commands about signed orders. */
export function registerRfqCommands(program: CommandLine): void {
  const rfq = program
    .command('rfq')
    .description('signed orders: hash, sign, list and cancel them, stop the signer')
  addRfqOfflineCommands(rfq)
  addRfqOrderCommands(rfq)
}

const ORDER = ['--order <file>', 'the order as JSON, whole numbers as decimal strings'] as const
const CHAIN_ID = [
  '--chain-id <number>',
  'the chain of the exchange',
  numberOption({ whole: true, min: 1, max: Number.MAX_SAFE_INTEGER }),
] as const
const EXCHANGE = ['--exchange <address>', 'the exchange contract that executes the order'] as const

/** The commands that need no network. */
function addRfqOfflineCommands(rfq: CommandLine): void {
  rfq
    .command('hash')
    .description("compute an order's two hashes: of the struct, and the one that is signed (getRfqOrderHash)")
    .requiredOption(...ORDER)
    .requiredOption(...CHAIN_ID)
    .requiredOption(...EXCHANGE)
    .shared('json')
    .more(`
The file has makerToken, takerToken, makerAmount, takerAmount, maker, taker, txOrigin, expiry, salt, and pool
unless it is zero.
Example:
  $ npx mizani rfq hash --order order.json --chain-id 8453 \\
      --exchange 0xdef1c0ded9bec7f1a1670819833240f027b25eff`)
    .action(async (options) => (await import('./sign.ts')).rfqHash(options))
  rfq
    .command('sign')
    .description('sign an order with the key of a keystore file, whose address must be its maker')
    .requiredOption(...ORDER)
    .requiredOption(...CHAIN_ID)
    .requiredOption(...EXCHANGE)
    .requiredOption('--keystore <file>', 'the encrypted key')
    .requiredOption('--password-file <file>', 'a file whose first line is its password')
    .shared('json')
    .more(`
Anyone who holds the signature can execute the order until it expires. The daemon does not know of this order and does
not count it as committed.
Example:
  $ npx mizani rfq sign --order order.json --chain-id 8453 \\
      --exchange 0xdef1c0ded9bec7f1a1670819833240f027b25eff \\
      --keystore maker.json --password-file maker.password --json`)
    .action(async (options) => (await import('./sign.ts')).rfqSign(options))
}

/** The commands about a position's open orders. */
function addRfqOrderCommands(rfq: CommandLine): void {
  rfq
    .command('list')
    .description('list open orders, from the daemon or, without one, from the store')
    .more(`
An order is open from just before it is signed until the chain shows it filled, cancelled or expired.
Example:
  $ npx mizani rfq list --config live.yaml`)
    .needs('config')
    .shared('json')
    .action(async (options) => (await import('./list.ts')).rfqList(options))
  rfq
    .command('cancel')
    .description('cancel one order on chain; costs gas')
    .more(`
Works with and without a running daemon; without one the command waits until the chain confirms it.
Example:
  $ npx mizani rfq cancel --config live.yaml --salt 1853020188851841000`)
    .needs('config')
    .option('--salt <number>', 'the salt of the order, as `rfq list` shows it')
    .option('--hash <hash>', 'the hash of the order')
    .shared('reason', 'json')
    .action(async (options) => (await import('./cancel.ts')).rfqCancel(options))
  rfq
    .command('cancel-all')
    .description('cancel every order on chain, a whole pair in one transaction if that is cheaper')
    .more(`
A running daemon continues to place new orders; \`pause\` it first.
Example:
  $ npx mizani rfq cancel-all --config live.yaml --reason "the feed looks wrong"`)
    .daemonPlace()
    .shared('reason', 'json')
    .action(async (options) => (await import('./cancel.ts')).rfqCancelAll(options))
  rfq
    .command('stop-at')
    .description('stop the signer: from that time it signs no order, whatever the daemon requests')
    .argument('<when>', 'now, a time like 2026-11-18T06:40:00Z, or never, which lifts the stop')
    .more(`
Works with and without a running daemon, and independently of it: the signer reads its own file before every
signature. Cancellations and revoked allowances are still signed.
Example:
  $ npx mizani rfq stop-at now --config live.yaml`)
    .daemonPlace()
    .shared('json')
    .action(async (when, options) => (await import('./stop-at.ts')).rfqStopAt(when, options))
}
