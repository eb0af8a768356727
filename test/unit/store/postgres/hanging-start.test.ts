import { expect, test } from 'vitest'
import { countingSide, createSharedRenewal } from '../../../../src/core/lease/shared-renewal.ts'
import { holdPosition } from '../../../../src/store/postgres/holding.ts'
import type { Connections } from '../../../../src/store/postgres/pool.ts'
import { HOLD_TERMS } from '../../../../src/store/postgres/terms.ts'
import { SYSTEM_TIMING } from '../../../../src/base/threads/timing.ts'

/** A holding on a clock of the test's own: a tick is one second with one sign of life, if there is one. */
function starting() {
  let now = 1_000_000
  let beats = 0
  const pool: Connections = {
    connect: () =>
      Promise.resolve({
        query: () => Promise.resolve([{ rowCount: (beats += 1) && 1 }, { rows: [] }]),
        release: () => undefined,
      }),
  }
  const moment = () => ({ steadyMs: now, wallMs: now })
  const lease = createSharedRenewal()
  const holding = holdPosition({
    pool,
    place: { url: 'postgres://db/x', position: 'desk', folder: '/data' },
    taken: { fence: 7, holder: 'one process 1', sentAt: moment() },
    terms: HOLD_TERMS,
    lease,
    timing: { ...SYSTEM_TIMING, moment },
  })
  /** How many signs of life were sent in so many seconds. */
  async function after(seconds: number, eachSecond: () => void = () => undefined): Promise<number> {
    const before = beats
    for (let second = 0; second < seconds; second += 1) {
      now += 1_000
      eachSecond()
      await holding.renew()
    }
    return beats - before
  }
  return { loop: countingSide(lease), after }
}

test('A start that hangs is vouched for during a minute, and not longer', async () => {
  const { loop, after } = starting()
  loop.step()
  expect(await after(600)).toBe(60)
})

test('A start that continues step by step is vouched for, however long it takes', async () => {
  const { loop, after } = starting()
  expect(await after(600, loop.step)).toBe(600)
  expect(await after(50)).toBe(50)
  loop.step()
  expect(await after(600)).toBe(60)
})

test('While the tables of the store are prepared no one else can show a step, and none is asked for', async () => {
  const { loop, after } = starting()
  expect(await after(300)).toBe(300)
  loop.step()
  expect(await after(300)).toBe(60)
})

test('A start that comes back from a hang shows life again, and the loop vouches from its first count on', async () => {
  const { loop, after } = starting()
  loop.step()
  expect(await after(100)).toBe(60)
  loop.step()
  expect(await after(30)).toBe(30)
  loop.count()
  expect(await after(30)).toBe(1)
  // Steps are those of a start.
  expect(await after(30, loop.step)).toBe(0)
  expect(await after(30, loop.count)).toBe(30)
})
