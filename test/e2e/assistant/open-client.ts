import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { PROGRAM, SHORT_LIFE } from '../daemon/program.ts'
import { TEST_ENV, runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

/** What an assistant is given: the token of a reader. */
export const READ_TOKEN = 'the-readers-token-of-this-test'

export type Answer = { readonly isError: boolean; readonly text: string; readonly data: unknown }

/** The SDK's own client on one of the transports. */
export type AssistantClient = {
  readonly client: Client
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<Answer>
  /** What the server wrote to its standard error. */
  readonly errors: () => string
  readonly close: () => Promise<void>
}

/** A client of `mizani mcp`, which it starts as a process of its own and speaks to over its standard input and output. */
export async function overStdio(
  config: string,
  env: Readonly<Record<string, string>> = {},
): Promise<AssistantClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...SHORT_LIFE, PROGRAM, 'mcp', '--config', config],
    env: { PATH: process.env['PATH'] ?? '', ...TEST_ENV, MIZANI_READ_TOKEN: READ_TOKEN, ...env },
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')))
  return { ...(await connect((client) => client.connect(transport))), errors: () => errors }
}

/** A client of `mizani mcp --listen`, and its address. */
export async function overHttp(
  config: string,
  env: Readonly<Record<string, string>> = {},
): Promise<AssistantClient & { readonly url: string }> {
  const server = runDaemon({
    configs: [config],
    env: { MIZANI_READ_TOKEN: READ_TOKEN, ...env },
    command: ['mcp', '--listen', '127.0.0.1:0'],
  })
  const url = await until(
    'the server for assistants listens',
    () => /listening on (\S+)/.exec(server.output())?.[1],
    {
      otherwise: () => server.errors(),
    },
  )
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${READ_TOKEN}` } },
  })
  const connected = await connect((client) => client.connect(transport))
  return {
    ...connected,
    url,
    errors: server.errors,
    async close() {
      await connected.close()
      await server.kill('SIGTERM')
    },
  }
}

/** A client that is connected this way. */
export async function connect(
  open: (client: Client) => Promise<void>,
): Promise<Omit<AssistantClient, 'errors'>> {
  const client = new Client({ name: 'test', version: '0' })
  await open(client)
  return {
    client,
    async call(name, args = {}) {
      const { content, isError } = await client.callTool({ name, arguments: args }, undefined, {
        timeout: 150_000,
      })
      const [{ text }] = content as [{ text: string }]
      return { isError: isError === true, text, data: dataOf(text) }
    },
    close: () => client.close(),
  }
}

function dataOf(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('\n') + 1))
  } catch {
    return null
  }
}
