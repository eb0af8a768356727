import { describe, expect, test } from 'vitest'
import { createVouching, type Beat } from '../../../../../src/daemon/runtime/host/external-heartbeats.ts'

const SILENT_MS = 60_000
const beat = (durableSeq: number | null, position = 'desk-1', ended: string | null = null): Beat => ({
  position,
  durableSeq,
  ended,
})

describe('a position vouches by its own loop', () => {
  test('while the number of its last event on disk grows', () => {
    const judge = createVouching(SILENT_MS)
    for (const [now, seq] of [
      [0, 1],
      [59_000, 1],
      [61_000, 2],
      [120_999, 2],
      [121_000, 3],
    ] as const)
      expect(judge([beat(seq)], now)).toEqual([])
  })

  test('and no longer once it has journalled nothing for a minute, however well its thread answers', () => {
    const judge = createVouching(SILENT_MS)
    judge([beat(7)], 0)
    expect(judge([beat(7)], 59_999)).toEqual([])
    expect(judge([beat(7)], 75_000)).toEqual(['desk-1 has journalled no event for 75 s'])
    expect(judge([beat(8)], 76_000)).toEqual([])
  })

  test('not while it does not answer, and not after it has ended', () => {
    const judge = createVouching(SILENT_MS)
    expect(judge([beat(null)], 0)).toEqual(['desk-1 does not answer'])
    expect(judge([beat(9, 'desk-1', 'the disk is full')], 1)).toEqual(['desk-1 has ended: the disk is full'])
  })

  test('for itself alone: one silent position of many is named', () => {
    const judge = createVouching(SILENT_MS)
    judge([beat(1, 'a'), beat(1, 'b')], 0)
    expect(judge([beat(2, 'a'), beat(1, 'b')], 60_000)).toEqual([expect.stringMatching(/^b .* 60 s$/)])
  })

  test('a number that went back is a restart from the journal, and one that was removed is forgotten', () => {
    const judge = createVouching(SILENT_MS)
    judge([beat(50)], 0)
    expect(judge([beat(48)], 70_000)).toEqual([])
    judge([], 71_000)
    expect(judge([beat(48)], 200_000)).toEqual([])
  })
})
