import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'

const HOUR_MS = 3_600_000
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
  return { it, clock }
}

describe('the clock of a position', () => {
  it("is the machine's clock, also after that was set forward", () => {
    const { it: box, clock } = machine()
    expect(clock.now()).toBe(START)
    box.pass(1_500)
    expect(clock.now()).toBe(START + 1_500)
    box.wall += HOUR_MS
    expect(clock.now()).toBe(START + 1_500 + HOUR_MS)
  })

  it("goes on, and never back, when the machine's clock is set back; the two meet again", () => {
    const { it: box, clock } = machine()
    box.wall -= HOUR_MS
    let last = clock.now()
    expect(last).toBe(START)
    for (let minute = 1; minute <= 180; minute++) {
      box.pass(60_000)
      const now = clock.now()
      expect(now - last).toBeGreaterThanOrEqual(30_000)
      last = now
    }
    expect(last).toBe(box.wall)
  })

  it('begins no earlier than what the journal has seen', () => {
    const { it: box, clock } = machine()
    clock.notBefore(START + HOUR_MS)
    expect(clock.now()).toBe(START + HOUR_MS)
    box.pass(2_000)
    expect(clock.now()).toBe(START + HOUR_MS + 1_000)
    clock.notBefore(START)
    expect(clock.now()).toBe(START + HOUR_MS + 1_000)
  })
})
