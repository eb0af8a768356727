import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { askDaemonAt } from '../../src/daemon/console/ask-daemon.ts'
import { consoleOf, position } from '../unit/daemon/console/console-fixture.ts'
import { freshFolder } from '../unit/store/store-fixture.ts'

test('a socket that accepts and never answers costs a halt 3 s once, and then the port takes it', async () => {
  const { port: desk, given } = position('desk-1')
  const { port } = await consoleOf({ positions: [desk] })
  const socket = join(freshFolder(), 'operator.sock')
  const silent = createServer(() => undefined)
  await new Promise<void>((listening) => silent.listen(socket, listening))
  onTestFinished(() => void silent.close())
  const place = { url: `http://127.0.0.1:${port}`, token: 'right-token', socket }
  const halt = async () => {
    const began = performance.now()
    expect(await askDaemonAt(place, 'POST', '/api/v1/halt', {})).toMatchObject({ status: 200 })
    return performance.now() - began
  }
  const tookMs = [await halt(), await halt()]
  expect(tookMs[0]).toBeGreaterThan(2_500)
  expect(tookMs[0]).toBeLessThan(6_000)
  expect(tookMs[1]).toBeLessThan(2_000)
  expect(given).toHaveLength(2)
}, 20_000)
