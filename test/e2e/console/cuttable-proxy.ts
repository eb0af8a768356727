import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type CuttableProxy = {
  readonly url: string
  /** Drops what is open and refuses what comes; `restore` lets it through again. */
  readonly cut: () => Promise<void>
  readonly restore: () => Promise<void>
  /** Keeps the connections open and passes nothing on, as a cable does that was pulled. */
  readonly freeze: (frozen: boolean) => void
  readonly close: () => Promise<void>
}

/** A wire between the page and the daemon that a test can cut. */
export async function cuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let isFrozen = false
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    if (isFrozen) socket.pause()
  }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    keep(near)
    keep(far)
    near.on('data', (data) => far.write(data)).on('close', () => far.destroy())
    far.on('data', (data) => near.write(data)).on('close', () => near.destroy())
  })
  const listen = (at: number) =>
    new Promise<void>((resolve) => server.listen(at, '127.0.0.1', () => resolve()))
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
  await listen(0)
  const { port: ours } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${ours}/`,
    cut,
    restore: () => listen(ours),
    freeze(frozen) {
      isFrozen = frozen
      for (const socket of open) {
        if (frozen) socket.pause()
        else socket.resume()
      }
    },
    close: async () => (server.listening ? cut() : undefined),
  }
}
