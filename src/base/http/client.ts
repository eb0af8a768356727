import type { Dispatcher } from 'undici'
import type { Result } from '../result.ts'
import type { Ms } from '../time.ts'
import { exchange, type HttpAnswer, type HttpLimits, type HttpRequest, type Silence } from './exchange.ts'
import { openRequestPool, type PoolOptions } from './open-pool.ts'

export type HttpClientOptions = HttpLimits & {
  /** Maximum number of connections to one origin. */
  readonly connections: number
  /** For the connection alone; absent = the request's own deadline. */
  readonly connectTimeoutMs?: Ms
  /** How long an idle connection is kept; 0 = each request opens a new connection. */
  readonly keepAliveMs?: Ms
  /** A Unix socket for every request; absent = the host and port of the request's origin. */
  readonly socketPath?: string
  /** Whether https uses the proxy named in the environment (HTTPS_PROXY, NO_PROXY); absent = it does not. */
  readonly mayUseProxy?: boolean
  /** For tests. */
  readonly world?: PoolOptions['world']
}

export type HttpCall = HttpRequest & {
  /** Scheme, host and port. */
  readonly origin: string
  /** Absent = the client's timeout. */
  readonly timeoutMs?: Ms
  readonly onChunk?: HttpLimits['onChunk']
  readonly mayStart?: HttpLimits['mayStart']
}

/**
 * Sends every request of this program: to the venue, chains, the remote signer, notification channels, feeds and its
 * own daemon. It holds no secret: each request brings its headers.
 */
export type HttpClient = {
  /** Sends one request and returns its whole answer, or why it has no answer. Never retries. Never rejects. */
  readonly send: (call: HttpCall) => Promise<Result<HttpAnswer, Silence>>
  /** Aborts the requests in flight and closes every connection. */
  readonly close: () => Promise<void>
}

/** Opens a client, which connects to each origin at its first call and keeps the connections. */
export function openHttpClient(options: HttpClientOptions): HttpClient {
  const { timeoutMs, connectTimeoutMs = timeoutMs, ...limits } = options
  const pools = new Map<string, Dispatcher>()
  function poolOf(origin: string): Dispatcher {
    let pool = pools.get(origin)
    if (pool === undefined) {
      pool = openRequestPool(origin, { ...options, connectTimeoutMs })
      pools.set(origin, pool)
    }
    return pool
  }
  return {
    send: ({ origin, timeoutMs: ownTimeoutMs = timeoutMs, onChunk, mayStart, method, path, headers, body }) =>
      exchange(
        poolOf(origin),
        { origin, method, path, headers, body },
        {
          ...limits,
          ...(onChunk === undefined ? {} : { onChunk }),
          ...(mayStart === undefined ? {} : { mayStart }),
          timeoutMs: ownTimeoutMs,
        },
      ),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** Sends one GET without keeping the connection. */
export async function getOnce(url: string, limits: HttpLimits): Promise<Result<HttpAnswer, Silence>> {
  const http = openHttpClient({ connections: 1, ...limits })
  try {
    return await http.send({ ...addressOf(url), method: 'GET', headers: {}, body: null })
  } finally {
    await http.close()
  }
}

/** Returns origin and path of a URL. Throws TypeError for an invalid URL. */
export function addressOf(url: string): { readonly origin: string; readonly path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: `${pathname}${search}` }
}
