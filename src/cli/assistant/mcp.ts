import process from 'node:process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { AssistantPorts, Document, DaemonPort, AssistantQuery } from '../../daemon/assistant/ports.ts'
import { createAssistantServer } from '../../daemon/assistant/server.ts'
import { errorText, ok, err, type Result } from '../../base/result.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { daemonUrl } from '../../daemon/config/load/contact.ts'
import { shortTokenProblem } from '../../daemon/config/load/http.ts'
import { fail, writeLine, writeNote } from '../output/print.ts'
import { version } from '../../base/text/version.ts'
import { openHttpDoor } from '../../daemon/assistant/http-door.ts'
import { fleetFiles, readServed, TOKEN_VARIABLE } from './positions.ts'
import { createResearch, type ResearchFiles } from './research.ts'
import { askDaemonAt, type DaemonAnswer, type DaemonPlace } from '../../daemon/console/ask-daemon.ts'

type McpOptions = ResearchFiles & {
  readonly config?: readonly string[]
  readonly fleet?: string
  /** Absent = standard input and output. */
  readonly listen?: ListenAt
}

export type ListenAt = { readonly host: string; readonly port: number }

/** On standard input each line is a message; a longer one ends the connection. */
const MOST_BUFFERED_BYTES = 1_024 * 1_024

/** Serves one client on standard input and output, or many over HTTP, until the process ends. */
export async function mcp(options: McpOptions): Promise<void> {
  const files = options.fleet === undefined ? ok(options.config ?? []) : fleetFiles(options.fleet)
  if (!files.ok) return fail({}, EXIT_CODE.usage, files.error)
  const served = readServed(files.value, process.env)
  if (!served.ok) return fail({}, EXIT_CODE.usage, served.error)
  const { positions, http, readToken } = served.value
  const ports: AssistantPorts = {
    daemon: createDaemonPort({ url: daemonUrl({ http }), token: readToken }),
    research: createResearch(positions, options),
    documents: readDocuments(),
  }
  const create = (client?: string) => createAssistantServer(ports, version, client)
  if (options.listen === undefined) return serveStdio(create)
  if (readToken === null) {
    const why = `over HTTP every request needs a token: set http.readToken in the configuration, e.g. readToken: !env ${TOKEN_VARIABLE}, or that variable`
    return fail({}, EXIT_CODE.usage, why)
  }
  const tooShort = shortTokenProblem(readToken, options.listen.host)
  if (tooShort !== null) return fail({}, EXIT_CODE.usage, tooShort)
  await serveHttp(options.listen, readToken, create)
}

/** Standard output is reserved for the protocol; everything else goes to standard error. */
async function serveStdio(create: () => ReturnType<typeof createAssistantServer>): Promise<void> {
  const server = create()
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: MOST_BUFFERED_BYTES,
  })
  const ended = new Promise<void>((resolve) => {
    // The SDK has two properties for this and no events.
    Object.assign(server.server, { onclose: resolve, onerror: reportError })
    process.stdin.once('end', resolve)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await server.connect(transport)
  await ended
  await server.close()
  // A computation without a waiting client would keep the process alive.
  process.exit(EXIT_CODE.ok)
}

function reportError(error: unknown): void {
  writeNote(`mizani mcp: ${errorText(error)}`)
}

async function serveHttp(
  listen: ListenAt,
  token: string,
  create: (client: string) => ReturnType<typeof createAssistantServer>,
): Promise<void> {
  const door = await openHttpDoor({
    ...listen,
    token,
    createServer: create,
    reportError,
  })
  if (!door.ok) return fail({}, EXIT_CODE.failed, door.error)
  writeLine(`listening on ${door.value.url}`)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await door.value.close()
  process.exit(EXIT_CODE.ok)
}

/** Next to `src` in a checkout, next to the bundle in the image. */
const FOLDER = import.meta.url.endsWith('.ts') ? '../../../docs' : './docs'
const PAGE = /^[a-z][a-z0-9-]*\.md$/

/** Returns every page of documentation in this build, by name. */
function readDocuments(): readonly Document[] {
  const folder = fileURLToPath(new URL(FOLDER, import.meta.url))
  return readdirSync(folder)
    .filter((file) => PAGE.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(`${folder}/${file}`, 'utf8')
      const name = file.slice(0, -'.md'.length)
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text }
    })
}

const NO_TOKEN =
  'a proposal is kept with the name of a token: set http.readToken in the configuration, or MIZANI_READ_TOKEN here'

/** Returns the daemon at this address, reached with a reader's token. */
export function createDaemonPort(place: DaemonPlace): DaemonPort {
  return {
    async propose(asked, client) {
      if (place.token === null) return err(NO_TOKEN)
      const body = { ...asked, who: client }
      return answerOf(await askDaemonAt(place, 'POST', '/api/v1/proposals', body), place)
    },
    read: async (path, query) => answerOf(await askDaemonAt(place, 'GET', pathOf(path, query)), place),
  }
}

function pathOf(path: string, query: AssistantQuery): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  const text = given.toString()
  return `/api/v1/${path}${text === '' ? '' : `?${text}`}`
}

/** Returns the body of an accepted request, or the daemon's own sentence. */
function answerOf(answer: DaemonAnswer | null, { url }: DaemonPlace): Result<unknown, string> {
  if (answer === null)
    return err(`no daemon of this configuration answers at ${url}, or it has no position of that name`)
  const { status, body } = answer
  if (status === 200) return ok(body)
  const { message, answer: words, error } = body as Readonly<Record<string, unknown>>
  const why = [message, words, error].find((text) => typeof text === 'string')
  return err(typeof why === 'string' ? why : `the daemon answers with status ${status}`)
}
