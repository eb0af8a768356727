import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, ListenOptions, Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { err, ok, type Result } from '../result.ts'
import { SECOND_MS, type Ms } from '../time.ts'
import { createSecureServer, createServer } from './node-http.ts'
import { runAfter, runEvery } from '../threads/timing.ts'

export type ConnectionLimits = {
  /** Maximum number of connections. Half of them are reserved for clients that have not shown a token yet. */
  readonly most: number
  /** Time for the headers of a request, and for a request with its body. */
  readonly headersMs: Ms
  readonly requestMs: Ms
  /** Idle time between two requests. */
  readonly idleMs: Ms
  /** Time for a client to read an answer, without and with a valid token. */
  readonly readMs: Ms
  readonly knownReadMs: Ms
}

/** The client of a request. */
export type Visitor = {
  /** Records that the client showed a valid token; the connection of a command is kept until it is answered. */
  readonly admit: (isCommand: boolean) => void
  /** Delay of a refusal, so that unauthenticated clients occupy little of each loop turn. */
  readonly waitMs: () => Ms
}

/** `unknown`: no valid token; `commanding`: its command is being executed. */
type Rank = 'unknown' | 'known' | 'commanding'
type Key = Socket | string
type Connection = {
  readonly key: Key
  readonly socket: Socket
  rank: Rank
  underWay: number
  unreadSince: Ms | null
}
type Connections = Map<Key, Connection>

/** At most this many unauthenticated clients wait: accepting them again and again costs more. */
const MOST = 4_096
/** The kernel's accept queue: libuv accepts one connection per loop turn. */
const QUEUE = 4_096
/**
 * Above this share of busy time the loop accepts too slowly. Unauthenticated clients then wait for their next request,
 * and longer for a refusal: a client that is dropped reconnects at once and queues before an operator.
 */
const BUSY = 0.5
/** Consoles, scrapers and scripts use fewer connections than this. */
const CROWD = 32
const BUSY_FOR_MS = 2 * SECOND_MS
const PAUSE_MS = SECOND_MS
const REFUSAL_MS = 10 * SECOND_MS
const POLL_MS = SECOND_MS / 4
/** Always admits a few connections: health checks and an operator. */
const FEWEST = 16
/** File descriptors for the rest of the process: threads, stores, venue connections, reloaded files. */
const KEPT_FOR_OTHERS = 96
/** Our clients never send a request before the previous one is answered, and one chunk may hold thousands. */
const MOST_PIPELINED = 4

const DEFAULTS: Omit<ConnectionLimits, 'most'> = {
  headersMs: 5 * SECOND_MS,
  requestMs: 10 * SECOND_MS,
  idleMs: 30 * SECOND_MS,
  readMs: 10 * SECOND_MS,
  knownReadMs: 60 * SECOND_MS,
}

/** Returns the maximum number of connections for a limit of open file descriptors. */
export function connectionLimit(softLimit: number | null = descriptorLimit()): number {
  if (softLimit === null) return MOST
  return Math.max(FEWEST, Math.min(MOST, softLimit - KEPT_FOR_OTHERS))
}

/** Returns the soft limit of open files; null = unlimited or unknown. */
function descriptorLimit(): number | null {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found === null ? null : Number(found[1])
  } catch {
    // Only Linux has this file.
    return null
  }
}

/**
 * Creates an HTTP server that bounds its connections in number and time. A full server drops the oldest connection
 * without a valid token, and never the connection of a command.
 */
export function createLimitedServer(
  answer: (request: IncomingMessage, response: ServerResponse, visitor: Visitor) => void,
  limits: Partial<ConnectionLimits> = {},
  tls: TlsOptions | null = null,
): Server {
  const all = { most: connectionLimit(), ...DEFAULTS, ...limits }
  const options = {
    headersTimeout: all.headersMs,
    requestTimeout: all.requestMs,
    keepAliveTimeout: all.idleMs,
    connectionsCheckingInterval: Math.min(SECOND_MS, all.headersMs),
  }
  const server =
    tls === null
      ? createServer(options)
      : createSecureServer({ ...options, ...tls, handshakeTimeout: all.headersMs })
  const connections: Connections = new Map()
  const isLoopBusy = watchLoop(server, all.readMs, () => cutUnread(connections, all))
  const isBusy = () => isLoopBusy() && connections.size > CROWD
  const visitorOf = (connection: Connection): Visitor => ({
    admit: (isCommand) => admit(connections, connection, isCommand, all.most),
    waitMs: () => (isBusy() ? REFUSAL_MS : 0),
  })
  server.on('connection', (socket: Socket) => {
    if (connections.size >= all.most && !makeRoom(connections)) return void socket.destroy()
    const connection = take(connections, socket)
    if (tls === null) shed(connection)
  })
  // The same connection: from now on its TLS socket is read, measured and destroyed.
  if (tls !== null) server.on('secureConnection', (socket: Socket) => shed(take(connections, socket)))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(keyOf(request.socket))
    if (connection === undefined) return
    connection.rank = 'unknown'
    connection.underWay += 1
    if (connection.underWay > MOST_PIPELINED)
      return dropAfter(isBusy() ? REFUSAL_MS : 0, connections, connection)
    response.once('close', () => {
      connection.underWay -= 1
      if (connection.rank === 'commanding') connection.rank = 'known'
      if (connection.socket.isPaused())
        runAfter(() => connection.socket.resume(), isBusy() ? REFUSAL_MS : PAUSE_MS).unref()
    })
    answer(request, response, visitorOf(connection))
    // Data that it sends meanwhile waits in the kernel.
    if (connection.rank === 'unknown' && isBusy() && !hasBody(request)) connection.socket.pause()
  })
  return server
}

