import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, ListenOptions, Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { err, ok, type Result } from '../result.ts'
import { SECOND_MS, type Ms } from '../time.ts'
import { createSecureServer, createServer } from './node-http.ts'
import { runAfter, runEvery } from '../threads/timing.ts'

export type ConnectionLimits = {
  /** Connections at a time. Half of them stay free for clients that have not shown a token yet. */
  readonly most: number
  /** For the headers of a request, and for a request with its body. */
  readonly headersMs: Ms
  readonly requestMs: Ms
  /** Between two requests. */
  readonly idleMs: Ms
  /** For a client to read an answer, without and with a right token. */
  readonly readMs: Ms
  readonly knownReadMs: Ms
}

/** The client of a request. */
export type Visitor = {
  /** It has shown a right token; a command keeps its connection until it is answered. */
  readonly admit: (isCommand: boolean) => void
  /** Delay of a refusal, so that strangers keep each turn of the loop short. */
  readonly waitMs: () => Ms
}

/** `unknown`: without a right token; `commanding`: its command is being carried out. */
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

/** Most of them let strangers wait: accepting the same ones again and again costs more. */
const MOST = 4_096
/** The kernel's queue: libuv accepts one connection in each turn of the loop. */
const QUEUE = 4_096
/**
 * A loop that computes for more of its time than this accepts too slowly. For a while strangers then wait: with their next request, and longer
 * for a refusal, because a client that is cut comes again and is then in the queue before an operator.
 */
const BUSY = 0.5
/** Consoles, scrapers and scripts are fewer connections than these. */
const CROWD = 32
const BUSY_FOR_MS = 2 * SECOND_MS
const PAUSE_MS = SECOND_MS
const REFUSAL_MS = 10 * SECOND_MS
const LOOK_MS = SECOND_MS / 4
/** A few must always get in: health checks and an operator. */
const FEWEST = 16
/** Descriptors for the rest of the process: threads, stores, the venue's connections, files that are read again. */
const KEPT_FOR_OTHERS = 96
/** No client of ours sends a request before the last one is answered, and one chunk may hold thousands. */
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

/** The soft limit of open files; null = unlimited, or a system that does not show it. */
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
 * An HTTP server whose connections are bounded in number and in time. A full one drops the oldest connection without a right
 * token: nothing else counts in favour of a client. The connection of a command is never dropped for another one.
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
  // The same connection: from here on its TLS socket is read, measured and destroyed.
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
    // What it sends meanwhile waits in the kernel.
    if (connection.rank === 'unknown' && isBusy() && !hasBody(request)) connection.socket.pause()
  })
  return server
}

/** Returns whether the loop has been busy within the last seconds; calls `look` while the server listens. */
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
      Math.min(LOOK_MS, mostMs),
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

/** The parser reads a whole chunk whatever happens to its connection, so this blanks a chunk that holds hundreds of requests. */
function shed(connection: Connection): void {
  connection.socket.prependListener('data', (chunk: Buffer) => {
    if (connection.rank === 'unknown' && hasMany(chunk)) chunk.fill(0)
  })
}

/** Returns whether more requests begin in the chunk than a client may send ahead. */
function hasMany(chunk: Buffer): boolean {
  let at = 0
  for (let count = 0; count <= MOST_PIPELINED; count++) {
    at = chunk.indexOf(' HTTP/1.', at) + 1
    if (at === 0) return false
  }
  return true
}

/** A TLS socket has the address of the TCP socket under it; clients of a Unix socket have none. */
function keyOf(socket: Socket): Key {
  const { remoteAddress, remotePort } = socket
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort}`
}

/** Returns whether a connection was dropped. */
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
  // In the order in which they last showed a token.
  if (!connections.delete(connection.key)) return
  connections.set(connection.key, connection)
  connection.rank = isCommand ? 'commanding' : 'known'
  let known = 0
  for (const { rank } of connections.values()) if (rank === 'known') known += 1
  // A token that only reads must not keep an operator out either.
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

/** Listens, and returns the port, 0 for a Unix socket. */
export function listenOn(server: Server, where: ListenOptions): Promise<Result<number, Error>> {
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(err(error)))
    server.listen({ backlog: QUEUE, ...where }, () => {
      // Once it listens, an error belongs to one connection.
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
