import { expect, test, vi } from 'vitest'
import { createJournalLoop } from '../../../../src/daemon/runtime/journal-loop.ts'

/** A loop whose core asks for one effect per event; the test plays the disk. */
function loopOnDisk(onOutcome?: (outcome: string) => void) {
  let seq = 0
  let release: (durableSeq: number) => void = () => undefined
  const performed: string[] = []
  const outcomes: string[] = []
  const errors: unknown[] = []
  const loop = createJournalLoop<string, string, string, string>({
    append: () => (seq += 1),
    onDurable: (listener) => void (release = listener),
    process: (at, event) => `${event} ${at}`,
    effectsOf: (audit) => [audit],
    async perform(effect) {
      performed.push(effect)
      return effect
    },
    onOutcome: onOutcome ?? ((outcome) => void outcomes.push(outcome)),
    onError: (error) => void errors.push(error),
    onWake: () => undefined,
    now: () => 0,
  })
  return { loop, performed, outcomes, errors, release: (durableSeq: number) => release(durableSeq) }
}

test('effects are performed in order once the disk has their event, and their outcomes follow', async () => {
  const { loop, performed, outcomes, release } = loopOnDisk()
  for (const event of ['a', 'b', 'c']) loop.submit(event)
  expect(performed).toEqual([])
  release(2)
  await Promise.resolve()
  expect([performed, outcomes]).toEqual([
    ['a 1', 'b 2'],
    ['a 1', 'b 2'],
  ])
})

test('after a stop no effect is performed, and no outcome of an earlier one is taken', async () => {
  const { loop, performed, outcomes, release } = loopOnDisk()
  for (const event of ['a', 'b']) loop.submit(event)
  release(1)
  loop.stop()
  release(2)
  await Promise.resolve()
  expect([performed, outcomes, loop.waitedMs()]).toEqual([['a 1'], [], Number.POSITIVE_INFINITY])
})

test('a wait for the disk ends in the order of the events, each once its own event is on disk', async () => {
  const { loop, release } = loopOnDisk()
  const answered: number[] = []
  const waiting = [3, 4, 7].map((seq) =>
    loop.whenDurable(seq).then((isDurable) => answered.push(isDurable ? seq : -seq)),
  )
  release(2)
  await Promise.resolve()
  expect(answered).toEqual([])
  release(4)
  await Promise.all(waiting.slice(0, 2))
  expect(answered).toEqual([3, 4])
  release(9)
  await Promise.all(waiting)
  expect(answered).toEqual([3, 4, 7])
  expect(await loop.whenDurable(9)).toBe(true)
})

test('a wait for an event that is not on disk ends with false when the loop stops', async () => {
  const { loop, release } = loopOnDisk()
  const before = loop.whenDurable(5)
  release(4)
  loop.stop()
  expect(await before).toBe(false)
  expect(await loop.whenDurable(5)).toBe(false)
  expect(await loop.whenDurable(4)).toBe(true)
})

test('what the processing of an outcome throws is reported as an error of the loop', async () => {
  const broken = new Error('the journal is closed')
  const { loop, errors, release } = loopOnDisk(() => {
    throw broken
  })
  loop.submit('a')
  release(1)
  await vi.waitFor(() => expect(errors).toEqual([broken]))
})
