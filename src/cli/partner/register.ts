import type { CommandLine } from '../options.ts'

/** Resources listed by `mizani partner --help`; the endpoints are loaded when the command runs. */
export const RESOURCES = [
  'users',
  'deposits',
  'transfers',
  'withdrawals',
  'spend',
  'lookup',
  'merchant',
  'swap',
  'ramp',
  'platform',
  'testmode',
  'floats',
  'commerce',
] as const

/** The whole partner API, one command for each endpoint. */
export function registerPartnerCommands(program: CommandLine): void {
  program
    .command('partner')
    .description('the partner API: users, deposits, transfers, payouts, bills, swaps, ramp, commerce')
    .argument('[words...]', '<resource> <verb> and their options, or check')
    .allowUnknownOption()
    .helpOption(false)
    .more(`
Resources: ${RESOURCES.join(', ')}; and check.
\`mizani partner\` alone lists the resources, \`mizani partner <resource> --help\` its verbs, and
\`mizani partner <resource> <verb> --help\` every option with an example. docs/partner-api.md has them all.
Address and key: PARTNER_URL and PARTNER_KEY in the environment, or treasury.partner of --config.
A command that moves money asks for confirmation, prints the Idempotency-Key before it sends the request, and sends it once.
Exit codes in addition to the usual ones: 3 refused by the venue, 5 outcome unknown.
Example:
  $ npx mizani partner check
  $ npx mizani partner deposits create --amount-tzs 500000 --user-id 6f1c... --payment-method bank_transfer`)
    .action(async (words: readonly string[]) => {
      const { runPartner } = await import('./partner-program.ts')
      await runPartner(words.length === 0 ? ['--help'] : words, words.includes('--json'))
    })
}