/** Returns a function that reports whether the loop was busy lately; calls `look` while the server listens. */
function watchLoop(server: Server, mostMs: Ms, look: () => void): () => boolean {
  let busyUntil = 0
  let before = performance.eventLoopUtilization()
  server.once('listening', () => {
    const timer = runEvery(
      () => {
        const { utilization } = performance.eventLoopUtilization(before)
        before = performance.eventLoopUtilization()
        if (utilization > BUSY) busyUntil = performance.now() + BUSY_FOR_MS
        look()
      },
      Math.min(POLL_MS, mostMs),
    )
    timer.unref()
    server.once('close', () => clearInterval(timer))
  })
  return () => performance.now() < busyUntil
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function take(connections: Connections, socket: Socket): Connection {
  const key = keyOf(socket)
  const connection: Connection = { key, socket, rank: 'unknown', underWay: 0, unreadSince: null }
  connections.set(key, connection)
  socket.once('close', () => {
    if (connections.get(key) === connection) connections.delete(key)
  })
  return connection
}

/** The parser finishes a chunk even after its connection was destroyed, so a chunk of many requests is blanked. */
function shed(connection: Connection): void {
  connection.socket.prependListener('data', (chunk: Buffer) => {
    if (connection.rank === 'unknown' && hasMany(chunk)) chunk.fill(0)
  })
}

/** Returns whether the chunk begins more requests than a client may pipeline. */
function hasMany(chunk: Buffer): boolean {
  let at = 0
  for (let count = 0; count <= MOST_PIPELINED; count++) {
    at = chunk.indexOf(' HTTP/1.', at) + 1
    if (at === 0) return false
  }
  return true
}

/** A TLS socket has the address of its TCP socket; clients of a Unix socket have no address. */
function keyOf(socket: Socket): Key {
  const { remoteAddress, remotePort } = socket
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort}`
}

/** Drops a connection if possible; returns whether it did. */
function makeRoom(connections: Connections): boolean {
  const victim = oldest(connections, 'unknown') ?? oldest(connections, 'known')
  if (victim !== undefined) drop(connections, victim)
  return victim !== undefined
}

function oldest(connections: Connections, wanted: Rank): Connection | undefined {
  for (const connection of connections.values()) if (connection.rank === wanted) return connection
  return undefined
}

function drop(connections: Connections, { key, socket }: Connection): void {
  connections.delete(key)
  socket.destroy()
}

function dropAfter(ms: Ms, connections: Connections, connection: Connection): void {
  if (ms === 0) return drop(connections, connection)
  connection.socket.pause()
  runAfter(() => drop(connections, connection), ms).unref()
}

function admit(connections: Connections, connection: Connection, isCommand: boolean, most: number): void {
  // Keeps the map in the order of the latest valid token.
  if (!connections.delete(connection.key)) return
  connections.set(connection.key, connection)
  connection.rank = isCommand ? 'commanding' : 'known'
  let known = 0
  for (const { rank } of connections.values()) if (rank === 'known') known += 1
  // A read-only token must not lock an operator out either.
  const victim = known > most / 2 ? oldest(connections, 'known') : undefined
  if (victim !== undefined) drop(connections, victim)
}

function cutUnread(
  connections: Connections,
  { readMs, knownReadMs }: Pick<ConnectionLimits, 'readMs' | 'knownReadMs'>,
): void {
  const now = performance.now()
  for (const connection of connections.values()) {
    const { socket, rank } = connection
    connection.unreadSince = socket.writableLength === 0 ? null : (connection.unreadSince ?? now)
    const { unreadSince } = connection
    if (unreadSince !== null && now - unreadSince >= (rank === 'unknown' ? readMs : knownReadMs))
      drop(connections, connection)
  }
}

/** Listens, and resolves with the port, 0 for a Unix socket. */
export function listenOn(server: Server, where: ListenOptions): Promise<Result<number, Error>> {
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(err(error)))
    server.listen({ backlog: QUEUE, ...where }, () => {
      // Once the server listens, an error concerns one connection.
      server.removeAllListeners('error').on('error', () => undefined)
      const address = server.address() as AddressInfo | string
      resolve(ok(typeof address === 'string' ? 0 : address.port))
    })
  })
}

/** Stops listening and drops every connection; resolves when the port is free. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
