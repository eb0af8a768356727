import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PositionPort } from '../../../../../src/daemon/console/position-port.ts'
import { createStreamHub } from '../../../../../src/daemon/console/stream/stream-hub.ts'
import { moving, position } from '../console-fixture.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A hub of one position, and readers of it that keep the types of their messages. */
function hubOf(port: PositionPort) {
  const hub = createStreamHub({
    positions: [port],
    summaries: async () => [],
    version: '0.1.0',
    takesCommands: true,
    answerWithinMs: 50,
    reportError: () => undefined,
  })
  const join = () => {
    const sent: string[] = []
    const sink = { send: (text: string) => sent.push(text) > 0, end: () => undefined }
    const leave = hub.join(sink, { positions: null, list: false })
    return { leave, states: () => sent.filter((text) => text.startsWith('event: state\n')).length }
  }
  return { join }
}

describe('the stream', () => {
  test('has a state within two seconds where nothing happens, and not four times a second', async () => {
    const { join } = hubOf(position('a').port)
    const { leave, states } = join()
    await vi.advanceTimersByTimeAsync(4_200)
    expect(states()).toBe(3)
    leave()
  })

  test('asks a position once a tick, however many read, and not at all when no one does', async () => {
    const { asked, port } = moving('a')
    const { join } = hubOf(port)
    const readers = Array.from({ length: 50 }, join)
    await vi.advanceTimersByTimeAsync(0)
    const before = asked.length
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked.length - before).toBe(4)
    expect(Math.min(...readers.map(({ states }) => states()))).toBeGreaterThan(1)
    for (const { leave } of readers) leave()
    const after = asked.length
    await vi.advanceTimersByTimeAsync(600)
    expect(asked.length).toBe(after)
  })
})
