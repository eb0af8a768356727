import { Option } from 'commander'
import type { CommandLine } from '../options.ts'
import type { ShownPart } from './show.ts'

const EXAMPLE = 'npx mizani treasury'
const TOKENS = ['NTZS', 'USDC', 'USDT']

const SHOWN: Readonly<Record<ShownPart, readonly [does: string, more: string]>> = {
  status: [
    'show where every unit is, open intents, and pending approvals',
    'On hand, in transit, reserved, claimed and available; payments that you must make; open intents.',
  ],
  plan: [
    "show the policy's plan, and the steps it rejects with reasons",
    'With cost, arrival and value of each step, the hour at which a side runs out, and the Miller-Orr levels next to those in use.',
  ],
  history: ['list ended intents, the newest first', '--json has the cost and arrival of each.'],
  payees: [
    'show the payees, the time of their admission, and the remaining caps',
    'Payees are listed in treasury.payees.',
  ],
  claims: [
    'show every claim with its evidence: requests, answers, references, times',
    'Money with an unknown location is never resent automatically: send this to the operator of the venue.',
  ],
}

/** Capital that moves by policy: read it, approve it, stop it, account for it. */
export function registerTreasuryCommands(program: CommandLine): void {
  const group = program
    .command('treasury')
    .description('move capital by policy: plan, approvals, payouts, claims, statements')
  for (const part of Object.keys(SHOWN) as ShownPart[]) addShown(group, part)
  addApprove(group)
  addIntentOrders(group)
  addPlainOrders(group)
  addPayeeOrders(group)
  addBankFiles(group)
}

function addShown(group: CommandLine, part: ShownPart): void {
  const [does, more] = SHOWN[part]
  const help = `\n${more}\nReads the running daemon, or the store if none runs.\nExample:\n  $ ${EXAMPLE} ${part} --config live.yaml`
  group
    .command(part)
    .description(does)
    .more(help)
    .needs('config')
    .shared('json')
    .action(async (options) => (await import('./show.ts')).showTreasury(part, options))
}

const TOKEN_NOTE =
  'Needs a running daemon, and your own token in MIZANI_OPERATOR_TOKEN if http.tokens lists operators.'

function addApprove(group: CommandLine): void {
  group
    .command('approve')
    .argument('[id]', 'the id of the intent, or its first characters')
    .description('approve the envelope of an intent; the command shows it and asks')
    .more(`
An approval sets limits: destination, maximum spent, minimum received, and expiry. A price outside them needs another approval.
The daemon and the token that loaded the policy cannot approve, and no token approves twice.
${TOKEN_NOTE}
Example:
  $ ${EXAMPLE} approve 7c1e --config live.yaml`)
    .daemonPlace()
    .option('--intent <id>', 'the same as an option')
    .option('--yes', 'skip the confirmation')
    .shared('reason', 'json')
    .action(async (id: string | undefined, options, command: CommandLine) =>
      (await import('./order.ts')).approveIntent({ ...options, intent: intentOf(id, command) }),
    )
}

function addIntentOrders(group: CommandLine): void {
  const both = [
    ['cancel', 'cancel an intent; payments already sent continue'],
    ['hold', 'send no more payments of an intent until someone approves it again'],
  ] as const
  for (const [name, does] of both)
    group
      .command(name)
      .argument('[id]', 'the whole id of the intent')
      .description(does)
      .more(`\n${TOKEN_NOTE}\nExample:\n  $ ${EXAMPLE} ${name} 7c1e... --config live.yaml`)
      .daemonPlace()
      .option('--intent <id>', 'the same as an option')
      .shared('reason', 'json')
      .action(async (id: string | undefined, options, command: CommandLine) =>
        (await import('./order.ts')).orderTreasury(name, { ...options, intent: intentOf(id, command) }),
      )
}

/** The intent's id, as an argument or as `--intent`. */
function intentOf(id: string | undefined, command: CommandLine): string {
  const { intent } = command.opts<{ readonly intent?: string }>()
  if (id !== undefined && intent !== undefined && id !== intent)
    command.error(`error: the argument ${id} and --intent ${intent} name two intents; give one of them`)
  return (
    id ??
    intent ??
    command.error("error: required option '--intent <id>' not specified, nor the id as an argument")
  )
}

function addPlainOrders(group: CommandLine): void {
  const all = [
    ['stop', 'send nothing from now on; any token may stop', 'the bank called'],
    ['resume', 'lift a stop', 'cleared with the bank'],
    [
      'confirm-balances',
      'confirm, after a restore, that the balances match the books',
      'compared with bank and chain',
    ],
  ] as const
  for (const [name, does, reason] of all)
    group
      .command(name)
      .description(does)
      .more(`\n${TOKEN_NOTE}\nExample:\n  $ ${EXAMPLE} ${name} --config live.yaml --reason "${reason}"`)
      .daemonPlace()
      .shared('reason', 'json')
      .action(async (options) => (await import('./order.ts')).orderTreasury(name, options))
}

