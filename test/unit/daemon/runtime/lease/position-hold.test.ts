import { afterEach, describe, expect, test, vi } from 'vitest'
import { renewalSide } from '../../../../../src/core/lease/shared-renewal.ts'
import { DEFAULT_TERMS } from '../../../../../src/core/lease/terms.ts'
import {
  allGates,
  createPositionHold,
  openPositionHold,
} from '../../../../../src/daemon/runtime/lease/position-hold.ts'
import { momentNow } from '../../../../../src/base/threads/moment-now.ts'

function held() {
  const hold = createPositionHold(DEFAULT_TERMS)
  const side = renewalSide(hold.buffer)
  const renewedAgo = (ms: number) => {
    const { steadyMs, wallMs } = momentNow()
    side.renewed(7, { steadyMs: steadyMs - ms, wallMs: wallMs - Math.floor(ms) })
  }
  return { hold, side, renewedAgo }
}

afterEach(() => vi.useRealTimers())

describe('What the rows in PostgreSQL allow a position to write', () => {
  test('is nothing before they are its own, and nothing that could end after the deadline of the last renewal', () => {
    const { hold, renewedAgo } = held()
    expect(hold.gate.mayStart()).toBe(false)
    renewedAgo(0)
    expect(hold.gate.mayStart()).toBe(true)
    renewedAgo(1_900)
    expect(hold.gate.mayStart()).toBe(true)
    renewedAgo(2_001)
    expect(hold.gate.mayStart()).toBe(false)
    renewedAgo(60_000)
    expect(hold.gate.mayStart()).toBe(false)
    expect(hold.gate.spreadTimeoutMs()).toBe(1_000)
  })

  test('is vouched for by a loop that lives, and by none that stands still or has ended', () => {
    vi.useFakeTimers()
    const { hold, side } = held()
    let isAlive = true
    hold.attach({ isAlive: () => isAlive })
    expect(side.count()).toBe(1)
    vi.advanceTimersByTime(1_000)
    expect(side.count()).toBe(6)
    isAlive = false
    vi.advanceTimersByTime(1_000)
    expect(side.count()).toBe(6)
    isAlive = true
    hold.close()
    vi.advanceTimersByTime(1_000)
    expect(side.count()).toBe(6)
  })

  test('has no rows where the store is a folder, and else the terms of the configuration', () => {
    expect(openPositionHold({ store: { terms: null } as never })).toBeNull()
    const terms = { ...DEFAULT_TERMS, waitMs: 9_000, writeTimeoutMs: 800 }
    expect(openPositionHold({ store: { terms } as never })?.terms).toEqual(terms)
  })
})

describe('Several gates', () => {
  const gate = (mayStart: boolean, limit: number | null) => ({
    mayStart: () => mayStart,
    spreadTimeoutMs: () => limit,
  })

  test('let through what all of them do, within the shortest time', () => {
    expect(allGates([])).toBeUndefined()
    expect(allGates([gate(true, null)])?.spreadTimeoutMs()).toBeNull()
    const both = allGates([gate(true, 1_000), gate(true, 700)])
    expect(both?.mayStart()).toBe(true)
    expect(both?.spreadTimeoutMs()).toBe(700)
    expect(allGates([gate(true, 1_000), gate(false, null)])?.mayStart()).toBe(false)
  })
})
