import { describe, expect, it } from 'vitest'
import { coreConfig } from '../../../support/core-config.ts'
import { type Harness, runCore } from '../../../support/core-harness.ts'
import { bringDollars, bringShillings, NTZS, USD } from '../../../support/taker.ts'
import type { Fill } from '../../../../src/core/ledger/fills/fill.ts'

const SAFE = { bidBps: 500, askBps: 500 }
const TRADING = { bidBps: 60, askBps: 60 }
const SECOND = 1_000

/** What each fill does to the venue's balances beyond what its row reports. */
type Lie = (venue: Harness['venue'], fill: Fill) => void

type Desk = {
  readonly one: Harness
  /** A fill a second, on either side in turn, for so many seconds. */
  readonly trade: (seconds: number, lie?: Lie) => void
  /** Since the first fill with a lie in it: when the safe quote stood, and when trading was halted. */
  readonly seen: { safeAfterMs: number | null; haltedAfterMs: number | null }
}

/** A desk in steady flow whose rows show so long after the balances, in this order. */
function desk(options: { rowsLateMs?: number; order?: (rows: Fill[]) => Fill[] } = {}): Desk {
  const one = runCore(10 * SECOND, { config: { risk: { ...coreConfig().risk, onHalt: 'safe' } } })
  const shown = new Set<string>()
  const seen: Desk['seen'] = { safeAfterMs: null, haltedAfterMs: null }
  let liedAt: number | null = null
  one.venue.answers.readFills = () => {
    const until = one.now - (options.rowsLateMs ?? 0)
    const rows = one.venue.fills.filter(({ id, createdAt }) => !shown.has(id) && (createdAt ?? 0) <= until)
    for (const { id } of rows) shown.add(id)
    const fills = options.order?.(rows) ?? rows
    return { type: 'fills', sentAt: one.now, fills, quarantined: [], repeated: 1, windowFull: false }
  }
  let count = 0
  const trade = (seconds: number, lie?: Lie) => {
    for (let n = 0; n < seconds; n += 1) {
      count += 1
      const fill =
        count % 2 === 0 ? bringShillings(one.venue, 75_000n * NTZS) : bringDollars(one.venue, 30n * USD)
      one.venue.fills[one.venue.fills.length - 1] = { ...fill, createdAt: one.now }
      if (lie !== undefined) {
        lie(one.venue, fill)
        liedAt ??= one.now
      }
      one.run(SECOND)
      if (liedAt === null) continue
      if (one.venue.held.bidBps === SAFE.bidBps) seen.safeAfterMs ??= one.now - liedAt
      if (one.state().latch.halted !== null) seen.haltedAfterMs ??= one.now - liedAt
    }
  }
  return { one, trade, seen }
}

const gaps = ({ observations }: Harness) =>
  observations.filter((seen) => seen.type === 'reconciliationChanged' && seen.state === 'break')

describe('under steady flow', () => {
  it('a leak of 1 bp of each fill is at the safe quote within 45 s and halted within 90 s', () => {
    const { one, trade, seen } = desk()
    trade(60)
    expect(one.venue.held).toMatchObject(TRADING)
    trade(90, (venue, { inAsset, amountIn }) => {
      venue.amounts[inAsset] -= amountIn / 10_000n
    })
    expect(seen.safeAfterMs).toBeLessThanOrEqual(45 * SECOND)
    expect(seen.haltedAfterMs).toBeLessThanOrEqual(90 * SECOND)
    expect(one.state().latch.halted).toMatchObject({ rule: 'unexplained-balance' })
  })

  it('rows that come 8 s after the balances neither widen nor halt, for ten minutes', () => {
    const { one, trade } = desk({ rowsLateMs: 8 * SECOND })
    trade(600)
    expect(gaps(one)).toEqual([])
    expect(one.venue.held).toMatchObject(TRADING)
    expect(one.state().latch.halted).toBeNull()
    one.run(60 * SECOND)
    expect(one.state().reconciliation).toMatchObject({ state: 'reconciled', pending: [] })
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
  })

  it('a leak is found although every row comes 8 s after the balances', () => {
    const { one, trade, seen } = desk({ rowsLateMs: 8 * SECOND })
    trade(60)
    trade(95, (venue, { inAsset, amountIn }) => {
      venue.amounts[inAsset] -= amountIn / 10_000n
    })
    expect(seen.safeAfterMs).toBeLessThanOrEqual(50 * SECOND)
    expect(seen.haltedAfterMs).toBeLessThanOrEqual(90 * SECOND)
    expect(gaps(one)).not.toEqual([])
  })

  it('rows that come late and out of order neither widen nor halt', () => {
    const held: Fill[] = []
    // Every third row waits for the next poll and comes after rows that were executed later.
    const order = (rows: Fill[]) => {
      const late = held.splice(0)
      held.push(...rows.filter((_, n) => n % 3 === 0))
      return [...rows.filter((_, n) => n % 3 !== 0).toReversed(), ...late]
    }
    const { one, trade } = desk({ rowsLateMs: 3 * SECOND, order })
    trade(300)
    expect(gaps(one)).toEqual([])
    expect(one.venue.held).toMatchObject(TRADING)
    one.run(30 * SECOND)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
  })

  it('balances that stay what they were while fills go on are a break', () => {
    const { one, trade } = desk()
    trade(30)
    const old = { ...one.venue.amounts }
    one.venue.answers.readBalances = () => ({ type: 'balances', sentAt: one.now, amounts: old, source: null })
    trade(90)
    expect(one.state().latch.halted).toMatchObject({ rule: 'unexplained-balance' })
  })

  it('one old answer of a cache between good ones is neither a break nor a reason to widen', () => {
    const { one, trade } = desk()
    trade(30)
    const old = { ...one.venue.amounts }
    trade(30)
    let isOld = true
    one.venue.answers.readBalances = () => {
      const amounts = isOld ? old : { ...one.venue.amounts }
      isOld = false
      return { type: 'balances', sentAt: one.now, amounts, source: null }
    }
    trade(120)
    expect(isOld).toBe(false)
    expect(gaps(one)).toEqual([])
    expect(one.venue.held).toMatchObject(TRADING)
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it('readings that are true and false in turn are halted within 90 s', () => {
    const { one, trade } = desk()
    trade(30)
    let isFalse = false
    one.venue.answers.readBalances = () => {
      isFalse = !isFalse
      const amounts = { ...one.venue.amounts }
      if (isFalse) amounts.NTZS -= 1_000n * NTZS
      return { type: 'balances', sentAt: one.now, amounts, source: null }
    }
    trade(90)
    expect(one.state().latch.halted).toMatchObject({ rule: 'unexplained-balance' })
  })

  it('a leak that hides behind the daemon being moved in and out of the market is halted in the end', () => {
    const { one, trade } = desk()
    trade(30)
    for (let turns = 0; turns < 12 && one.state().latch.halted === null; turns += 1) {
      trade(15, (venue, { inAsset, amountIn }) => {
        venue.amounts[inAsset] -= amountIn / 10_000n
      })
      // What voids every reading so far: the venue confirms one more activation.
      one.give({ type: 'activation', t: one.now, request: 0, isActive: true, partial: false, returned: [] })
      one.give({ type: 'operator', t: one.now, who: 'amina', why: 'a test', command: { name: 'activate' } })
    }
    expect(one.state().latch.halted).toMatchObject({ rule: 'unexplained-balance' })
  })
})
