import { randomBytes } from 'node:crypto'
import { isProven, proofAnswer } from '../../console/auth/daemon-proof.ts'
import { viewSchema } from '../../view/position-view.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { openHttpClient, type HttpClient } from '../../http/client.ts'
import type { HttpRequest, Silence } from '../../http/exchange.ts'
import { readOperatorToken } from '../../runtime/host/operator-token.ts'
import { type CommandName, exitCodeOfSilence } from '../../console/commands/command-bodies.ts'
import type { TreasuryOrderPath } from '../../console/treasury/treasury-bodies.ts'
import { readLockState } from '../../store/store-lock.ts'
import { EXIT_CODE } from '../exit-code.ts'
import type { Outcome, CommandResult } from '../output/print.ts'
import { userInfo } from 'node:os'

/** The daemon's answer. `status` is null when a program accepted the connection and never answered. */
export type DaemonAnswer = { readonly status: number | null; readonly body: unknown }

const READ_TIMEOUT_MS = 5_000
/** More than any answer of the daemon. */
const MOST_BYTES = 64 * 1_024 * 1_024
const NONCE_BYTES = 32
/** The daemon waits this long for the venue. A command is not sent twice, so the client waits at least as long. */
const COMMAND_TIMEOUT_MS = 190_000

/**
 * Asks the daemon of this configuration over its own HTTP API. Null = none runs there, which includes a
 * daemon of other positions; never throws.
 */
