import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a server that can be cut as a network is: nothing passes, and no side learns of it. */
export type SeverableLink = {
  readonly port: number
  readonly cut: () => void
  /** Connections that were cut are over for both sides, and new ones pass. */
  readonly heal: () => void
  readonly close: () => void
}

export async function severableLink(target: {
  readonly host: string
  readonly port: number
}): Promise<SeverableLink> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      if (isCut) from.pause()
      else from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        // That a connection has ended does not pass either.
        if (!isCut) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    heal() {
      isCut = false
      for (const socket of sockets) socket.destroy()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
