import { printableLines } from '../base/printable.ts'
import { hasStuckThread } from '../base/threads/end-thread.ts'
import { registerSweep } from './research/sweep/register.ts'
import { Command } from 'commander'
import {
  registerCalibrate,
  registerModel,
  registerResearchCommands,
  registerTournament,
} from './research/register.ts'
import { registerReportCommands } from './research/report/register.ts'
import { registerAssistantCommands } from './assistant/register.ts'
import { registerBackupCommands } from './backup/register.ts'
import { registerCloseCommands } from './close/register.ts'
import { registerCustodyCommands } from './custody/register.ts'
import { registerGuardCommands } from './guard/register.ts'
import { registerKeysCommands } from './keys/register.ts'
import { registerNotifyCommands, registerOperatorCommands } from './operator/register.ts'
import { registerInspectCommands } from './inspect/register.ts'
import { registerDrillCommand } from './drill/register.ts'
import { registerRfqCommands } from './rfq/register.ts'
import { registerDaemonCommands } from './daemon/register.ts'
import { registerPartnerCommands } from './partner/register.ts'
import { registerTapeCommands } from './tape/register.ts'
import { registerTreasuryCommands } from './treasury/register.ts'
import { EXIT_CODE, EXIT_CODES } from '../base/text/exit-code.ts'
import { version } from '../base/text/version.ts'
import { writeJson } from './output/print.ts'

const FIRST_STEPS = `
Examples:
  $ npm start                                                 a demo market, no setup
  $ npm run -s mizani -- check --config config/live.yaml      check configuration, key and venue
  $ npm run -s mizani -- run --config config/live.yaml        run the daemon in the foreground
  $ npm run -s mizani -- status --config config/live.yaml --watch
  $ npm run -s mizani -- halt --config config/live.yaml --reason "the feed looks wrong"
\`mizani <command> --help\` describes each command.`
/** Runs one command. A thread that cannot be ended would keep the process that has done its work. */
export async function runProgram(args: readonly string[]): Promise<void> {
  await buildProgram().parseAsync(args)
  if (hasStuckThread()) process.exit()
}

/** The command line: names, options and help texts. A command's module is loaded when the command runs. */
export function buildProgram(): Command {
  const program = new Command('mizani')
    .configureOutput({ outputError: explain })
    .description('A market maker for liquidity providers of a stablecoin venue: dollars against shillings.')
    .version(version)
    .addHelpText('after', FIRST_STEPS)
    .addHelpText('after', `\n${EXIT_CODES}`)
    .showHelpAfterError('(mizani --help shows every command)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT_CODE.ok : EXIT_CODE.usage))
  registerDaemonCommands(program)
  registerGuardCommands(program)
  registerOperatorCommands(program)
  registerInspectCommands(program)
  registerDrillCommand(program)
  registerResearchCommands(program)
  registerCalibrate(program)
  registerSweep(program)
  registerModel(program)
  registerTournament(program)
  registerReportCommands(program)
  registerTapeCommands(program)
  registerCustodyCommands(program)
  registerKeysCommands(program)
  registerRfqCommands(program)
  registerTreasuryCommands(program)
  registerPartnerCommands(program)
  registerCloseCommands(program)
  registerBackupCommands(program)
  registerNotifyCommands(program)
  registerAssistantCommands(program)
  return program
}

/** An error of the command line itself, before a command could read `--json`. */
function explain(text: string, write: (text: string) => void): void {
  if (!process.argv.includes('--json')) return write(printableLines(text))
  const error = text.trim().replace(/^error: /, '')
  writeJson({ error, exitCode: EXIT_CODE.usage })
}
