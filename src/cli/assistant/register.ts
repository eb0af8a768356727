import { InvalidArgumentError } from 'commander'
import type { CommandLine } from '../options.ts'
import type { ListenAt } from './mcp.ts'

/** Registers the assistant's server, and the commands with which people answer its proposals. */
export function registerAssistantCommands(program: CommandLine): void {
  program
    .command('mcp')
    .description(
      'serve assistants over the Model Context Protocol: they read, compute and propose, and give no command',
    )
    .configOrFleet(true)
    .option(
      '--listen <host:port>',
      'Streamable HTTP at this address instead of standard input and output',
      listenOption,
    )
    .option('--tape <path>', 'the tape of backtests; default backtest.tape of the configuration')
    .option('--tournament <folder>', 'show the results of `mizani tournament --out <folder>`')
    .more(`
Reads query the running daemon with http.readToken of the configuration or the token in MIZANI_READ_TOKEN; on loopback they
need no token. No other secret of the configuration is read. Backtests, what-ifs and explanations run in a separate thread,
one at a time, for two minutes at most. Every answer marks text from outside.
With --listen every request needs the header "Authorization: Bearer TOKEN", and requests of web pages are refused.
A proposal changes nothing: it waits in the daemon until a person accepts or rejects it (mizani proposals, or the console).
A proposal needs a token on loopback too.
See docs/assistants.md for the configuration of clients.
Examples:
  $ npx mizani mcp --config live.yaml
  $ npx mizani mcp --fleet config/fleet --tape ./tape --tournament ./tournament
  $ npx mizani mcp --config live.yaml --listen 127.0.0.1:9466`)
    .action(async (options) => (await import('./mcp.ts')).mcp(options))
  addProposals(program)
}

function addProposals(program: CommandLine): void {
  const group = program.command('proposals').description('list, accept or reject the proposals of assistants')
    .more(`
A proposal changes nothing until a person accepts it; after 24 hours it expires. Accepting sends its command with your own
token, so it needs the same permission, and the risk rules apply.
Needs a running daemon, and your own token in MIZANI_OPERATOR_TOKEN if http.tokens lists operators.
Examples:
  $ npx mizani proposals list --config live.yaml
  $ npx mizani proposals accept 1f0c9a7be2d34455 --config live.yaml --reason "agreed with the desk"
  $ npx mizani proposals reject 1f0c9a7be2d34455 --config live.yaml --reason "too tight before the holiday"`)
  group
    .command('list', { isDefault: true })
    .description('list the pending proposals and their changes')
    .daemonPlace()
    .option('--all', 'also list settled proposals')
    .shared('json')
    .action(async (options) => (await import('./proposals.ts')).listProposals(options))
  for (const [name, does] of ANSWERS)
    group
      .command(`${name} <id>`)
      .description(does)
      .daemonPlace()
      .shared('reason', 'json')
      .action(async (id: string, options) =>
        (await import('./proposals.ts')).answerProposal(name, { ...options, id }),
      )
}

const ANSWERS = [
  ['accept', 'accept a proposal: send its command with your token'],
  ['reject', 'reject a proposal; nothing changes'],
] as const

/** `127.0.0.1:9466`, `[::1]:9466` or a port of this machine. */
function listenOption(text: string): ListenAt {
  const [, host = '127.0.0.1', digits = ''] =
    /^(?:(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new InvalidArgumentError('Expected HOST:PORT such as 127.0.0.1:9466; port 0 takes any free one.')
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
