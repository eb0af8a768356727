import { describe, expect, test } from 'vitest'
import { createMidSchedule } from '../../../../bench/fleet/mid-schedule.ts'

const parts = { positions: 2, from: 1_000, everyMs: 100, forMs: 200 }

describe('the schedule of mids', () => {
  test('measures a PATCH from the fixed time of its mid and from the answer that had it', () => {
    const schedule = createMidSchedule(parts)
    const jumps: number[] = []
    expect(schedule.moves(0, 999, (bps) => jumps.push(bps))).toBe(false)
    expect(schedule.moves(0, 1_020, (bps) => jumps.push(bps))).toBe(true)
    schedule.answered(0, 1_025)
    schedule.patched(0, 1_030)
    // Position 1 is due half of the interval later.
    expect(schedule.moves(1, 1_049, (bps) => jumps.push(bps))).toBe(false)
    expect(jumps).toEqual([40])
    expect(schedule.result()).toMatchObject({ dueToPatchMs: [30], answerToPatchMs: [5] })
  })

  test('counts a mid without a PATCH as missed, with the time that it has waited, and a poll that skips one too', () => {
    const schedule = createMidSchedule(parts)
    const jumps: number[] = []
    schedule.moves(0, 1_000, () => undefined)
    schedule.answered(0, 1_010)
    expect(schedule.moves(0, 1_100, (bps) => jumps.push(bps))).toBe(true)
    expect(jumps).toEqual([-40])
    expect(schedule.moves(1, 1_160, (bps) => jumps.push(bps))).toBe(true)
    expect(jumps).toEqual([-40, 40, -40])
    expect(schedule.result()).toEqual({
      due: 4,
      missed: 4,
      dueToPatchMs: [100, 100, 100, 100],
      answerToPatchMs: [90],
    })
  })

  test('has the mids of a position that asks for nothing among the missed ones', () => {
    const { due, missed } = createMidSchedule(parts).result()
    expect({ due, missed }).toEqual({ due: 4, missed: 4 })
  })

  test('takes a PATCH that comes before the answer with the new mid for one about an older mid', () => {
    const schedule = createMidSchedule(parts)
    schedule.moves(0, 1_000, () => undefined)
    schedule.patched(0, 1_001)
    schedule.answered(0, 1_002)
    schedule.patched(0, 1_010)
    expect(schedule.result()).toMatchObject({ dueToPatchMs: [10], answerToPatchMs: [8] })
  })
})
