import { type Command, InvalidArgumentError } from 'commander'
import { addConfigOrFleet } from '../options.ts'
import type { ListenAt } from './mcp.ts'

/** A door for assistants: what a language model may read and compute. */
export function registerAssistantCommands(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'serve assistants over the Model Context Protocol: they read and compute, and give no command',
    )
  addConfigOrFleet(command, true)
    .option(
      '--listen <host:port>',
      'Streamable HTTP at this address instead of standard input and output',
      listenOption,
    )
    .option('--tape <path>', 'the tape of backtests; default backtest.tape of the configuration')
    .option('--tournament <folder>', 'show the results of `mizani tournament --out <folder>`')
    .addHelpText('after', HELP)
    .action(async (options) => (await import('./mcp.ts')).mcp(options))
}

const HELP = `
Reads ask the running daemon with http.readToken of the configuration, or the token in MIZANI_READ_TOKEN; on loopback
they need none. No other secret of the configuration is read. Backtests, what-ifs and explanations run in a thread of
their own, one at a time, for two minutes at most. Text that came from outside is marked in every answer.
--listen needs the token of every request, as the header "Authorization: Bearer TOKEN", and refuses pages of the web.
See docs/assistants.md for the configuration of clients.
Examples:
  $ npm run -s mizani -- mcp --config live.yaml
  $ npm run -s mizani -- mcp --fleet config/fleet --tape ./tape --tournament ./tournament
  $ npm run -s mizani -- mcp --config live.yaml --listen 127.0.0.1:9466`

/** `127.0.0.1:9466`, `[::1]:9466` or a port of this machine. */
function listenOption(text: string): ListenAt {
  const [, host = '127.0.0.1', digits = ''] =
    /^(?:(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new InvalidArgumentError(
      'HOST:PORT such as 127.0.0.1:9466 would be right; port 0 takes any free one.',
    )
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