function addPayeeOrders(group: CommandLine): void {
  group
    .command('payout')
    .description('order a payout to a listed payee; another token has to approve it')
    .more(`
A new payee waits 24 hours and receives 5,000 TZS first. The order counts as your approval.
${TOKEN_NOTE}
Example:
  $ ${EXAMPLE} payout --config live.yaml --payee landlord --token NTZS --amount 500000 --reason "rent"`)
    .needs('config')
    .requiredOption('--payee <name>', 'a name of treasury.payees')
    .addOption(
      new Option('--token <token>', 'the amount that the payee receives')
        .choices(TOKENS)
        .makeOptionMandatory(),
    )
    .requiredOption('--amount <decimal>', 'the amount, in tokens')
    .option('--key <key>', 'idempotency key: the same key within ten minutes is the same order')
    .option('--yes', 'skip the confirmation')
    .shared('reason', 'json')
    .action(async (options) => (await import('./order.ts')).orderTreasury('payout', options))
  group
    .command('confirm-payee')
    .description('confirm the new registered name of a payee')
    .more(`
Ask the payee first, through another channel than the message that announced the change. A payee whose registered name changed
receives nothing until someone confirms it; then the payee waits 24 hours and receives a small payout first, as a new one.
${TOKEN_NOTE}
Example:
  $ ${EXAMPLE} confirm-payee --config live.yaml --payee landlord --name "JANE DOE LTD" --reason "called her"`)
    .needs('config')
    .requiredOption('--payee <name>', 'a name of treasury.payees')
    .requiredOption('--name <text>', 'the registered name, exactly as `treasury payees` shows it')
    .shared('reason', 'json')
    .action(async (options) => (await import('./order.ts')).orderTreasury('confirm-payee', options))
  group
    .command('resolve-claim')
    .description('book the money of a claim, once a person has found it')
    .more(`
--received is an amount of the token that arrived or came back.
${TOKEN_NOTE}
Example:
  $ ${EXAMPLE} resolve-claim --config live.yaml --intent 7c1e... --as returned --received 499000 --reason "ticket 17"`)
    .needs('config')
    .requiredOption('--intent <id>', 'the whole id of the intent')
    .addOption(
      new Option('--as <what>', 'the outcome').choices(['arrived', 'returned', 'lost']).makeOptionMandatory(),
    )
    .option('--received <decimal>', 'the amount that arrived or came back', '0')
    .shared('reason', 'json')
    .action(async (options) => (await import('./order.ts')).orderTreasury('resolve-claim', options))
}

function addBankFiles(group: CommandLine): void {
  group
    .command('match')
    .description('match a bank file to the payments of intents: matches, and exceptions by kind')
    .argument('<file>', 'CSV or MT940, as the bank exports it')
    .more(`
Reads the store; books nothing. Exceptions are short, over, double, late and unknown. Exit code 1 means that there is an
exception other than unknown, that a payment is overdue, or that the file was refused: a file is read completely or not at
all. Rows without date and amount and accounts in another currency are listed and skipped.
Example:
  $ ${EXAMPLE} match november.csv --config live.yaml`)
    .needs('config')
    .option(...BANK_FORMAT)
    .shared('json')
    .action(async (file: string, options) => (await import('./show.ts')).matchFile(file, options))
  group
    .command('bank-format')
    .description('propose a format for treasury.bankFormats from one CSV file of a bank')
    .argument('<file>', 'a CSV file of the bank')
    .more(`
Prints the format for the configuration and five rows that it reads: compare amounts, signs and days with the file before you
use it. Exit code 1 means that no format was found, or that it cannot read the file.
Example:
  $ ${EXAMPLE} bank-format november.csv --name crdb`)
    .option('--name <name>', 'the name of the format', 'bank')
    .shared('json')
    .action(async (file: string, options) => (await import('./bank-format.ts')).bankFormat(file, options))
  group
    .command('statement')
    .description('report a month of the treasury, reconciled with books, venue and bank')
    .argument('<month>', 'YYYY-MM, in East Africa Time')
    .more(`
Reads the store. Exit code 1 means that a residual is not zero. The last line is a hash of all movements: keep it elsewhere,
and a later run proves that none has changed.
Example:
  $ ${EXAMPLE} statement 2026-11 --config live.yaml --bank november.csv --html november.html`)
    .needs('config')
    .option('--bank <file>', 'the bank’s file of the month, CSV or MT940')
    .option(...BANK_FORMAT)
    .option('--csv <file>', 'write accounts, movements and residuals as CSV')
    .option('--html <file>', 'write a page to keep or print')
    .option('--beancount <file>', 'write a beancount ledger with balance assertions')
    .shared('json')
    .action(async (month: string, options) => (await import('./statement.ts')).statement(month, options))
}

const BANK_FORMAT = [
  '--bank-format <name>',
  'a name of treasury.bankFormats, if several have the columns of the file',
] as const
