import { describe, expect, test } from 'vitest'
import { createLeaseRows } from '../../../../../src/daemon/guard/position/lease-rows.ts'
import type { LeaseRow } from '../../../../../src/store/postgres/read-leases.ts'

const WAIT_MS = 4_500

const row = (count: number, change: Partial<LeaseRow> = {}): LeaseRow => ({
  position: 'desk',
  fence: 3,
  count,
  holder: 'id process 1 on one',
  standbys: [],
  ...change,
})

test('The rows of a daemon that renews each 5 s outlive its last renewal by as much, and show no one that is cut off', () => {
  const saw = (rows: ReturnType<typeof createLeaseRows>) => {
    const row = { position: 'desk', fence: 1, holder: 'id process 1', standbys: [] }
    rows.saw({ ...row, count: 1 }, 0)
    rows.renewed(0)
    rows.saw({ ...row, count: 2 }, 5_500)
    return rows.isCutOff(0, 60_000, 5_600)
  }
  expect(saw(createLeaseRows(() => 0, 5_000))).toBe(false)
  expect(saw(createLeaseRows(() => 0))).toBe(true)
})

describe('Lease rows', () => {
  test('show a daemon that lives once its row moves later than its renewals, until the row stands still for D', () => {
    const rows = createLeaseRows(() => 0)
    rows.saw(row(1), 0)
    rows.renewed(0)
    rows.saw(row(2), 2_000)
    expect(rows.isCutOff(0, WAIT_MS, 2_000)).toBe(false)
    rows.saw(row(3), 2_001)
    expect(rows.isCutOff(0, WAIT_MS, 2_001)).toBe(true)
    rows.saw(row(3), 6_000)
    expect(rows.isCutOff(0, WAIT_MS, 6_500)).toBe(true)
    expect(rows.isCutOff(0, WAIT_MS, 6_501)).toBe(false)
  })

  test('show nothing of a holder under another number, of one that was released, or before a renewal was held against them', () => {
    const rows = createLeaseRows(() => 0)
    rows.saw(row(1), 0)
    rows.saw(row(2), 3_000)
    expect(rows.isCutOff(0, WAIT_MS, 3_000)).toBe(false)
    rows.renewed(3_000)
    expect(rows.isCutOff(0, WAIT_MS, 3_000)).toBe(true)
    rows.saw(row(3, { holder: null }), 3_500)
    expect(rows.isCutOff(0, WAIT_MS, 3_500)).toBe(false)
    rows.saw(row(1, { fence: 4 }), 4_000)
    expect(rows.isCutOff(0, WAIT_MS, 4_000)).toBe(false)
  })

  test('that are first read just after the first renewal are those of who renewed, and later ones may be anybody’s', () => {
    for (const [firstAt, isCutOff] of [
      [2_000, true],
      [2_001, false],
    ] as const) {
      const rows = createLeaseRows(() => 0)
      rows.renewed(0)
      rows.saw(row(1), firstAt)
      rows.saw(row(2), 3_000)
      expect(rows.isCutOff(0, WAIT_MS, 3_000)).toBe(isCutOff)
    }
  })

  test('are shown with who holds, when the row moved, who stands by and why they cannot be read', () => {
    let now = 0
    const rows = createLeaseRows(() => now)
    expect(rows.shown(now)).toEqual({ holder: null, movedMs: null, hasStandby: false, unread: null })
    for (now of [0, 1_000])
      rows.saw(row(now, { standbys: [{ holder: 'id process 2 on two', count: now }] }), now)
    rows.couldNotRead('no answer')
    expect(rows.shown(1_200)).toEqual({
      holder: 'process 1 on one',
      movedMs: 200,
      hasStandby: true,
      unread: 'no answer',
    })
    now = 4_500
    rows.saw(row(2_000, { standbys: [{ holder: 'id process 2 on two', count: 1_000 }] }), now)
    expect(rows.shown(now)).toMatchObject({ movedMs: 0, hasStandby: false, unread: null })
  })
})
