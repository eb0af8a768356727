import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Consoles, scrapers and scripts of one desk are a few dozen. */
const MOST = 256
/** A few must always get in: health checks and an operator. */
const FEWEST = 16
/** What the rest of the process opens: threads, stores, the venue's connections, files that are read again. */
const KEPT_FOR_OTHERS = 96

/** `waiting` = it has not sent a complete request, or all it sent is answered. */
type Stage = 'waiting' | 'reading' | 'commanding'

/** How many connections this process takes, given how many descriptors it may open. */
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
 * Keeps at most `max` connections open. When one more comes, the oldest without a complete request is closed; where
 * all have one, the oldest that reads. A command under way is never closed for a newcomer.
 */
export function limitConnections(server: Server, max: number): void {
  /** In the order in which each took its stage. */
  const stages = new Map<Socket, Stage>()

  function take(socket: Socket, stage: Stage): void {
    if (!stages.delete(socket)) return
    stages.set(socket, stage)
  }

  server.on('connection', (socket: Socket) => {
    if (stages.size >= max) {
      const victim = oldest(stages, 'waiting') ?? oldest(stages, 'reading')
      if (victim === undefined) return void socket.destroy()
      stages.delete(victim)
      victim.destroy()
    }
    stages.set(socket, 'waiting')
    socket.on('close', () => stages.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const stage = request.method === 'GET' || request.method === 'HEAD' ? 'reading' : 'commanding'
    if (hasBody(request)) request.on('end', () => take(socket, stage))
    else take(socket, stage)
    response.on('close', () => take(socket, 'waiting'))
  })
}

function oldest(stages: ReadonlyMap<Socket, Stage>, stage: Stage): Socket | undefined {
  for (const [socket, its] of stages) if (its === stage) return socket
  return undefined
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
