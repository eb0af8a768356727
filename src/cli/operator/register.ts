import { Option } from 'commander'
import { ASSETS } from '../../base/money/asset.ts'
import type { CommandName } from '../../daemon/console/commands/command-entry.ts'
import {
  COMMAND_NAMES,
  isStop,
  OPERATOR_COMMANDS,
  type PlainName,
} from '../../daemon/console/commands/operator-commands.ts'
import { type CommandLine, numberOption } from '../options.ts'
import { addResume } from './register-resume.ts'

/** The operator's commands: journalled with name and reason, and subject to the risk rules like every decision. */
export function registerOperatorCommands(program: CommandLine): void {
  for (const name of COMMAND_NAMES) {
    if (isPlain(name)) addPlain(program, name)
    else COMMAND_LINES[name]?.(program)
  }
  addAuditAndConsole(program)
}

type OtherName = Exclude<CommandName, PlainName>
/** The command lines with options. Null = the command belongs to another group, such as `rfq`, or has no command line. */
const COMMAND_LINES: { readonly [Name in OtherName]: ((program: CommandLine) => void) | null } = {
  resume: addResume,
  deactivate: addDeactivate,
  withdraw: addWithdraw,
  approveWithdrawal: addWithdrawalAnswers,
  cancelWithdrawal: null,
  ack: addAck,
  reload: addReload,
  cancelOrders: null,
  stopSigning: null,
}

const WAIT_OPTION = [
  '--wait <seconds>',
  'wait this long for the venue to confirm it, instead of 15 s (deactivate: 45 s without progress, 150 s in all)',
  numberOption({ min: 0, max: 3_600 }),
] as const

function isPlain(name: CommandName): name is PlainName {
  return OPERATOR_COMMANDS[name].cli !== null
}

/** Adds a command without fields, described by its entry. */
function addPlain(program: CommandLine, name: PlainName): void {
  const { does, more } = OPERATOR_COMMANDS[name].cli
  const command = program
    .command(name)
    .description(does)
    .more(`\n${more}\nExample:\n  $ npx mizani ${name} --config live.yaml --reason "maintenance"`)
  if (isStop({ name })) command.option(...WAIT_OPTION)
  command
    .daemonPlace({ fleet: true })
    .shared('reason', 'json')
    .action(async (options) => (await import('./operate.ts')).operate({ name }, options))
}

function addDeactivate(program: CommandLine): void {
  program
    .command('deactivate')
    .description('deactivate the position at the venue; the tokens return to the wallet')
    .more(`
Works with and without a running daemon. First both sides are widened to 500 bps until 10 s have passed without a fill
(quote.drainMs at most); --now skips this. The request is then sent whatever the account shows, and repeated until venue and
wallet confirm the end; the command reports success only then. After 45 s without progress, or 150 s in all, it reports NOT
confirmed with what is missing and exits with 4, while a running daemon continues. The position stays inactive until \`activate\`.
Example:
  $ npx mizani deactivate --config live.yaml --reason "maintenance"`)
    .daemonPlace({ fleet: true })
    .addOption(
      new Option('--wallet <address>', 'the wallet to pay to, if the account names a new one').conflicts(
        'fleet',
      ),
    )
    .option('--now', 'send it at once, without widening the quote and waiting for fills')
    .option(...WAIT_OPTION)
    .shared('reason', 'json')
    .action(async (options) => {
      const { wallet, now } = options
      const command = {
        name: 'deactivate',
        insists: true,
        ...(wallet !== undefined && { wallet }),
        ...(now === true && { now }),
      } as const
      await (await import('./operate.ts')).operate(command, options)
    })
}

function addWithdraw(program: CommandLine): void {
  program
    .command('withdraw')
    .description('withdraw tokens to a listed address; off unless the configuration allows it')
    .more(`
Requires withdraw.enabled, an address in withdraw.destinations, an unused part of withdraw.maxPerDay, and the tokens
in the wallet (deactivate first). The command asks for confirmation. A withdrawal with an unknown outcome is never sent
again: the same --key is the same withdrawal. Above withdraw.approvalAboveUsd one token requests the withdrawal and another
one approves it (\`mizani withdrawal approve\`), which needs a running daemon.
Example:
  $ npx mizani withdraw --config live.yaml --token USDC --amount 250.5 --to 0x...`)
    .needs('config')
    .addOption(new Option('--token <token>', 'the token to withdraw').choices(ASSETS).makeOptionMandatory())
    .requiredOption('--amount <decimal>', 'the amount, in tokens')
    .requiredOption('--to <address>', 'the destination address')
    .option(
      '--key <key>',
      'idempotency key: a second request with the same key sends nothing (default: a new key)',
    )
    .option('--yes', 'skip the confirmation')
    .shared('reason', 'json')
    .action(async (options) => (await import('./withdraw.ts')).withdraw(options))
}

