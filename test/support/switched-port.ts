import { connect, createServer, type Socket } from 'node:net'

/** A port that leads to another one, as an address that moves from one server to the next does. */
export type SwitchedPort = {
  readonly port: number
  /** Cuts what is connected; new connections go to `port`. */
  readonly leadTo: (port: number) => void
  readonly close: () => Promise<void>
}

export async function switchedPort(first: number): Promise<SwitchedPort> {
  let target = first
  const open = new Set<Socket>()
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
  }
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1')
    keep(incoming)
    keep(outgoing)
    incoming.pipe(outgoing).pipe(incoming)
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
  })
  const cut = (): void => open.forEach((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    leadTo(port) {
      target = port
      cut()
    },
    close() {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
