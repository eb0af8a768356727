import { hasStuckThread } from '../base/threads/end-thread.ts'
import { existsSync } from 'node:fs'
import { EXIT_CODES } from '../base/exit-code.ts'
import { version } from '../base/text/version.ts'
import { DEFAULT_CONFIG } from './options.ts'
import { explainErrors, refuseUnknownCommand } from './output/explain-errors.ts'
import { CommandLine } from './options.ts'

const FIRST_STEPS = `
Examples:
  $ npx mizani start                        a demo market, no setup
  $ npx mizani init                         a configuration and a strategy of your own
  $ npx mizani check                        check configuration, key and venue
  $ npx mizani run --config live.yaml       run the daemon in the foreground
  $ npx mizani status --config live.yaml --watch
  $ npx mizani halt --config live.yaml --reason "the feed looks wrong"
\`--config FILE\` may precede the command. A command that requires it takes ./mizani.yaml by default.
\`mizani <command> --help\` describes each command.`

type Register = (program: CommandLine) => void

/**
 * The groups of commands in the order of `mizani --help`. Only the group of the given command is loaded, so that a
 * daemon's memory has no code of research, drills or treasury commands.
 */
const GROUPS: readonly (readonly [commands: string, load: () => Promise<Register>])[] = [
  ['start', async () => (await import('./daemon/register-sandbox.ts')).registerStart],
  ['init', async () => (await import('./init/register.ts')).registerInit],
  ['strategy', async () => (await import('./init/register.ts')).registerStrategyCommands],
  ['run fleet record', async () => (await import('./daemon/register.ts')).registerDaemonCommands],
  ['sandbox', async () => (await import('./daemon/register-sandbox.ts')).registerSandbox],
  ['guard', async () => (await import('./guard/register.ts')).registerGuardCommands],
  [
    'pause halt resume activate deactivate withdraw withdrawal ack reload audit console',
    async () => (await import('./operator/register.ts')).registerOperatorCommands,
  ],
  [
    'check status quote explain curve risk scorecard conformance replay export controls runbook',
    async () => (await import('./inspect/register.ts')).registerInspectCommands,
  ],
  ['drill', async () => (await import('./drill/register.ts')).registerDrillCommand],
  [
    'backtest parity whatif challenger',
    async () => (await import('./research/register.ts')).registerResearchCommands,
  ],
  ['calibrate', async () => (await import('./research/register.ts')).registerCalibrate],
  ['feeds', async () => (await import('./research/register.ts')).registerFeeds],
  ['sweep', async () => (await import('./research/sweep/register.ts')).registerSweep],
  ['model', async () => (await import('./research/register.ts')).registerModel],
  ['tournament', async () => (await import('./research/tournament/register.ts')).registerTournament],
  ['report', async () => (await import('./research/register.ts')).registerReportCommands],
  ['tape data', async () => (await import('./tape/register.ts')).registerTapeCommands],
  ['custody', async () => (await import('./custody/register.ts')).registerCustodyCommands],
  ['keys', async () => (await import('./keys/register.ts')).registerKeysCommands],
  ['rfq', async () => (await import('./rfq/register.ts')).registerRfqCommands],
  ['treasury', async () => (await import('./treasury/register.ts')).registerTreasuryCommands],
  ['partner', async () => (await import('./partner/register.ts')).registerPartnerCommands],
  ['close verify-close', async () => (await import('./close/register.ts')).registerCloseCommands],
  ['backup restore copy-store', async () => (await import('./backup/register.ts')).registerBackupCommands],
  ['notify', async () => (await import('./operator/register.ts')).registerNotifyCommands],
  ['mcp proposals', async () => (await import('./assistant/register.ts')).registerAssistantCommands],
]

/** Runs one command, then exits, because a thread that cannot be ended would keep the process alive. */
export async function runProgram(given: readonly string[]): Promise<void> {
  const args = configLast(given)
  const program = await buildProgram(args[2], args.includes('--json'))
  refuseUnknownCommand(program, args.slice(2))
  await program.parseAsync(withDefaultConfig(program, args))
  if (hasStuckThread()) process.exit()
}

/** Returns the arguments with a `--config` before the command moved to the end, where every command reads it. */
function configLast(args: readonly string[]): readonly string[] {
  const [node = '', launcher = '', first = '', ...rest] = args
  const count = first === '--config' ? 1 : 0
  if (!/^--config(=|$)/.test(first) || rest.length <= count) return args
  return [node, launcher, ...rest.slice(count), first, ...rest.slice(0, count)]
}

/** Adds the default configuration for a command that requires one and got none. */
function withDefaultConfig(program: CommandLine, args: readonly string[]): readonly string[] {
  let command = program
  for (const word of args.slice(2)) {
    const found = command.commands.find((one) => one.name() === word)
    if (found === undefined) break
    command = found
  }
  const isRequired = command.options.some(({ long, mandatory }) => long === '--config' && mandatory)
  const isGiven = args.some((word) => /^--config(=|$)/.test(word))
  return isRequired && !isGiven && existsSync(DEFAULT_CONFIG) ? [...args, '--config', DEFAULT_CONFIG] : args
}

/**
 * Returns the command line: names, options and help texts, with only the group of the given command, or with all
 * groups if none has it. A command's own module is loaded when it runs.
 */
export async function buildProgram(only?: string, isJson = false): Promise<CommandLine> {
  const program = explainErrors(new CommandLine('mizani'), '(mizani --help shows every command)', isJson)
    .description('A market maker for liquidity providers of a stablecoin venue: dollars against shillings.')
    .version(version)
    .more(FIRST_STEPS)
    .more(`\n${EXIT_CODES}`)
  const own = GROUPS.filter(([commands]) => commands.split(' ').includes(only ?? ''))
  for (const [, load] of own.length > 0 ? own : GROUPS) (await load())(program)
  return program
}
