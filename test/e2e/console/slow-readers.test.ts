import { connect } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exampleSummary } from '../../unit/daemon/telemetry/example-summary.ts'
import { consoleOf, moving } from '../../unit/daemon/console/console-fixture.ts'

test('a connection whose headers do not end within seconds is closed', async () => {
  const { port } = await consoleOf()
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.resume()
  socket.write('GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  await new Promise((resolve) => socket.once('close', resolve))
}, 12_000)

describe('the stream', () => {
  test('a reader that does not read costs a bounded buffer, receives what it missed, and disturbs no one', async () => {
    const { listen } = await consoleOf({ positions: [moving('a', { padding: 200_000 }).port] })
    const [slow, quick] = [await listen(), await listen()]
    slow.pause()
    await vi.waitFor(() => expect(quick.messages.length).toBeGreaterThan(40), { timeout: 25_000 })
    const pausedAt = slow.messages.length
    expect(pausedAt).toBeLessThan(quick.messages.length - 10)
    expect(quick.messages.some(({ type }) => type === 'dropped')).toBe(false)
    slow.resume()
    await vi.waitFor(() => expect(slow.messages.some(({ type }) => type === 'dropped')).toBe(true), {
      timeout: 5_000,
    })
    const dropped = slow.messages.find((message) => message.type === 'dropped')
    expect(dropped?.count).toBeGreaterThan(0)
    await vi.waitFor(() => expect(slow.messages.at(-1)?.type).toBe('state'))
    for (const reader of [slow, quick]) reader.leave()
  }, 40_000)

  test('takes twenty readers of one address, a hundred in all, and refuses the next one until one leaves', async () => {
    const { ask, listen } = await consoleOf({ positions: [moving('a').port] })
    const readers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        listen('/api/v1/stream', {}, `127.0.0.${1 + Math.floor(n / 20)}`),
      ),
    )
    expect(readers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))
    const refused = await ask('/api/v1/stream')
    expect([refused.status, refused.json()['error']]).toEqual([503, 'too-many-readers'])
    const refusedElsewhere = await listen('/api/v1/stream', {}, '127.0.0.9')
    expect(refusedElsewhere.status).toBe(503)
    refusedElsewhere.leave()
    readers[0]?.leave()
    await vi.waitFor(async () => {
      const again = await listen()
      again.leave()
      expect(again.status).toBe(200)
    })
    for (const reader of readers) reader.leave()
  })

  test('sends the whole list to a reader that was too slow for a change of it', async () => {
    const long = 'x'.repeat(3_000_000)
    let n = 0
    const summaries = async () => [
      exampleSummary({ why: [long, String(n++)] }),
      exampleSummary({ name: 'quiet' }),
    ]
    const { listen } = await consoleOf({ summaries })
    const reader = await listen('/api/v1/stream?list=true')
    reader.pause()
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    reader.resume()
    await vi.waitFor(() => expect(reader.messages.map(({ type }) => type)).toContain('dropped'), 5_000)
    const lists = () => reader.messages.filter((message) => message.type === 'summaries')
    await vi.waitFor(() => expect(lists().some(({ whole }) => whole)).toBe(true), 5_000)
    expect(
      lists()
        .find(({ whole }) => whole)
        ?.positions.map(({ name }) => name),
    ).toEqual(['desk-1', 'quiet'])
    reader.leave()
  }, 20_000)
})
