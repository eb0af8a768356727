import { expect, test } from 'vitest'
import { createCalls, type NumberedCall } from '../../../../src/base/threads/calls.ts'
import { workerUrl } from '../../../../src/base/threads/first-message.ts'

function played() {
  const sent: NumberedCall<string>[] = []
  return { calls: createCalls<string, string>(), sent, thread: { postMessage: sent.push.bind(sent) } }
}

test('answers find their calls by number, in whatever order they come', async () => {
  const { calls, sent, thread } = played()
  const both = [calls.ask(thread, 'a'), calls.ask(thread, 'b')]
  expect(sent.map(({ id, call }) => [id, call])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ])
  calls.answered({ type: 'answer', id: 2, answer: 'to b' })
  calls.answered({ type: 'answer', id: 1, answer: 'to a' })
  expect(await Promise.all(both)).toEqual(['to a', 'to b'])
})

test('a call that is late resolves by itself, its answer is dropped, and other calls stay open', async () => {
  const { calls, thread } = played()
  const late = calls.ask(thread, 'a', { withinMs: 1, onLate: () => 'late' })
  const other = calls.ask(thread, 'b')
  expect(await late).toBe('late')
  calls.answered({ type: 'answer', id: 1, answer: 'too late' })
  calls.abandon('the thread has ended')
  expect(await other).toBe('the thread has ended')
})

test('a worker is a path in a checkout and lies beside the bundle in an image', () => {
  const inCheckout = workerUrl(
    'file:///app/src/daemon/runtime/host/supervisor.ts',
    '../worker/trading-worker',
  )
  expect(inCheckout.href).toBe('file:///app/src/daemon/runtime/worker/trading-worker.ts')
  const inImage = workerUrl('file:///app/chunk-abc.js', '../worker/trading-worker')
  expect(inImage.href).toBe('file:///app/trading-worker.js')
})
