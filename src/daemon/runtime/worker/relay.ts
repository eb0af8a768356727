import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import { keyRefusal } from '../../../core/engine/requests/key-access.ts'
import type { VenuePort } from '../../../venue/port.ts'
import type { RelayedAnswer, RelayedRead } from '../../../venue/relay.ts'
import type { RunningPosition } from '../position/run-position.ts'

export type RelayServer = { readonly close: () => void }

type RelayedPosition = Pick<RunningPosition, 'now' | 'admitRequest' | 'state'>

/** A command's line is a few hundred bytes long. */
const MAX_LINE = 4_096
const MAX_CONNECTIONS = 8
/** How long a read waits for room in the budget before it is refused. */
const LONGEST_WAIT_MS = MINUTE_MS + 10 * SECOND_MS

/**
 * Lets commands on this machine read the venue with the daemon's key, within the daemon's budget. The Unix socket is in the store's folder,
 * so only users who may read the store can use it. Each line is one read or one answer. Calls `onFailure` if the socket cannot be created;
 * commands then count their own requests.
 */
export function serveRelay(
  path: string,
  client: Pick<VenuePort, 'readFor'>,
  position: RelayedPosition,
  onFailure: (error: Error) => void,
): RelayServer {
  // We hold the store's lock, so an existing socket is left over from a daemon that has ended.
  rmSync(path, { force: true })
  const server = createServer((socket) => serve(socket, (line) => answerTo(line, client, position)))
  server.maxConnections = MAX_CONNECTIONS
  server.on('error', onFailure)
  server.listen(path, () => chmodSync(path, 0o600))
  server.unref()
  return { close: () => void server.close() }
}

function serve(socket: Socket, answer: (line: string) => Promise<unknown>): void {
  let size = 0
  // Only a pending answer keeps the process alive; a command that disconnects needs no report.
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_LINE) socket.destroy()
  })
  socket.unref()
  createInterface({ input: socket }).on('line', (line) => {
    size = 0
    void answer(line).then((reply) => {
      if (!socket.destroyed) socket.write(`${JSON.stringify(reply)}\n`)
    })
  })
}

async function answerTo(
  line: string,
  client: Pick<VenuePort, 'readFor'>,
  position: RelayedPosition,
): Promise<
  (RelayedAnswer & { readonly tookMs: Ms }) | { readonly refused: string; readonly status?: number }
> {
  const read = parseRead(line)
  if (read === null) return { refused: 'not a read' }
  const budget = read.isPublic ? 'public' : 'key'
  const until = position.now() + LONGEST_WAIT_MS
  while (!position.admitRequest(budget)) {
    // The budget is full of refused requests: another one would be refused too.
    const refused = budget === 'key' ? keyRefusal(position.state()) : null
    if (refused !== null) return { refused, status: 401 }
    if (position.now() >= until) return { refused: 'the budget of the key has no room' }
    await pause(SECOND_MS / 4)
  }
  const began = performance.now()
  const answer = await client.readFor(read)
  return answer === null
    ? { refused: 'no read of this API' }
    : { ...answer, tookMs: performance.now() - began }
}

function parseRead(line: string): RelayedRead | null {
  let parsed: Partial<Record<keyof RelayedRead, unknown>>
  try {
    parsed = (JSON.parse(line) ?? {}) as typeof parsed
  } catch {
    // Not written by one of our commands.
    return null
  }
  const { path, query, isPublic } = parsed
  if (typeof path !== 'string' || typeof isPublic !== 'boolean') return null
  if (typeof query !== 'object' || query === null || Array.isArray(query)) return null
  return { path, query: query as RelayedRead['query'], isPublic }
}
