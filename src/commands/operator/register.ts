import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Ms } from '../../base/time.ts'
import type { OperatorCommand } from '../../engine/model/event.ts'
import { ASSETS } from '../../money/asset.ts'
import { parseRate, type Rate } from '../../money/rate.ts'
import { COMMAND_OPTIONS, timeOption } from '../options.ts'

/** The commands of the person in charge: journalled with who and why, and bound by risk like all else. */
export function registerOperatorCommands(program: Command): void {
  addPlain(program, 'pause', {
    does: 'pull both sides to the safe quote until resume',
    more: 'The position stays in the market at quote.safeBps. Works with and without the running daemon.',
  })
  addPlain(program, 'halt', {
    does: 'stop trading; only resume lifts it, a restart does not',
    more: 'What stands afterwards is risk.onHalt: deactivate or safe. Works with and without the running daemon.',
  })
  addResume(program)
  addPlain(program, 'activate', {
    does: 'take the position into the market, once its quote is known',
    more: 'Needs the running daemon: nobody else would watch what stands.',
  })
  addPlain(program, 'deactivate', {
    does: 'take the position out of the market; the tokens return to the wallet',
    more: 'Works with and without the running daemon. It stays out until `activate`.',
  })
  addWithdraw(program)
  addWithdrawalAnswers(program)
  addAudit(program)
}

function addPlain(
  program: Command,
  name: 'pause' | 'halt' | 'activate' | 'deactivate',
  { does, more }: { readonly does: string; readonly more: string },
): void {
  program
    .command(name)
    .description(does)
    .addHelpText(
      'after',
      `\n${more}\nExample:\n  $ npm run -s mizani -- ${name} --config live.yaml --reason "lunch"`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(...COMMAND_OPTIONS.reason)
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./operate.ts')).operate({ name }, options))
}

function addResume(program: Command): void {
  program
    .command('resume')
    .description('lift a pause or a halt; the reason that halted is checked again at once')
    .addHelpText(
      'after',
      `
With unexplained balances say what they are: an adjustment, a deposit or a withdrawal of your own.
A mid that moved further than risk allows waits; \`status\` shows it beside the mid in force. A plain resume
adopts none: compare both with another source, then name the one that waits.
Example:
  $ npm run -s mizani -- resume --config live.yaml --book deposit --reason "top-up of Monday"
  $ npm run -s mizani -- resume --config live.yaml --accept-mid 2642.5 --reason "the central bank has it too"`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .addOption(
      new Option('--book <what>', 'book what is unexplained as this').choices([
        'adjustment',
        'deposit',
        'withdrawal',
      ]),
    )
    .addOption(
      new Option('--review-until <time>', 'let no review of fills stop trading before, 24 hours at most')
        .argParser(timeOption)
        .conflicts('book'),
    )
    .addOption(
      new Option('--accept-mid <tzs-per-usd>', 'adopt the mid that waits, named exactly').argParser(
        rateOption,
      ),
    )
    .option(...COMMAND_OPTIONS.reason)
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./operate.ts')).operate(resumeOf(options), options))
}

type ResumeOptions = {
  readonly book?: 'adjustment' | 'deposit' | 'withdrawal'
  readonly reviewUntil?: Ms
  readonly acceptMid?: Rate
}

function resumeOf({
  book,
  reviewUntil,
  acceptMid,
}: ResumeOptions): Extract<OperatorCommand, { name: 'resume' }> {
  return {
    name: 'resume',
    ...(book !== undefined && { book }),
    ...(reviewUntil !== undefined && { reviewUntil }),
    ...(acceptMid !== undefined && { acceptMid }),
  }
}

function rateOption(text: string): Rate {
  const rate = parseRate(text)
  if (!rate.ok) throw new InvalidArgumentError(rate.error.message)
  return rate.value
}

function addWithdraw(program: Command): void {
  program
    .command('withdraw')
    .description('send tokens to a listed address; off unless the configuration allows it')
    .addHelpText(
      'after',
      `
Needs withdraw.enabled, an address in withdraw.destinations, room in withdraw.maxPerDay, and the tokens in the
wallet (deactivate first). Asks before it sends. A withdrawal without a clear answer is never sent again: the same --key
is the same withdrawal. Above withdraw.approvalAboveUsd it is requested with one token and approved with another
(\`mizani withdrawal approve\`), which needs the running daemon.
Example:
  $ npm run -s mizani -- withdraw --config live.yaml --token USDC --amount 250.5 --to 0x...`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .addOption(new Option('--token <token>', 'which').choices(ASSETS).makeOptionMandatory())
    .requiredOption('--amount <decimal>', 'how much, in tokens')
    .requiredOption('--to <address>', 'where to')
    .option('--key <key>', 'names this withdrawal: the same key is never a second one (default: a new key)')
    .option('--yes', 'do not ask')
    .option(...COMMAND_OPTIONS.reason)
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./withdraw.ts')).withdraw(options))
}

function addWithdrawalAnswers(program: Command): void {
  const both = [
    {
      name: 'approve',
      does: 'agree to a withdrawal that another token requested; it leaves after the cool-off',
      send: 'approveWithdrawal',
    },
    {
      name: 'cancel',
      does: 'take back a withdrawal that has not left yet',
      send: 'cancelWithdrawal',
    },
  ] as const
  const group = program
    .command('withdrawal')
    .description('approve or take back a withdrawal that a token requested')
  for (const { name, does, send } of both)
    group
      .command(name)
      .description(does)
      .addHelpText(
        'after',
        `
\`mizani status\` shows open withdrawals with their keys. Needs the running daemon, and your own token in
MIZANI_OPERATOR_TOKEN where http.tokens names people.
Example:
  $ npm run -s mizani -- withdrawal ${name} --config live.yaml --key 7c1e...`,
      )
      .requiredOption(...COMMAND_OPTIONS.config)
      .requiredOption('--key <key>', 'of the withdrawal')
      .option(...COMMAND_OPTIONS.reason)
      .option(...COMMAND_OPTIONS.json)
      .action(async (options) => (await import('./operate.ts')).answerWithdrawal(send, options))
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('what operators did, and whether the hash chain of it holds')
    .addHelpText(
      'after',
      `
Each row holds the hash of the one before it. Note the head somewhere else: with --head a later run shows
whether everything up to then is still as it was. Exit code 1 where the chain does not hold.
Example:
  $ npm run -s mizani -- audit --config live.yaml --head 5f0c...`,
    )
    .requiredOption(...COMMAND_OPTIONS.config)
    .option('--head <hash>', 'a head that was noted before')
    .option(...COMMAND_OPTIONS.json)
    .action(async (options) => (await import('./audit.ts')).audit(options))
}

/** The commands about messages to people. */
export function registerNotifyCommands(program: Command): void {
  program
    .command('notify')
    .description('messages to people: Telegram, Slack, a webhook')
    .command('test')
    .description('send a test message to every channel and say what came back')
    .requiredOption(...COMMAND_OPTIONS.config)
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Exit code 1 says that a channel did not take it. The least severity of a channel does not count here.
Example:
  $ npm run -s mizani -- notify test --config live.yaml`,
    )
    .action(async (options) => (await import('./notify-test.ts')).notifyTest(options))
}
