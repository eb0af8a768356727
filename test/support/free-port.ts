import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that a system gives to anyone who asks for any: one of those may be given away before it is used here. */
const FROM = 20_000
const TO = 32_000
const MOST_TRIES = 100

/** A port of loopback that no one listens on now, nor will unless it is asked for by its number. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(FROM, TO)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${FROM} to ${TO} is free`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
