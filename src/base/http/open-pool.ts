import type { Socket } from 'node:net'
import { buildConnector, type Dispatcher, errors, Pool, ProxyAgent } from 'undici'
import type { Ms } from '../time.ts'
import { bareHost, createDialler, type Dialler, type DialWorld } from './dial.ts'
import { proxyFor } from './proxy.ts'

export type PoolOptions = {
  readonly connections: number
  /** Time to connect, including TLS. */
  readonly connectTimeoutMs: Ms
  /** How long an idle connection is kept; 0 = every request opens a new one. */
  readonly keepAliveMs?: Ms
  /** A Unix socket; absent = the host and port of the origin. */
  readonly socketPath?: string
  /** Whether https uses the proxy named in the environment; absent = it does not. */
  readonly mayUseProxy?: boolean
  /** For tests. */
  readonly world?: DialWorld
}

const diallers = new WeakMap<Dispatcher, Pick<Dialler, 'tried'>>()

/** Returns the attempts of the pool's latest connection as a clause; '' before the first. */
export function triedBy(pool: Dispatcher): string {
  return diallers.get(pool)?.tried() ?? ''
}

/** Opens connections to one origin. Through a proxy, an aborted request is reset only as far as the proxy. */
export function openRequestPool(origin: string, options: PoolOptions): Dispatcher {
  const proxy = options.mayUseProxy === true ? proxyFor(origin) : null
  return proxy === null ? openDirect(origin, options) : openThrough(proxy, options)
}

/** Opens TLS to the origin through a proxy tunnel (CONNECT), in which the proxy sees only the host. */
function openThrough(proxy: string, options: PoolOptions): Dispatcher {
  const { origin, host } = new URL(proxy)
  const toProxy = openDirect(origin, options, `through the proxy ${host}: `)
  const agent = new ProxyAgent({
    uri: proxy,
    ...keptOf(options),
    connectTimeout: options.connectTimeoutMs,
    requestTls: VERIFIED,
    clientFactory: () => toProxy,
  })
  diallers.set(agent, { tried: () => triedBy(toProxy) })
  return agent
}

// Regardless of NODE_TLS_REJECT_UNAUTHORIZED.
const VERIFIED = { allowH2: false, rejectUnauthorized: true }

function keptOf({ connections, keepAliveMs = 4_000 }: PoolOptions): Pool.Options {
  // Without pipelining undici keeps no connection.
  return keepAliveMs === 0
    ? { connections, pipelining: 0 }
    : { connections, pipelining: 1, keepAliveTimeout: keepAliveMs }
}

/**
 * Opens connections to one origin that are reset (TCP RST) rather than closed when a request is aborted. After a close
 * the kernel still delivers its queue: a PATCH written during a partition would reach the venue after its sender gave
 * it up or exited. A reset discards the queue. HTTP/2 is off, because aborting one of its requests leaves the
 * connection and its queue open.
 */
function openDirect(origin: string, options: PoolOptions, via = ''): Pool {
  const { connectTimeoutMs, socketPath, world } = options
  const dialler = createDialler(connectTimeoutMs, world, via)
  const connect = connectorOf(dialler, connectTimeoutMs, socketPath)
  const pool = new Pool(origin, { ...keptOf(options), connect })
  diallers.set(pool, dialler)
  return pool
}

/** Interval of keep-alive probes on idle connections. */
const KEEP_ALIVE_MS: Ms = 60_000

function connectorOf(
  { dial }: Dialler,
  timeout: Ms,
  socketPath: string | undefined,
): buildConnector.connector {
  const plain = buildConnector({ timeout, ...VERIFIED, socketPath: socketPath ?? null })
  // A Unix socket has one address and cannot be reset.
  if (socketPath !== undefined) return plain
  return (options, done) => {
    const isSecure = options.protocol === 'https:'
    const port = options.port === '' ? (isSecure ? 443 : 80) : Number(options.port)
    dial(bareHost(options.hostname), port, (error, raw) => {
      if (error !== null) return done(error, null)
      raw.setKeepAlive(true, KEEP_ALIVE_MS)
      if (isSecure) return secure(plain, { ...options, httpSocket: raw }, done)
      resetWhenBrokenOff(raw, raw)
      return done(null, raw)
    })
  }
}

/** A TLS socket cannot be reset, but the TCP socket under it can. */
function secure(
  connector: buildConnector.connector,
  options: buildConnector.Options & { readonly httpSocket: Socket },
  done: buildConnector.Callback,
): void {
  const { httpSocket: raw } = options
  connector(options, (...outcome) => {
    if (outcome[0] === null) resetWhenBrokenOff(outcome[1], raw)
    else raw.destroy()
    done(...outcome)
  })
}

/** Resets the socket when undici destroys it with an error, as it does for every aborted request. */
function resetWhenBrokenOff(socket: Socket, raw: Socket): void {
  const close = socket.destroy.bind(socket)
  // The TLS socket reports the errors of its TCP socket.
  if (raw !== socket) raw.on('error', () => undefined)
  socket.destroy = (error) => {
    // Bytes still in this process are never sent, so their request stays incomplete.
    if (error === undefined || isIdle(error) || raw.destroyed || raw.writableLength > 0) return close(error)
    raw.resetAndDestroy()
    if (raw !== socket) return close(error)
    queueMicrotask(() => socket.emit('error', error))
    return socket
  }
}

/** Returns whether undici closes an idle connection, or a connection after an answer with `connection: close`. */
function isIdle(error: Error): boolean {
  return error instanceof errors.InformationalError && IDLE.has(error.message)
}

const IDLE = new Set(['socket idle timeout', 'reset'])
