import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../../src/daemon/runtime/position/clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const START = 1_800_000_000_000

/** A machine whose clock is set by hand; `pass` lets time go by on both of its clocks. */
function machine() {
  const it = {
    wall: START,
    passed: 0,
    pass(ms: number) {
      it.wall += ms
      it.passed += ms
    },
  }
  const clock = systemClock(
    () => it.wall,
    () => it.passed,
  )
  const jumps: number[] = []
  clock.onJump((aheadMs) => jumps.push(aheadMs))
  return { it, clock, jumps }
}

describe('the clock of a position', () => {
  it("is the machine's clock while that runs as time passes", () => {
    const { it: box, clock } = machine()
    expect(clock.now()).toBe(START)
    box.pass(1_500)
    expect(clock.now()).toBe(START + 1_500)
    // A time service slews by half a millisecond a second.
    box.wall += 400
    expect(clock.now()).toBe(START + 1_900)
  })

  it.each([
    ['forward by three days', 3 * DAY_MS],
    ['forward by two minutes', 120_000],
    ['back by an hour', -HOUR_MS],
  ])('does not follow a machine’s clock that jumps %s, and reports it once', async (_, jump) => {
    const { it: box, clock, jumps } = machine()
    box.wall += jump
    for (let second = 1; second <= 600; second++) {
      box.pass(1_000)
      expect(clock.now()).toBe(START + second * 1_000)
    }
    await Promise.resolve()
    expect(jumps).toEqual([jump])
    expect(clock.wall()).toBe(START + 600_000 + jump)
  })

  it('one jump forward and back again slows nothing: no second is lost or gained', async () => {
    const { it: box, clock, jumps } = machine()
    box.wall += 3 * DAY_MS
    box.pass(60_000)
    expect(clock.now()).toBe(START + 60_000)
    box.wall -= 3 * DAY_MS
    for (let second = 1; second <= 600; second++) {
      box.pass(1_000)
      expect(clock.now()).toBe(START + 60_000 + second * 1_000)
    }
    await Promise.resolve()
    expect(jumps).toEqual([3 * DAY_MS, 0])
  })

  it.each([40_000, -40_000])('makes up for %d ms within minutes, and never goes back', (off) => {
    const { it: box, clock, jumps } = machine()
    box.wall += off
    let last = clock.now()
    for (let second = 1; second <= 120; second++) {
      box.pass(1_000)
      const now = clock.now()
      expect(now - last).toBeGreaterThanOrEqual(500)
      expect(now - last).toBeLessThanOrEqual(2_000)
      last = now
    }
    expect(last).toBe(box.wall)
    expect(jumps).toEqual([])
  })

  it('begins no earlier than what the journal has seen, and at full pace however far ahead that is', async () => {
    const { it: box, clock, jumps } = machine()
    clock.notBefore(START + 3 * DAY_MS)
    expect(clock.now()).toBe(START + 3 * DAY_MS)
    box.pass(2_000)
    expect(clock.now()).toBe(START + 3 * DAY_MS + 2_000)
    clock.notBefore(START)
    expect(clock.now()).toBe(START + 3 * DAY_MS + 2_000)
    await Promise.resolve()
    expect(jumps).toEqual([-3 * DAY_MS])
  })
})
