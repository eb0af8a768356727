import { describe, expect, test } from 'vitest'
import type { NoticeRow, StreamMessage } from '../../../../src/daemon/console/answers.ts'
import type { LookSince } from '../../../../src/daemon/console/position-port.ts'
import { consoleOf, moving, position, WITH_TOKEN } from './console-fixture.ts'

type State = Extract<StreamMessage, { type: 'state' }>

function isState(message: StreamMessage, name: string): message is State {
  return message.type === 'state' && message.position === name
}

const notice = (id: string, text: string): NoticeRow => ({ id, t: 1, kind: 'alert', severity: 'info', text })

describe('the stream', () => {
  test('begins with hello and the states, and continues with what changes', async () => {
    const { listen } = await consoleOf({ positions: [moving('a').port, moving('b').port] })
    const reader = await listen()
    expect(reader.status).toBe(200)
    expect(reader.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(reader.headers['cache-control']).toBe('no-store')
    await reader.when((message) => isState(message, 'a') && message.view.lastSeq > 2)
    expect(reader.messages[0]).toMatchObject({
      type: 'hello',
      version: '0.1.0',
      positions: ['a', 'b'],
      takesCommands: true,
    })
    const seqs = reader.messages.flatMap((message) => (isState(message, 'a') ? [message.view.lastSeq] : []))
    expect(seqs.length).toBeGreaterThan(1)
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
    reader.leave()
  })

  test('brings a notice once to everybody, and none from before', async () => {
    const notices = [notice('1.0', 'old')]
    const { listen } = await consoleOf({ positions: [moving('a', { notices }).port] })
    const readers = [await listen(), await listen()]
    const seqAt = async (seq: number) => {
      for (const { when } of readers)
        await when((message) => isState(message, 'a') && message.view.lastSeq >= seq)
    }
    await seqAt(2)
    notices.push(notice('2.0', '<script>alert(1)</script>\n\nevent: forged'))
    // Two later looks: one that brings the notice, and one that could bring it again.
    await seqAt(5)
    for (const { messages, leave } of readers) {
      const told = messages.flatMap((message) => (message.type === 'notice' ? [message.notice.text] : []))
      // A line end inside a text is escaped by JSON: no one can forge a message of the stream.
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
    expect(await reader.when(({ type }) => type === 'silent')).toEqual({
      type: 'silent',
      position: 'a',
      why: 'restarting',
    })
    hangs = false
    await reader.when((message) => isState(message, 'a'))
    reader.leave()
  })

  test('a position that fails to answer is reported, is silent, and takes nothing from the others', async () => {
    const broken = position('a', { look: async () => Promise.reject(new Error('worker gone')) }).port
    const { listen, errors } = await consoleOf({ positions: [broken, moving('b').port] })
    const reader = await listen()
    await reader.when(({ type }) => type === 'silent')
    await reader.when((message) => isState(message, 'b'))
    expect(errors[0]).toEqual(new Error('worker gone'))
    reader.leave()
  })

  test('of one position has that one only; of an unknown one it is refused', async () => {
    const { ask, listen } = await consoleOf({ positions: [moving('a').port, moving('b').port] })
    const reader = await listen('/api/v1/stream?position=b')
    await reader.when((message) => isState(message, 'b') && message.view.lastSeq > 1)
    expect(reader.messages.every((message) => !('position' in message) || message.position === 'b')).toBe(
      true,
    )
    reader.leave()
    expect((await ask('/api/v1/stream?position=c')).status).toBe(404)
  })

  test('ends when the server closes, and closing does not wait for readers', async () => {
    const { listen, close } = await consoleOf({ positions: [moving('a').port] })
    const reader = await listen()
    await close()
    await reader.ended
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
