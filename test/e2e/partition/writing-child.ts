import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import { exchange, type HttpRequest } from '../../../src/base/http/exchange.ts'
import { openRequestPool } from '../../../src/base/http/open-pool.ts'

/**
 * Reads once, so that a connection stands, says so, waits for a line, and then writes with half a second of
 * patience. With `plain` it uses a pool that closes what it gives up, as the control of the test.
 */
const [origin = '', how = ''] = process.argv.slice(2)
const settings = { connections: 1, connectTimeoutMs: 2_000, keepAliveMs: 60_000 }
const pool =
  how === 'plain'
    ? new Pool(origin, { connections: 1, keepAliveTimeout: 60_000 })
    : openRequestPool(origin, settings)
const ask = (method: HttpRequest['method'], body: string | null, timeoutMs: number) =>
  exchange(pool, { method, path: '/spread', headers: {}, body }, { timeoutMs, maxBytes: 1_000 })

const read = await ask('GET', null, 5_000)
process.stdout.write(read.ok ? 'ready\n' : `no connection: ${read.error.words}\n`)
createInterface({ input: process.stdin }).once('line', () => {
  void ask('PATCH', '{"bidBps":50}', 500).then((written) => {
    process.stdout.write(written.ok ? 'answered\n' : `${written.error.kind} ${written.error.wasSent}\n`)
  })
})
setInterval(() => undefined, 60_000)
