import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createStrangerQueue } from '../../../../../src/daemon/console/server/stranger-queue.ts'

/** A thread whose time passes as the test lets it; each request costs it so many ms and is answered at once, unless told otherwise. */
function threadOf({ costMs, isAnswered = true }: { costMs: number; isAnswered?: boolean }) {
  let [now, activeMs] = [0, 0]
  const timers: { readonly at: number; readonly run: () => void }[] = []
  const handled: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = []
  const compute = (ms: number) => {
    now += ms
    activeMs += ms
  }
  const queue = createStrangerQueue(
    (request, response) => {
      handled.push({ request, response })
      compute(costMs)
      if (isAnswered) queue.answered(request)
    },
    { now: () => now, activeMs: () => activeMs, after: (run, ms) => void timers.push({ at: now + ms, run }) },
  )
  const ask = (lane: 'first' | 'other' = 'other') => {
    const request = new IncomingMessage(new Socket())
    queue.enter[lane](request, new ServerResponse(request))
    return request
  }
  function passUntil(end: number): void {
    for (;;) {
      const next = timers.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= end)
      if (next === undefined) break
      timers.splice(timers.indexOf(next), 1)
      now = Math.max(now, next.at)
      next.run()
    }
    now = Math.max(now, end)
  }
  return { ask, passUntil, handled, queue, activeMs: () => activeMs }
}

describe('the queue of requests without a right token', () => {
  test.each([1, 20, 300])(
    'lets requests of %i ms have a quarter of the time and 100 ms ahead, and then all are answered',
    (costMs) => {
      const { ask, passUntil, handled, activeMs } = threadOf({ costMs })
      for (let n = 0; n < 400; n++) ask()
      passUntil(2_000)
      expect(activeMs()).toBeGreaterThanOrEqual(Math.min(400 * costMs, 500))
      // Several may have begun before the cost of the first was known.
      expect(activeMs()).toBeLessThanOrEqual(100 + 2_000 / 4 + 4 * costMs)
      passUntil(400 * costMs * 5 + 10_000)
      expect(handled).toHaveLength(400)
    },
  )

  test('four that no position answers leave the place to the next ones when their clients go', () => {
    const { ask, passUntil, handled } = threadOf({ costMs: 1, isAnswered: false })
    for (let n = 0; n < 8; n++) ask()
    passUntil(1_000)
    expect(handled).toHaveLength(4)
    for (const { response } of handled.slice(0, 2)) response.emit('close')
    expect(handled).toHaveLength(6)
    const health = ask('first')
    expect(handled.at(-1)?.request).toBe(health)
  })

  test('a client that is gone before its turn costs nothing, and more than 512 that wait are refused', () => {
    const { ask, handled } = threadOf({ costMs: 1, isAnswered: false })
    const requests = Array.from({ length: 516 }, () => ask())
    expect(() => ask()).toThrow('without a token')
    for (const { socket } of requests.slice(4, 516)) socket.destroy()
    for (const { response } of handled.slice(0, 4)) response.emit('close')
    expect(() => ask()).not.toThrow()
    expect(handled).toHaveLength(5)
  })
})
