import type { Socket } from 'node:net'
import { buildConnector, errors, Pool } from 'undici'
import type { Ms } from '../base/time.ts'
import { bareHost, createDialler, type Dialler, type DialWorld } from './dial.ts'

export type PoolOptions = {
  readonly connections: number
  /** For the connection alone, TLS included. */
  readonly connectTimeoutMs: Ms
  /** How long a connection is kept for the next request; 0 = each request has a connection of its own. */
  readonly keepAliveMs?: Ms
  /** A Unix socket; absent = the host and port of the origin. */
  readonly socketPath?: string
  /** Only a test has another one. */
  readonly world?: DialWorld
}

const diallers = new WeakMap<Pool, Dialler>()

/** Returns what the latest connection of a pool has tried, as a clause; '' before the first. */
export function triedBy(pool: Pool): string {
  return diallers.get(pool)?.tried() ?? ''
}

/**
 * Connections to one origin that are reset (TCP RST), not closed, when a request is broken off. After a plain
 * close the kernel still delivers what it has queued: a PATCH written during a partition reaches the venue
 * after the partition, when its sender has given it up or is gone. A reset discards the queue. HTTP/2 is off,
 * because there a request that is broken off leaves its connection, and what is queued on it, alone.
 */
export function openPool(
  origin: string,
  { connections, connectTimeoutMs, keepAliveMs = 4_000, socketPath, world }: PoolOptions,
): Pool {
  const dialler = createDialler(connectTimeoutMs, world)
  const pool = new Pool(origin, {
    connections,
    // undici keeps no connection where nothing may be pipelined.
    pipelining: keepAliveMs === 0 ? 0 : 1,
    ...(keepAliveMs === 0 ? {} : { keepAliveTimeout: keepAliveMs }),
    connect: connectorOf(dialler, connectTimeoutMs, socketPath),
  })
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
  // Whatever NODE_TLS_REJECT_UNAUTHORIZED is.
  const verified = { allowH2: false, rejectUnauthorized: true }
  const plain = buildConnector({ timeout, ...verified, socketPath: socketPath ?? null })
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
