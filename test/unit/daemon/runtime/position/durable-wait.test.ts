import { describe, expect, test } from 'vitest'
import { createDurableWait } from '../../../../../src/daemon/runtime/position/durable-wait.ts'

describe('Who waits for the disk', () => {
  test('is answered in the order of the events, each once its own event is there', async () => {
    const wait = createDurableWait()
    const answered: number[] = []
    const waiting = [3, 4, 7].map((seq) =>
      wait.until(seq).then((isDurable) => answered.push(isDurable ? seq : -seq)),
    )
    wait.release(2)
    await Promise.resolve()
    expect(answered).toEqual([])
    wait.release(4)
    await Promise.all(waiting.slice(0, 2))
    expect(answered).toEqual([3, 4])
    wait.release(9)
    await Promise.all(waiting)
    expect(answered).toEqual([3, 4, 7])
    expect(await wait.until(9)).toBe(true)
  })

  test('is not answered with yes where the position ended before', async () => {
    const wait = createDurableWait()
    const before = wait.until(5)
    wait.release(4)
    wait.close()
    expect(await before).toBe(false)
    expect(await wait.until(5)).toBe(false)
    expect(await wait.until(4)).toBe(true)
  })
})
