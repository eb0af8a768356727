import { describe, expect, test } from 'vitest'
import { DEFAULT_TERMS } from '../../../../src/core/lease/terms.ts'
import { SHARED_PATIENCE_MS } from '../../../../src/daemon/runtime/effects/emergency-widen.ts'
import { attemptMs, HOLD_TERMS } from '../../../../src/store/postgres/terms.ts'

const lastStartMs = DEFAULT_TERMS.deadlineMs - DEFAULT_TERMS.writeTimeoutMs

test('a holder has given up and ended its safe quote before another may begin, while clocks run within 20 %', () => {
  const { waitMs } = HOLD_TERMS
  const lastWriteEnds = (HOLD_TERMS.giveUpMs + lastStartMs) / 2 + SHARED_PATIENCE_MS
  // The holder's clock is the slow one, the candidate's the fast one.
  const off = 0.199
  expect(lastWriteEnds / (1 - off)).toBeLessThan(waitMs / (1 + off))
})

describe('an attempt', () => {
  const { giveUpMs } = HOLD_TERMS

  test('has all the time until the holder gives up', () => {
    expect(attemptMs(HOLD_TERMS, 0)).toBe(giveUpMs)
    expect(attemptMs(HOLD_TERMS, giveUpMs - 200)).toBe(200)
  })

  test('that begins later leaves the safe quote at least half of its time, or does not begin', () => {
    for (let sinceMs = giveUpMs - 199; sinceMs < lastStartMs; sinceMs += 1) {
      const withinMs = attemptMs(HOLD_TERMS, sinceMs)
      if (withinMs === null) expect(sinceMs).toBeGreaterThan(giveUpMs)
      else expect(sinceMs + withinMs).toBeLessThanOrEqual((giveUpMs + lastStartMs) / 2)
    }
    expect(attemptMs(HOLD_TERMS, giveUpMs + 90)).toBeNull()
    expect(attemptMs(HOLD_TERMS, lastStartMs - 1)).toBeNull()
  })

  test('of a process that was stopped until no write may start asks who holds the position', () => {
    expect(attemptMs(HOLD_TERMS, lastStartMs)).toBe(200)
    expect(attemptMs(HOLD_TERMS, 60_000)).toBe(200)
  })
})
