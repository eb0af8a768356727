import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../../../src/base/codec.ts'
import { DAY_MS, HOUR_MS } from '../../../../../src/base/time.ts'
import { dayFigures } from '../../../../../src/core/engine/accounting/day.ts'
import type { EngineState } from '../../../../../src/core/engine/model/state.ts'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../../support/taker.ts'

const MIDNIGHT = 20_000 * DAY_MS

function startedBefore(ms: number): Harness {
  const core = coreHarness({ start: MIDNIGHT - ms })
  core.run(10_000)
  return core
}

function fill(core: Harness, dollars: bigint): void {
  bringDollars(core.venue, dollars * USD)
  core.run(10_000)
}

const today = (core: Harness, now = core.now) => dayFigures(core.state(), now)
const total = (core: Harness) => pnl(core.state().book)?.usd.total ?? null

describe('the figures of a day', () => {
  test('are those since the opening on the first day of a position', () => {
    const core = startedBefore(HOUR_MS)
    fill(core, 100n)
    expect(total(core)).toBeGreaterThan(0n)
    expect(today(core)).toEqual({ pnlUsd: total(core), fills: 1 })
  })

  test('begin anew at midnight UTC and leave out what was booked before, to the last unit', () => {
    const core = startedBefore(HOUR_MS)
    fill(core, 100n)
    const before = total(core) ?? 0n
    core.run(HOUR_MS)
    expect(today(core)).toEqual({ pnlUsd: 0n, fills: 0 })
    fill(core, 250n)
    fill(core, 50n)
    expect(today(core)).toEqual({ pnlUsd: (total(core) ?? 0n) - before, fills: 2 })
  })

  test('are nothing after a midnight that brought no event yet', () => {
    const core = startedBefore(HOUR_MS)
    fill(core, 100n)
    expect(today(core, MIDNIGHT + 1)).toEqual({ pnlUsd: 0n, fills: 0 })
  })

  test('outlive a restart within the day', () => {
    const core = startedBefore(HOUR_MS)
    fill(core, 100n)
    core.run(HOUR_MS)
    fill(core, 250n)
    const before = today(core)
    core.restart()
    core.run(10_000)
    expect(today(core)).toEqual(before)
    expect(before?.fills).toBe(1)
  })

  test('leave to the day before what a process finds that did not run at midnight', () => {
    const core = startedBefore(HOUR_MS)
    fill(core, 100n)
    core.now = MIDNIGHT + 2 * HOUR_MS
    core.restart()
    core.run(10_000)
    expect(today(core)).toEqual({ pnlUsd: 0n, fills: 0 })
  })

  test('are unknown in a snapshot of an older version until the next midnight', () => {
    const core = startedBefore(HOUR_MS)
    core.run(2 * HOUR_MS)
    const state = decodeJson(encodeJson(core.state())) as EngineState
    delete state.flow.today
    expect(dayFigures(state, core.now)).toBeNull()
  })
})
