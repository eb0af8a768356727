import { describe, expect, test, vi } from 'vitest'
import type { NoticeRow } from '../../../src/console/api/answers.ts'
import type { Look, LookSince } from '../../../src/console/position-port.ts'
import { exampleView } from '../telemetry/example-view.ts'
import { consoleOf, position, WITH_TOKEN } from './console-fixture.ts'

/** A position that moves: its view has a new number at every look. */
function moving(name: string, more: { readonly padding?: number; readonly notices?: NoticeRow[] } = {}) {
  const asked: LookSince[] = []
  let seq = 0
  const reasons = more.padding === undefined ? [] : ['x'.repeat(more.padding)]
  const look = async (since: LookSince): Promise<Look> => {
    asked.push(since)
    seq += 1
    const view = exampleView({ name, lastSeq: seq, now: Date.now(), reasons })
    const notices = (more.notices ?? []).filter(({ id }) => since.notice !== null && id > since.notice)
    return { view, notices, lastNotice: more.notices?.at(-1)?.id ?? null }
  }
  return { asked, port: position(name, { look }).port }
}

const notice = (id: string, text: string): NoticeRow => ({ id, t: 1, kind: 'alert', severity: 'info', text })

describe('the stream', () => {
  test('begins with hello and the states, and goes on with what changes', async () => {
    const { listen } = await consoleOf({ positions: [moving('a').port, moving('b').port] })
    const reader = await listen()
    expect(reader.status).toBe(200)
    expect(reader.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(reader.headers['cache-control']).toBe('no-store')
    await vi.waitFor(() => expect(reader.messages.length).toBeGreaterThan(6))
    expect(reader.messages[0]).toMatchObject({
      type: 'hello',
      version: '0.1.0',
      positions: ['a', 'b'],
      takesCommands: true,
    })
    const seqs = reader.messages.flatMap((message) =>
      message.type === 'state' && message.position === 'a' ? [message.view.lastSeq] : [],
    )
    expect(seqs.length).toBeGreaterThan(1)
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
    reader.leave()
  })

  test('has a state within two seconds where nothing happens, and not four times a second', async () => {
    const quiet = vi.fn(position('a').port.look)
    const { listen } = await consoleOf({ positions: [position('a', { look: quiet }).port] })
    const reader = await listen()
    await new Promise((resolve) => setTimeout(resolve, 4_200))
    const states = reader.messages.filter(({ type }) => type === 'state').length
    expect(states).toBeGreaterThanOrEqual(3)
    expect(states).toBeLessThanOrEqual(4)
    reader.leave()
  }, 10_000)

  test('asks a position once a tick, however many read, and not at all when nobody does', async () => {
    const { asked, port } = moving('a')
    const { listen } = await consoleOf({ positions: [port] })
    const readers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => listen('/api/v1/stream', {}, `127.0.0.${1 + Math.floor(n / 20)}`)),
    )
    const [before, began] = [asked.length, performance.now()]
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const ticks = (performance.now() - began) / 250
    expect(asked.length - before).toBeLessThanOrEqual(Math.ceil(ticks) + 1)
    const states = readers.map(({ messages }) => messages.filter(({ type }) => type === 'state').length)
    expect(Math.min(...states)).toBeGreaterThan(1)
    for (const reader of readers) reader.leave()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const after = asked.length
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(asked.length).toBe(after)
  }, 10_000)

  test('brings a notice once to everybody, and none from before', async () => {
    const notices = [notice('1.0', 'old')]
    const { listen } = await consoleOf({ positions: [moving('a', { notices }).port] })
    const readers = [await listen(), await listen()]
    await vi.waitFor(() => expect(readers[1]?.messages.length).toBeGreaterThan(2))
    notices.push(notice('2.0', '<script>alert(1)</script>\n\nevent: forged'))
    await new Promise((resolve) => setTimeout(resolve, 900))
    for (const { messages, leave } of readers) {
      const told = messages.flatMap((message) => (message.type === 'notice' ? [message.notice.text] : []))
      // A line end inside a text is escaped by JSON: nobody can forge a message of the stream.
      expect(told).toEqual(['<script>alert(1)</script>\n\nevent: forged'])
      leave()
    }
  })

  test('says that a position is silent, and shows it again when it answers', async () => {
    let hangs = true
    const good = moving('a').port
    const look = (since: LookSince) => (hangs ? new Promise<never>(() => {}) : good.look(since))
    const health = () => ({ alive: false, why: 'restarting' })
    const { listen } = await consoleOf({ positions: [position('a', { look, health }).port] })
    const reader = await listen()
    await vi.waitFor(() =>
      expect(reader.messages).toContainEqual({ type: 'silent', position: 'a', why: 'restarting' }),
    )
    hangs = false
    await vi.waitFor(() => expect(reader.messages.at(-1)?.type).toBe('state'))
    reader.leave()
  })

  test('a position that fails to answer is reported, is silent, and takes nothing from the others', async () => {
    const broken = position('a', { look: async () => Promise.reject(new Error('worker gone')) }).port
    const { listen, errors } = await consoleOf({ positions: [broken, moving('b').port] })
    const reader = await listen()
    await vi.waitFor(() => {
      const types = reader.messages.map(({ type }) => type)
      expect(types).toContain('silent')
      expect(types).toContain('state')
    })
    expect(errors[0]).toEqual(new Error('worker gone'))
    reader.leave()
  })

  test('of one position has that one only; of an unknown one it is refused', async () => {
    const { ask, listen } = await consoleOf({ positions: [moving('a').port, moving('b').port] })
    const reader = await listen('/api/v1/stream?position=b')
    await vi.waitFor(() => expect(reader.messages.length).toBeGreaterThan(2))
    expect(reader.messages.every((message) => !('position' in message) || message.position === 'b')).toBe(
      true,
    )
    reader.leave()
    expect((await ask('/api/v1/stream?position=c')).status).toBe(404)
  })

  test('a reader that does not read costs a bounded buffer, is told what it missed, and disturbs nobody', async () => {
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

  test('ends when the server closes, and closing does not wait for readers', async () => {
    const { listen, close } = await consoleOf({ positions: [moving('a').port] })
    const reader = await listen()
    const began = performance.now()
    await close()
    await reader.ended
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  test('is open on loopback and wants the token elsewhere; a HEAD opens nothing', async () => {
    const { ask, listen } = await consoleOf({ host: '0.0.0.0' })
    expect((await listen('/api/v1/stream')).status).toBe(401)
    const reader = await listen('/api/v1/stream', WITH_TOKEN)
    expect(reader.status).toBe(200)
    reader.leave()
    expect((await ask('/api/v1/stream', { method: 'HEAD', headers: WITH_TOKEN })).status).toBe(404)
  })
})
