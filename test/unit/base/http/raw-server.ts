import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** How a connection ended, as the server saw it: an orderly close, a reset, or not yet. */
export type Ending = 'open' | 'closed' | 'reset'

type Connection = {
  text: string
  ending: Ending
  /** Its ending, once there is one. */
  readonly ended: Promise<Ending>
  readonly socket: Socket
}

export type RawServer = {
  readonly origin: string
  readonly port: number
  /** What arrived on each connection. */
  readonly connections: readonly Connection[]
  close(): Promise<void>
}

/** A TCP server on loopback that answers with bytes, HTTP or not. `answer` is called once a whole head arrived. */
export async function rawServer(
  answer: (socket: Socket, request: string, connection: number) => void,
): Promise<RawServer> {
  const connections: Connection[] = []
  const server = createServer((socket) => {
    const { promise: ended, resolve } = Promise.withResolvers<Ending>()
    const connection: Connection = { text: '', ending: 'open', ended, socket }
    const number = connections.push(connection) - 1
    socket.on('close', () => resolve(connection.ending))
    let answered = 0
    socket.on('data', (chunk: Buffer) => {
      connection.text += chunk.toString('latin1')
      const heads = connection.text.split('\r\n\r\n').length - 1
      for (; answered < heads; answered += 1) answer(socket, connection.text, number)
    })
    socket.on('end', () => {
      if (connection.ending === 'open') connection.ending = 'closed'
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') connection.ending = 'reset'
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const { socket } of connections) socket.destroy()
      }),
  }
}
