import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * A way to a port that can be cut: it swallows what is in flight and what comes later, in both directions, as a cable without
 * an end does. Connections that lost bytes end when it heals.
 */
export async function cuttableWay(to: number) {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    open.add(near)
    near.on('error', () => near.destroy())
    near.on('close', () => open.delete(near))
    const far = connect(to, '127.0.0.1')
    open.add(far)
    far.on('error', () => near.destroy())
    far.on('close', () => open.delete(far) && near.destroy())
    near.on('close', () => far.destroy())
    near.on('data', (bytes) => isCut || far.write(bytes))
    far.on('data', (bytes) => isCut || near.write(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    cut: () => (isCut = true),
    heal() {
      isCut = false
      for (const socket of open) socket.destroy()
    },
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
