import { ENDPOINTS, type EndpointName } from '../../treasury/api/endpoints.ts'
import { CommandLine } from '../options.ts'
import { addFlags, flagsOf, paramsOf } from './flags.ts'
import type { PerformOptions } from './perform.ts'
import { explainErrors, refuseUnknownCommand } from '../output/explain-errors.ts'

const EXITS = `
Address and key: PARTNER_URL and PARTNER_KEY in the environment, or treasury.partner of --config.
Exit codes: 0 done, 1 failed or not confirmed, 2 wrong usage, 3 refused by the venue, 4 not reached or key not
accepted, 5 outcome unknown: money may have moved, and the last line describes how to find out.`

/** The command line of the partner API, derived from its endpoints: `<resource> <verb>`, and `check`. */
export function partnerProgram(isJson = false): CommandLine {
  const hint = '(mizani partner --help shows every resource)'
  const program = explainErrors(new CommandLine('mizani partner'), hint, isJson)
    .description('the partner API: users, deposits, transfers, payouts, bills, swaps, ramp, commerce')
    .more(EXITS)
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) addEndpoint(program, name)
  program
    .command('check')
    .description(
      'show the permissions of the key: capabilities, KYB, test or live, allow-list, floats, minimums, webhooks',
    )
    .option('--config <file>', 'a configuration with a treasury section, instead of the environment')
    .shared('json')
    .more(`\nSends nothing that could move money.\nExample:\n  ${shell('check')}\n${EXITS}`)
    .action(async (options) => (await import('./check.ts')).partnerCheck(options))
  return program
}

function addEndpoint(program: CommandLine, name: EndpointName): void {
  const { command, summary, params, isMoney, takesKey, route, needs } = ENDPOINTS[name]
  const resource =
    program.commands.find((known) => known.name() === command.resource) ??
    program.command(command.resource).description(verbsOf(command.resource))
  const verb = resource.command(command.verb).description(summary)
  const flags = flagsOf(params)
  addFlags(verb, flags)
  if (takesKey || 'idempotencyKey' in params.shape)
    verb.option(
      '--key <text>',
      'the Idempotency-Key; default 128 random bits, printed before the request leaves',
    )
  if (isMoney) {
    verb.option('--yes', 'skip the confirmation; with a live key only together with --live')
    verb.option('--live', 'with --yes: also with a live key, with which real money moves')
    if (takesKey || 'idempotencyKey' in params.shape)
      verb.option('--again', 'send it although a payment left under this --key before: it may be paid twice')
  }
  verb
    .option('--config <file>', 'a configuration with a treasury section, instead of the environment')
    .shared('json')
    .more(`
${route}${needs === null ? '' : `, needs the capability ${needs}`}${isMoney ? '. Sent once, never repeated.' : ''}
Example:
  ${exampleOf(name)}
${EXITS}`)
    .action(async (options: PerformOptions & Readonly<Record<string, unknown>>) => {
      const { perform } = await import('./perform.ts')
      await perform(name, paramsOf(flags, options), options)
    })
}

function verbsOf(resource: string): string {
  const commands = Object.values(ENDPOINTS).map(({ command }) => command)
  return commands.flatMap((command) => (command.resource === resource ? [command.verb] : [])).join(', ')
}

/** Returns an example command line of an endpoint. */
export function exampleOf(name: EndpointName): string {
  const { resource, verb, example } = ENDPOINTS[name].command
  return shell(`${resource} ${verb} ${example}`)
}

function shell(words: string): string {
  return `$ npx mizani partner ${words}`.trimEnd()
}

/** Runs the arguments after `mizani partner`; a wrong argument ends the process as in every other command. */
export async function runPartner(words: readonly string[], asJson: boolean): Promise<void> {
  const program = partnerProgram(asJson)
  refuseUnknownCommand(program, words)
  await program.parseAsync(words, { from: 'user' })
}
