import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { openHttpClient } from '../../../src/base/http/client.ts'

/** Listens and accepts no connection for `ms`: the kernel drops SYNs beyond the backlog, and clients send them again after a second. */
const SLOW = `
  const { createServer } = require('node:net')
  const { workerData, parentPort } = require('node:worker_threads')
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nok'))
  })
  server.listen({ port: workerData.port, host: workerData.host, backlog: 1 }, () => {
    parentPort.postMessage('listening')
    setImmediate(() => Atomics.wait(new Int32Array(workerData.held), 0, 0, workerData.ms))
  })`

async function slowAddress(host: string, port: number, ms: number): Promise<void> {
  const held = new SharedArrayBuffer(4)
  const worker = new Worker(SLOW, { eval: true, workerData: { host, port, ms, held } })
  onTestFinished(async () => void (await worker.terminate()))
  await once(worker, 'message')
  // Two fill a backlog of one.
  const fillers: Socket[] = [1, 2].map(() => connect({ host, port }))
  onTestFinished(() => fillers.forEach((filler) => filler.destroy()))
  await Promise.all(fillers.map((filler) => once(filler, 'connect')))
}

test('a host is reached whose addresses need longer than 250 ms to connect, and within one deadline', async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  await slowAddress('127.0.0.2', port, 600)
  await slowAddress('127.0.0.3', port, 60_000)
  const world = { lookUp: () => Promise.resolve(['127.0.0.2', '127.0.0.3']) }
  const http = openHttpClient({ connections: 1, timeoutMs: 8_000, maxBytes: 1_000, world })
  onTestFinished(http.close)
  const began = performance.now()
  const origin = `http://desk.example:${port}`
  const answer = await http.send({ origin, method: 'GET', path: '/', headers: {}, body: null })
  expect(answer).toMatchObject({ ok: true, value: { text: 'ok' } })
  expect(performance.now() - began).toBeGreaterThan(500)
})
