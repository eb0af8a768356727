import fc from 'fast-check'
import { compareRows } from '../../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import {
  balancesRow,
  bringsShillings,
  bringsUsdc,
  MID,
  quoteRow,
  rateRow,
  referenceRow,
  rivalRow,
  START,
} from '../../support/backtest-tape.ts'

/** What happens once on a tape, `afterMs` after what happened before it. */
export type Happening = { readonly afterMs: number; readonly row: (t: number, index: number) => TapeRow }

const side = fc.constantFrom('bid' as const, 'ask' as const)
/** A spread, narrow ones more often. */
const bps = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 10, max: 120 }) },
  fc.integer({ min: 10, max: 500 }),
)
const off = fc.option(bps, { nil: null, freq: 5 })
/** So far from the mid of the tape's beginning, in ten-thousandths; a step between two stays under the bound. */
const moved = fc.integer({ min: -60, max: 60 }).map((step) => MID + (MID * BigInt(step)) / 10_000n)
const usd = fc.integer({ min: 1, max: 4_000 })

type MakeRow = Happening['row']
const makeRow: fc.Arbitrary<MakeRow> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(usd, side).map(
      ([amount, where]): MakeRow =>
        (t, index) =>
          where === 'ask'
            ? bringsUsdc(t, `f${index}`, amount)
            : bringsShillings(t, `f${index}`, amount * 2_568),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(moved, fc.option(fc.integer({ min: 0, max: 7_200_000 }), { nil: null, freq: 3 }), fc.boolean())
      .map(
        ([mid, age, dated]): MakeRow =>
          (t) =>
            // A mid that is republished gets a new date; one that is only shown again does not.
            rateRow(t, mid, age !== null && dated ? { rateUpdatedAt: t - age } : {}),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(side, off).map(
      ([where, best]): MakeRow =>
        (t) =>
          rivalRow(t, where, best),
    ),
  },
  {
    weight: 1,
    arbitrary: moved.map(
      (mid): MakeRow =>
        (t) =>
          referenceRow(t, mid),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(off, off).map(
      ([bid, ask]): MakeRow =>
        (t) =>
          quoteRow(t, bid, ask ?? 500),
    ),
  },
)

const pause = (maxMs: number) =>
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 3_000 }),
    fc.integer({ min: 1, max: Math.min(60_000, maxMs) }),
    fc.integer({ min: 1, max: maxMs }),
  )

/** Things that happen on a tape, with anything from nothing to `maxPauseMs` between two. */
export const happenings = (maxPauseMs: number, maxLength = 25): fc.Arbitrary<Happening[]> =>
  fc.array(fc.record({ afterMs: pause(maxPauseMs), row: makeRow }), { minLength: 1, maxLength })

/** The rows in the order of a tape: a mid, balances and a recorded quote first, a quiet hour at the end. */
export function tapeOf(list: readonly Happening[], end = 3_600_000): TapeRow[] {
  let t = START
  const rows: TapeRow[] = [rateRow(t, MID), balancesRow(t), quoteRow(t, 500, 500)]
  for (const [index, { afterMs, row }] of list.entries()) {
    t += afterMs
    rows.push(row(t, index))
  }
  rows.push(referenceRow(t + end, MID, 'the end'))
  return rows.sort(compareRows)
}
