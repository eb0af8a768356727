import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createThreadLink, type ToThread } from '../../../../src/base/threads/link.ts'

/** A link to a thread that the test plays: `sent` holds what the link has sent to it. */
function linked() {
  const thread = new EventEmitter()
  const sent: ToThread<number, string>[] = []
  const link = createThreadLink<number, string, string, string>(
    { postMessage: (message) => void sent.push(message), on: thread.on.bind(thread) as never },
    (how) => `the thread ${how}`,
  )
  return { thread, sent, link }
}

test('items that are posted to a thread in one turn travel in one message, and a call after them', async () => {
  const { thread, sent, link } = linked()
  link.post(1)
  link.post(2)
  expect(sent).toEqual([])
  await Promise.resolve()
  link.post(3)
  const answer = link.ask('flush')
  expect(sent).toEqual([[1, 2], [3], { type: 'call', id: 1, call: 'flush' }])
  thread.emit('message', { type: 'answer', id: 1, answer: 'done' })
  expect(await answer).toBe('done')
})

test('the first failure of a thread is the only one, and a listener that comes late is called with it', async () => {
  const { thread, sent, link } = linked()
  const received: string[] = []
  link.onFailure((failure) => received.push(failure))
  thread.emit('message', { type: 'failed', failure: 'the disk is full' })
  thread.emit('error', new Error('out of memory'))
  link.fail('another one')
  link.onFailure((failure) => received.push(`late: ${failure}`))
  link.post(1)
  expect(await link.ask('flush')).toBeNull()
  expect(received).toEqual(['the disk is full', 'late: the disk is full'])
  expect(sent).toEqual([])
})

test('a thread that ends by itself is a failure, and its open calls resolve with null', async () => {
  const { thread, link } = linked()
  const failures: string[] = []
  link.onFailure((failure) => failures.push(failure))
  const answer = link.ask('flush')
  thread.emit('exit', 1)
  expect([await answer, failures]).toEqual([null, ['the thread ended by itself']])
  await link.close()
})

test('a link that is closed sends what was posted before, asks the thread to end once, and waits for it', async () => {
  const { thread, sent, link } = linked()
  link.post(1)
  const closed = link.close()
  link.post(2)
  void link.close()
  expect(sent).toEqual([[1], { type: 'close' }])
  thread.emit('message', { type: 'closed' })
  thread.emit('exit', 0)
  await closed
  const failures: string[] = []
  link.onFailure((failure) => failures.push(failure))
  await Promise.resolve()
  expect(failures).toEqual([])
})
