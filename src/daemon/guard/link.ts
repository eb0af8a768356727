import type { Agent, ClientRequest, RequestOptions } from 'node:http'
import { isIP } from 'node:net'
import { connect as secure } from 'node:tls'
import type { Duplex } from 'node:stream'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { DialError, lateText } from '../../base/http/dial.ts'
import { DialledStream } from '../../base/http/dialled-stream.ts'
import { PlainAgent, request, requestSecure, SecureAgent } from '../../base/http/node-http.ts'
import { runAfter } from '../../base/threads/timing.ts'

/**
 * An HTTP client for the small guard process, built on Node's own client. A request that times out is reset (TCP RST) instead of closed,
 * because after a plain close the kernel still delivers queued data (see `base/http/open-pool.ts`).
 */
export type Link = {
  /** Sends one request and returns the complete answer. Does not retry or follow redirects. Never rejects. */
  readonly send: (call: LinkCall) => Promise<Result<LinkAnswer, string>>
  readonly close: () => void
}

export type LinkCall = {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Null = no body. */
  readonly body: string | null
  /** For the whole exchange, including connecting. */
  readonly timeoutMs: Ms
}

export type LinkAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

type LinkOptions = {
  /** The CA certificates to trust, PEM; absent = Node's defaults. */
  readonly ca?: string
  readonly maxBytes: number
  readonly connections: number
}

/** At least as long as any request; the request's own deadline ends it sooner. */
const DIAL_MS: Ms = 600_000
/** A large fleet needs most of its connections only when all of its positions act at once. */
const MOST_IDLE = 8

/** The TCP socket under each TLS socket: only the TCP socket can be reset. */
const underneath = new WeakMap<Duplex, DialledStream>()

export function openLink(origin: string, { ca, maxBytes, connections }: LinkOptions): Link {
  const { protocol, hostname, port } = new URL(origin)
  const isSecure = protocol === 'https:'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const idle = Math.min(connections, MOST_IDLE)
  const limits = { keepAlive: true, maxSockets: connections, maxFreeSockets: idle }
  const agent = isSecure ? secureAgent(ca, limits) : plainAgent(limits)
  const where: RequestOptions = { host, port: port === '' ? (isSecure ? 443 : 80) : Number(port), agent }
  return {
    send: (call) =>
      new Promise((resolve) => {
        const { method, path, headers, body } = call
        const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
        const options = { ...where, method, path, headers: { ...headers, ...length } }
        perform(isSecure ? requestSecure(options) : request(options), call, maxBytes, resolve)
      }),
    close: () => agent.destroy(),
  }
}

function plainAgent(limits: object): Agent {
  const agent = new PlainAgent(limits)
  agent.createConnection = (options) => {
    const { host = '', port } = options as { readonly host?: string; readonly port: number }
    return new DialledStream(DIAL_MS).connect(port, host)
  }
  return agent
}

function secureAgent(ca: string | undefined, limits: object): Agent {
  const agent = new SecureAgent(limits)
  agent.createConnection = (options) => {
    const { host = '', port } = options as { readonly host?: string; readonly port: number }
    const raw = new DialledStream(DIAL_MS).connect(port, host)
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket = secure({
      socket: raw,
      host,
      rejectUnauthorized: true,
      ...name,
      ...(ca === undefined ? {} : { ca }),
    })
    raw.on('error', (error) => socket.destroy(error))
    underneath.set(socket, raw)
    return socket
  }
  return agent
}

function perform(
  request: ClientRequest,
  { body, timeoutMs }: LinkCall,
  maxBytes: number,
  resolve: (result: Result<LinkAnswer, string>) => void,
): void {
  let isOver = false
  const timer = runAfter(() => fail(lateText(timeoutMs, dialledOf(request.socket)?.tried() ?? '')), timeoutMs)

  function end(result: Result<LinkAnswer, string>): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    resolve(result)
  }

  function fail(words: string): void {
    if (isOver) return
    end(err(words))
    dialledOf(request.socket)?.resetAndDestroy()
    request.destroy()
  }

  request.on('error', (error) =>
    fail(error instanceof DialError ? error.message : `no answer (${codeOf(error)})`),
  )
  request.on('response', (response) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) fail(`the answer is larger than ${maxBytes} bytes`)
      else chunks.push(chunk)
    })
    response.on('error', (error) => fail(`the answer broke off (${codeOf(error)})`))
    response.on('aborted', () => fail('the answer broke off'))
    response.on('end', () => {
      const { statusCode = 0, headers } = response
      end(ok({ status: statusCode, headers, text: Buffer.concat(chunks).toString('utf8') }))
    })
  })
  request.end(body ?? undefined)
}

function dialledOf(socket: Duplex | null): DialledStream | null {
  const raw = socket === null ? socket : (underneath.get(socket) ?? socket)
  return raw instanceof DialledStream ? raw : null
}

/** Returns only the error code: the message could contain request data. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'UNKNOWN'
}
