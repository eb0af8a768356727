import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** A notification that a person received, and when (monotonic ms). */
type Told = {
  readonly at: number
  readonly severity: string
  readonly code: string
  readonly what: string
}

export type Receiver = {
  readonly url: string
  readonly told: readonly Told[]
  readonly close: () => Promise<void>
}

const messageSchema = z.object({ severity: z.string(), code: z.string(), what: z.string() })
const MAX_BYTES = 1_048_576

/** Receives the desk's notifications instead of its channels, on a free port of this machine. */
export async function startReceiver(): Promise<Receiver> {
  const told: Told[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
      if (body.length > MAX_BYTES) request.destroy()
    })
    request.on('end', () => {
      const message = messageSchema.safeParse(jsonOf(body))
      if (message.success) told.push({ at: performance.now(), ...message.data })
      response.statusCode = message.success ? 200 : 400
      response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    told,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // A body that is not JSON is not a notification and is answered with 400.
    return null
  }
}