export function askDaemon(
  config: LoadedConfig,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<DaemonAnswer | null> {
  return askDaemonAt({ url: daemonUrl(config), token: readOperatorToken(config) }, method, path, body, more)
}

/** Where a daemon listens, and the token to ask it with; null = none, for reads on loopback. */
export type DaemonPlace = { readonly url: string; readonly token: string | null }

/** The same for a daemon at any place, with any token. Never throws. */
export async function askDaemonAt(
  place: DaemonPlace,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<DaemonAnswer | null> {
  const http = openHttpClient({ connections: 1, timeoutMs: READ_TIMEOUT_MS, maxBytes: MOST_BYTES })
  try {
    const request = { method, path, body: body === undefined ? null : JSON.stringify(body), headers: more }
    return await askOver(http, place, request)
  } finally {
    await http.close()
  }
}

async function askOver(
  http: HttpClient,
  { url, token }: DaemonPlace,
  { method, path, body, headers: more }: HttpRequest,
): Promise<DaemonAnswer | null> {
  const headers: Record<string, string> = { accept: 'application/json', ...more }
  if (token !== null) {
    const proof = await provesItself(http, url, token)
    if (proof === 'nobody-there') return null
    if (proof === 'silent') {
      const error = `no answer from ${url} within ${READ_TIMEOUT_MS} ms; nothing was sent`
      return { status: method === 'GET' ? null : 503, body: { error } }
    }
    if (proof === 'proven') headers['authorization'] = `Bearer ${token}`
    else if (method === 'POST') return { status: 403, body: { message: unproven(url) } }
  }
  if (body !== null) headers['content-type'] = 'application/json'
  const timeoutMs = method === 'GET' ? READ_TIMEOUT_MS : COMMAND_TIMEOUT_MS
  const answer = await http.send({ origin: url, method, path, headers, body, timeoutMs })
  if (!answer.ok) {
    if (isNobodyThere(answer.error)) return null
    return { status: null, body: { error: `no answer from ${url} (${answer.error.code})` } }
  }
  const { status, text } = answer.value
  const parsed = parse(text)
  return isOfAnother(status, parsed) ? null : { status, body: parsed }
}

type Proof = 'proven' | 'unproven' | 'silent' | 'nobody-there'

/** Requests a proof that the program on the port knows the token, without sending the token. */
async function provesItself(http: HttpClient, url: string, token: string): Promise<Proof> {
  const nonce = randomBytes(NONCE_BYTES).toString('hex')
  const path = `/api/v1/proof?nonce=${nonce}`
  const answer = await http.send({ origin: url, method: 'GET', path, headers: {}, body: null })
  if (!answer.ok) {
    if (isNobodyThere(answer.error)) return 'nobody-there'
    return answer.error.kind === 'timeout' ? 'silent' : 'unproven'
  }
  const proof = proofAnswer.safeParse(parse(answer.value.text))
  if (!proof.success) return 'unproven'
  return (await isProven(proof.data, token, nonce, Number(new URL(url).port))) ? 'proven' : 'unproven'
}

function unproven(url: string): string {
  return `the program that answers at ${url} does not prove that it knows this token, so the token was not sent: another program uses the port, or the daemon has another token`
}

/** The view of this configuration's position from the running daemon, or null. */
export async function daemonView(config: LoadedConfig): Promise<DaemonAnswer | null> {
  const path = `/api/v1/state?position=${encodeURIComponent(config.core.name)}`
  const answer = await askDaemon(config, 'GET', path)
  return answer?.status === 200 && !OURS.safeParse(answer.body).success ? null : answer
}

/** Enough to know a position's view by; the rest may be of another version than this command. */
const OURS = viewSchema.pick({ name: true, now: true, tradingState: true })

/** Where the daemon of this configuration listens, as this machine reaches it. */
export function daemonUrl({
  http: { host, port },
}: {
  readonly http: Pick<LoadedConfig['http'], 'host' | 'port'>
}): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Port 0 brings `EADDRNOTAVAIL`: the daemon listens on a free port that is not known here. */
const NOBODY_THERE = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL', 'EHOSTUNREACH', 'ENOTFOUND'])

/** Nobody took the connection. */
function isNobodyThere({ kind, code, wasSent }: Silence): boolean {
  return NOBODY_THERE.has(code) || (kind === 'timeout' && !wasSent)
}

/** Somebody else has the port: a daemon of other positions, or no daemon at all. */
function isOfAnother(status: number, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return true
  // A daemon of ours without a treasury; a command that needs one is refused by it.
  return status === 404 && (body as { readonly error?: unknown }).error !== 'no-treasury'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the program on the port is no daemon of ours.
    return null
  }
}

/**
 * Gives a command to the running daemon of this position. Null = none runs, and the store is free. A store
 * that is held by a process which does not answer is an outcome: nothing may be changed beside that process.
 */
export async function commandDaemon(
  config: LoadedConfig,
  command: CommandName | `treasury/${TreasuryOrderPath | 'stop'}` | `proposals/${'accept' | 'reject'}`,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Outcome | null> {
  const position = config.core.name
  const common = { command, position, via: 'daemon' } as const
  const answer = await askDaemon(config, 'POST', `/api/v1/${command}`, { position, ...body }, headers)
  if (answer !== null) return { ...common, ...judge(answer, command, config) }
  const lock = readLockState(config.store.path)
  if (!lock.ok) return { ...common, via: 'nobody', exitCode: EXIT_CODE.failed, answer: lock.error.message }
  if (!lock.value.held) return null
  const who = lock.value.holder === null ? 'a process' : `process ${lock.value.holder.pid}`
  const why = `${who} holds the store ${config.store.path} and does not answer at ${daemonUrl(config)}; was it started with another http.port?`
  return { ...common, via: 'nobody', exitCode: EXIT_CODE.failed, answer: why }
}

/** 200 = accepted, 409 = refused; 502 and 503 are the daemon's own word on the venue and on itself. */
function judge({ status, body }: DaemonAnswer, command: string, config: LoadedConfig): CommandResult {
  const said = body as { answer?: unknown; message?: unknown; error?: unknown; exitCode?: unknown }
  const words =
    [said.answer, said.message, said.error].find((text) => typeof text === 'string') ?? `status ${status}`
  switch (status) {
    case 200:
      // A stop that the venue does not show yet is in force here, and its answer has what is missing.
      return { exitCode: typeof said.exitCode === 'number' ? said.exitCode : EXIT_CODE.ok, answer: words }
    case 404:
    case 409:
      return { exitCode: EXIT_CODE.refused, answer: words }
    case 502:
      return { exitCode: EXIT_CODE.unconfirmed, answer: words }
    case 400:
      return { exitCode: EXIT_CODE.usage, answer: words }
    case 401:
    case 403:
    case 421: {
      const remedy = `set http.token in ${config.file}, e.g. token: !env MIZANI_HTTP_TOKEN, the same for the daemon and here`
      return {
        exitCode: EXIT_CODE.usage,
        answer: `the daemon at ${daemonUrl(config)} does not accept commands from here (${words}); ${remedy}`,
      }
    }
    case null: {
      const answer = `${words}: the outcome is unknown; check \`status\` before trying again`
      return { exitCode: exitCodeOfSilence(command), answer }
    }
    default:
      return {
        exitCode: typeof said.exitCode === 'number' && said.exitCode !== 0 ? said.exitCode : EXIT_CODE.failed,
        answer: words,
      }
  }
}

/** The operator's name for the journal: the user of this machine, if it has a name. */
export function operatorName(): string {
  try {
    return `${userInfo().username} (command line)`
  } catch {
    // A container may run as a number that no table names.
    return 'command line'
  }
}
