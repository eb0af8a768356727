import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** How a connection ended, as the server saw it: an orderly close, a reset, or not yet. */
export type Ending = 'open' | 'closed' | 'reset'

export type RawServer = {
  readonly origin: string
  readonly port: number
  /** What arrived on each connection. */
  readonly connections: readonly { text: string; ending: Ending; readonly socket: Socket }[]
  close(): Promise<void>
}

/** A TCP server on loopback that answers with bytes, HTTP or not. `answer` is called once a whole head arrived. */
export async function rawServer(
  answer: (socket: Socket, request: string, connection: number) => void,
): Promise<RawServer> {
  const connections: { text: string; ending: Ending; readonly socket: Socket }[] = []
  const server = createServer((socket) => {
    const connection = { text: '', ending: 'open' as Ending, socket }
    const number = connections.push(connection) - 1
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
