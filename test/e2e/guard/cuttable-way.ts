import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What is swallowed on a way: what is asked, what is answered, or both. */
export type Cut = 'none' | 'both' | 'questions' | 'answers'

/**
 * A way to a port that can be cut in one direction or both: what is under way and what comes then is swallowed, as on a
 * cable without an end. Connections that lost bytes are of no use when it heals, and end.
 */
export async function cuttableWay(to: number) {
  const open = new Set<Socket>()
  let cut: Cut = 'none'
  const server = createServer((near) => {
    open.add(near)
    near.on('error', () => near.destroy())
    near.on('close', () => open.delete(near))
    const far = connect(to, '127.0.0.1')
    open.add(far)
    far.on('error', () => near.destroy())
    far.on('close', () => open.delete(far) && near.destroy())
    near.on('close', () => far.destroy())
    near.on('data', (bytes) => cut === 'both' || cut === 'questions' || far.write(bytes))
    far.on('data', (bytes) => cut === 'both' || cut === 'answers' || near.write(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    cut: (what: Cut) => (cut = what),
    heal() {
      cut = 'none'
      for (const socket of open) socket.destroy()
    },
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
