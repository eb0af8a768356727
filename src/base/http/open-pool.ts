import type { Socket } from 'node:net'
import { buildConnector, type Dispatcher, errors, Pool, ProxyAgent } from 'undici'
import type { Ms } from '../time.ts'
import { bareHost, createDialler, type Dialler, type DialWorld } from './dial.ts'
import { proxyFor } from './proxy.ts'

export type PoolOptions = {
  readonly connections: number
  /** For the connection alone, TLS included. */
  readonly connectTimeoutMs: Ms
  /** How long a connection is kept for the next request; 0 = each request has a connection of its own. */
  readonly keepAliveMs?: Ms
  /** A Unix socket; absent = the host and port of the origin. */
  readonly socketPath?: string
  /** Whether https goes through the proxy that the environment names; absent = it does not. */
  readonly mayUseProxy?: boolean
  /** Only a test has another one. */
  readonly world?: DialWorld
}

const diallers = new WeakMap<Dispatcher, Pick<Dialler, 'tried'>>()

/** Returns what the latest connection of a pool has tried, as a clause; '' before the first. */
export function triedBy(pool: Dispatcher): string {
  return diallers.get(pool)?.tried() ?? ''
}

/** Connections to one origin; through a proxy, what is broken off is reset as far as the proxy. */
export function openRequestPool(origin: string, options: PoolOptions): Dispatcher {
  const proxy = options.mayUseProxy === true ? proxyFor(origin) : null
  return proxy === null ? openDirect(origin, options) : openThrough(proxy, options)
}

/** TLS to the origin, in a tunnel of the proxy (CONNECT), which sees the host and nothing of the request. */
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

// Whatever NODE_TLS_REJECT_UNAUTHORIZED is.
const VERIFIED = { allowH2: false, rejectUnauthorized: true }

function keptOf({ connections, keepAliveMs = 4_000 }: PoolOptions): Pool.Options {
  // undici keeps no connection where nothing may be pipelined.
  return keepAliveMs === 0
    ? { connections, pipelining: 0 }
    : { connections, pipelining: 1, keepAliveTimeout: keepAliveMs }
}

/**
 * Connections to one origin that are reset (TCP RST), not closed, when a request is broken off. After a plain
 * close the kernel still delivers what it has queued: a PATCH written during a partition reaches the venue
 * after the partition, when its sender has given it up or is gone. A reset discards the queue. HTTP/2 is off,
 * because there a request that is broken off leaves its connection, and what is queued on it, alone.
 */
function openDirect(origin: string, options: PoolOptions, via = ''): Pool {
  const { connectTimeoutMs, socketPath, world } = options
  const dialler = createDialler(connectTimeoutMs, world, via)
  const connect = connectorOf(dialler, connectTimeoutMs, socketPath)
  const pool = new Pool(origin, { ...keptOf(options), connect })
  diallers.set(pool, dialler)
  return pool
}

/** Idle connections ask this often whether the other side still exists. */
const KEEP_ALIVE_MS: Ms = 60_000

function connectorOf(
  { dial }: Dialler,
  timeout: Ms,
  socketPath: string | undefined,
): buildConnector.connector {
  const plain = buildConnector({ timeout, ...VERIFIED, socketPath: socketPath ?? null })
  // A Unix socket has one address, and cannot be reset.
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

/** The TLS socket by itself cannot be reset: the TCP socket under it can. */
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

/** undici destroys a socket with an error whenever a request on it is broken off; that is where it is reset. */
function resetWhenBrokenOff(socket: Socket, raw: Socket): void {
  const close = socket.destroy.bind(socket)
  // What happens to the TCP socket under TLS is reported by the TLS socket.
  if (raw !== socket) raw.on('error', () => undefined)
  socket.destroy = (error) => {
    // Bytes that are still with this process never leave it, so that their request stays incomplete.
    if (error === undefined || isIdle(error) || raw.destroyed || raw.writableLength > 0) return close(error)
    raw.resetAndDestroy()
    if (raw !== socket) return close(error)
    queueMicrotask(() => socket.emit('error', error))
    return socket
  }
}

/** Nothing is under way on this connection: undici ends it after a while, or after an answer with `connection: close`. */
function isIdle(error: Error): boolean {
  return error instanceof errors.InformationalError && IDLE.has(error.message)
}

const IDLE = new Set(['socket idle timeout', 'reset'])