function addWithdrawalAnswers(program: CommandLine): void {
  const both = [
    {
      name: 'approve',
      does: 'approve a withdrawal that another token requested; it is sent after the cool-off',
      send: 'approveWithdrawal',
    },
    {
      name: 'cancel',
      does: 'cancel a withdrawal that has not been sent',
      send: 'cancelWithdrawal',
    },
  ] as const
  const group = program.command('withdrawal').description('approve or cancel a requested withdrawal')
  for (const { name, does, send } of both)
    group
      .command(name)
      .description(does)
      .more(`
\`mizani status\` shows open withdrawals with their keys. Needs a running daemon, and your own token in
MIZANI_OPERATOR_TOKEN if http.tokens lists operators.
Example:
  $ npx mizani withdrawal ${name} --config live.yaml --key 7c1e...`)
      .daemonPlace()
      .requiredOption('--key <key>', 'the key of the withdrawal')
      .shared('reason', 'json')
      .action(async (options) => (await import('./operate.ts')).answerWithdrawal(send, options))
}

function addAck(program: CommandLine): void {
  program
    .command('ack')
    .description('acknowledge critical alerts, which ends their reminders')
    .argument('[code]', 'the code of the alert, as in its message; default all open alerts')
    .more(`
The daemon repeats a critical alert every alert.repeatMinutes and escalates it by alert.escalation until it lifts or someone
acknowledges it. The journal records who did and why. Nothing else changes: a halt remains. An alert that is raised again
starts over. Needs a running daemon.
Exit codes: 0 acknowledged, or no alert was open; 3 the code is not open, or this daemon repeats no alerts.
Example:
  $ npx mizani ack halted --config live.yaml --reason "I am looking at it"
  $ npx mizani ack --fleet config/fleet`)
    .daemonPlace({ fleet: true })
    .shared('reason', 'json')
    .action(async (code: string | undefined, options) =>
      (await import('./ack.ts')).ack(code ?? null, options),
    )
}

function addReload(program: CommandLine): void {
  program
    .command('reload')
    .description('read the configuration and the strategy again, all or nothing')
    .more(`
Needs a running daemon, which also reloads when the file changes and on SIGHUP. The answer names what changed, or why the
daemon keeps the present configuration.
Exit codes: 0 reloaded, 3 refused or no daemon runs.
Example:
  $ npx mizani reload --config live.yaml --reason "wider at night"`)
    .daemonPlace({ fleet: true })
    .option('--from-file', 'discard the settings made over HTTP before')
    .shared('reason', 'json')
    .action(async (options) => (await import('./operate.ts')).reload(options))
}

function addAuditAndConsole(program: CommandLine): void {
  program
    .command('audit')
    .description('list the commands of operators and verify their hash chain')
    .more(`
Each row has the hash of the row before it. Keep the head elsewhere: with --head a later run verifies that all rows up to it
are unchanged. Exit code 1 means that the chain is broken.
Example:
  $ npx mizani audit --config live.yaml --head 5f0c...`)
    .needs('config')
    .option('--head <hash>', 'the head of an earlier run')
    .shared('json')
    .action(async (options) => (await import('./audit.ts')).audit(options))
  program
    .command('console')
    .description('print an address that opens the console of the running daemon and signs the browser in')
    .more(`
The key after the # works once, within ten minutes, in a browser on the daemon's machine. The tab receives the token that this
command used, so its buttons work; closing the tab forgets it. To sign in as another person, use that person's
MIZANI_OPERATOR_TOKEN. On another machine open http.host and enter the token on the page.
Exit codes: 0 printed, 2 the configuration is invalid, 3 no daemon answers or it does not accept the token.
Example:
  $ npx mizani console --config live.yaml`)
    .daemonPlace()
    .shared('json')
    .action(async (options) => (await import('./console-link.ts')).printConsoleLink(options))
}

/** The commands about notifications. */
export function registerNotifyCommands(program: CommandLine): void {
  const notify = program.command('notify').description('notifications: Telegram, Slack, a webhook')
  notify
    .command('send')
    .description('send one notice to the channels of its severity; used by the guard')
    .shared('config')
    .option('--code <code>', 'the code of the notice, which has its severity and advice')
    .option('--text <text>', 'what happened')
    .addOption(
      new Option(
        '--step <number>',
        'send to the channels of this step of alert.escalation instead',
      ).argParser(numberOption({ whole: true, min: 1, max: 10 })),
    )
    .option(
      '--batch',
      'read notices as JSON from standard input, in the format of the guard, and print a line for each',
    )
    .shared('json')
    .more('\nExit code 1 means that a channel did not accept the message.')
    .action(async (options) => (await import('./notify-send.ts')).notifySend(options))
  notify
    .command('test')
    .description('send a test message to every channel and print its answer')
    .needs('config')
    .shared('json')
    .more(`
Exit code 1 means that a channel did not accept the message. minSeverity of a channel does not apply here.
Example:
  $ npx mizani notify test --config live.yaml`)
    .action(async (options) => (await import('./notify-test.ts')).notifyTest(options))
}
