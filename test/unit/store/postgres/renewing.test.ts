import { expect, test } from 'vitest'
import { renewEvery } from '../../../../src/store/postgres/renewing.ts'
import type { Timing } from '../../../../src/base/threads/timing.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A holding whose signs of life the test answers, and the ticks of its interval. */
function signs() {
  const open: PromiseWithResolvers<boolean>[] = []
  let sent = 0
  let tick = (): void => undefined
  let isCancelled = false
  let look: { readonly ms: number; readonly act: () => void } | null = null
  const timing: Omit<Timing, 'moment'> = {
    after(ms, act) {
      look = { ms, act }
      return () => void (look = null)
    },
    every(_ms, act) {
      tick = act
      return () => void (isCancelled = true)
    },
  }
  const renew = () => {
    sent += 1
    const answer = Promise.withResolvers<boolean>()
    open.push(answer)
    return answer.promise
  }
  const renewing = renewEvery(1_000, { renew, timing: timing as Timing })
  return {
    renewing,
    sent: () => sent,
    tick: () => tick(),
    isCancelled: () => isCancelled,
    answer: async () => {
      open.shift()?.resolve(true)
      await settled()
    },
    /** The loop has not counted: nothing was sent. */
    refuse: async () => {
      open.shift()?.resolve(false)
      await settled()
    },
    looksAgainIn: () => look?.ms ?? null,
    lookAgain: () => {
      const due = look
      look = null
      due?.act()
    },
    fail: async (error: Error) => {
      open.shift()?.reject(error)
      await settled()
    },
  }
}

test('a sign of life that was due while the one before was slow follows it at once, and once', async () => {
  const { tick, sent, answer } = signs()
  tick()
  tick()
  tick()
  expect(sent()).toBe(1)
  await answer()
  expect(sent()).toBe(2)
  await answer()
  expect(sent()).toBe(2)
  tick()
  expect(sent()).toBe(3)
})

test('the first sign of life is sent at once: the answer to the grant may have been slow', async () => {
  const { tick, sent, answer } = signs()
  expect(sent()).toBe(1)
  await answer()
  expect(sent()).toBe(1)
  tick()
  expect(sent()).toBe(2)
})

test('one that a silent loop did not allow leaves as soon as the loop counts, and not a whole interval later', async () => {
  const { tick, sent, answer, refuse, looksAgainIn, lookAgain } = signs()
  await refuse()
  expect([sent(), looksAgainIn()]).toEqual([1, 100])
  lookAgain()
  await refuse()
  expect([sent(), looksAgainIn()]).toEqual([2, 100])
  lookAgain()
  await answer()
  expect([sent(), looksAgainIn()]).toEqual([3, null])
  tick()
  await refuse()
  tick()
  expect([sent(), looksAgainIn()]).toEqual([5, null])
})

test('nothing is looked at again after the end', async () => {
  const { renewing, refuse, looksAgainIn } = signs()
  await refuse()
  renewing.stop()
  expect(looksAgainIn()).toBeNull()
  const late = signs()
  late.renewing.stop()
  await late.refuse()
  expect(late.looksAgainIn()).toBeNull()
})

test('the first failure is final, also where the next one is due', async () => {
  const { renewing, tick, sent, fail, isCancelled } = signs()
  const received: unknown[] = []
  renewing.onLost((error) => received.push(error))
  tick()
  tick()
  const error = new Error('no answer')
  await fail(error)
  expect([sent(), received, isCancelled()]).toEqual([1, [error], true])
})

test('nothing is sent after the end', async () => {
  const { renewing, tick, sent, answer } = signs()
  tick()
  tick()
  renewing.stop()
  await answer()
  expect(sent()).toBe(1)
})
