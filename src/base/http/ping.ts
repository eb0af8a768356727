import type { ClientRequest, RequestOptions } from 'node:http'
import { isIP } from 'node:net'
import { connect as secure } from 'node:tls'
import { err, ok, type Result } from '../result.ts'
import type { Ms } from '../time.ts'
import { bareHost } from './dial.ts'
import { DialledStream } from './dialled-stream.ts'
import { request, requestSecure } from './node-http.ts'
import { runAfter } from '../threads/timing.ts'

/** Why a ping failed, for the operator; never contains the address. */
type PingFailure = string

/**
 * Sends one GET to an outside dead-man service. Any 2xx is a success; the body is not read. A redirect is a failure,
 * because a service that moved may not be the watched one. Never retries and never rejects; one deadline covers
 * everything, including the name look-up. No failure contains the address, which is a secret. Needs only Node, so that
 * a small process can ping too.
 */
export function ping(url: string, timeoutMs: Ms): Promise<Result<null, PingFailure>> {
  return new Promise((resolve) => {
    let request: ClientRequest | null = null
    const timer = runAfter(() => end(err(`no answer within ${timeoutMs} ms`)), timeoutMs)
    function end(result: Result<null, PingFailure>): void {
      clearTimeout(timer)
      resolve(result)
      request?.destroy()
    }
    try {
      request = open(url, timeoutMs)
      request.on('response', ({ statusCode = 0 }) => end(judge(statusCode)))
      // Stays after the end, because an aborted connection reports an error.
      request.on('error', (error) => end(err(`no answer (${codeOf(error)})`)))
      request.end()
    } catch (error) {
      end(err(`no answer (${codeOf(error)})`))
    }
  })
}

function open(url: string, timeoutMs: Ms): ClientRequest {
  const { protocol, hostname, port } = new URL(url)
  const [host, isSecure] = [bareHost(hostname), protocol === 'https:']
  const options: RequestOptions = {
    method: 'GET',
    headers: { 'user-agent': 'mizani' },
    createConnection() {
      const socket = new DialledStream(timeoutMs).connect(Number(port) || (isSecure ? 443 : 80), host)
      const name = isIP(host) === 0 ? { servername: host } : {}
      return isSecure ? secure({ socket, host, rejectUnauthorized: true, ...name }) : socket
    },
  }
  return isSecure ? requestSecure(url, options) : request(url, options)
}

function judge(status: number): Result<null, PingFailure> {
  if (status >= 200 && status < 300) return ok(null)
  if (status >= 300 && status < 400)
    return err(`it answered ${status}, a redirect; use the address it redirects to`)
  return err(`it answered ${status}`)
}

/** Node's messages may contain the address; its codes do not. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return typeof code === 'string' ? code : 'UNKNOWN'
}

/** The signal of a ping: healthy, started, or failed. */
export type PingSignal = 'well' | 'start' | 'fail'

/** Returns the address for a signal by the convention of healthchecks.io: `/start` and `/fail` after the path. */
export function pingAddress(url: string, signal: PingSignal): string {
  if (signal === 'well') return url
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${signal}`
  return address.href
}
