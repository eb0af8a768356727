import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { firstMessage } from '../../../../src/base/threads/first-message.ts'

test('what comes before the first message is seen as often as it comes, without a listener for each', async () => {
  const worker = new EventEmitter()
  const before: string[] = []
  const first = firstMessage<string>(worker, null, (message) => {
    if (message !== 'opened') before.push(message)
    return message !== 'opened'
  })
  for (let n = 1; n <= 40; n += 1) {
    worker.emit('message', `it waits ${n}`)
    await Promise.resolve()
  }
  expect(['message', 'error', 'exit'].map((name) => worker.listenerCount(name))).toEqual([1, 1, 1])
  worker.emit('message', 'opened')
  worker.emit('message', 'something else')
  expect(await first).toEqual({ ok: true, value: 'opened' })
  expect(before).toHaveLength(40)
  expect(before.at(-1)).toBe('it waits 40')
})

test('a thread that ends or throws before its first message is reported as that, also after it has waited', async () => {
  const [ending, throwing] = [new EventEmitter(), new EventEmitter()]
  const isBefore = () => true
  const [ended, threw] = [firstMessage(ending, null, isBefore), firstMessage(throwing, null, isBefore)]
  for (const worker of [ending, throwing]) worker.emit('message', 'it waits')
  ending.emit('exit')
  throwing.emit('error', 'broken')
  expect(await ended).toEqual({ ok: false, error: { how: 'ended' } })
  expect(await threw).toEqual({ ok: false, error: { how: 'threw', error: 'broken' } })
})
