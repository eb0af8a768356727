import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../src/base/codec.ts'
import { MidPlaces } from '../../../src/base/money/mid-places.ts'
import {
  type BookState,
  createBook,
  markAlong,
  markToMarket,
  settledPnl,
} from '../../../src/core/ledger/book/book.ts'
import { pnl } from '../../../src/core/ledger/book/pnl.ts'
import { rate, step, type Step } from './any-posting.ts'

const mark = (m: bigint): Step => {
  return (book) => {
    markToMarket(book, m)
    return null
  }
}

/** Marks that wander: rises and falls of any size after one another, with what stands in between unmoved. */
const walk = fc
  .tuple(rate, fc.array(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), { minLength: 1, maxLength: 25 }))
  .map(([from, moves]) => {
    let at = from
    return moves.map((move) => {
      at = at + move > 10n ** 18n ? at + move : 10n ** 18n
      return mark(at)
    })
  })

/** Postings with stretches of marks between them, and where someone reads the book. */
const course = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: walk.map((steps) => ({ kind: 'walk' as const, steps })) },
    { weight: 3, arbitrary: step.map((one) => ({ kind: 'posting' as const, steps: [one] })) },
    { weight: 1, arbitrary: fc.constant({ kind: 'reading' as const, steps: [] as Step[] }) },
  ),
  { maxLength: 25 },
)

/** Takes a mark in its turn and returns peak and deepest fall as the totals before and after it make them. */
function takeOne(book: BookState, one: Step, t: number) {
  const { peakTzs, maxDrawdownTzs } = settledPnl(book)
  one(book, t)
  const now = pnl(book)
  if (now === null) return null
  const total = now.tzs.value - now.tzs.opening - now.tzs.flows
  const peak = total > peakTzs ? total : peakTzs
  const fall = peak - total
  return { peakTzs: peak, maxDrawdownTzs: fall > maxDrawdownTzs ? fall : maxDrawdownTzs }
}

test('marks that are settled together bring what they bring one by one, whatever is posted, owed and read in between', () => {
  let longest = 0
  let negative = 0
  fc.assert(
    fc.property(course, fc.boolean(), (parts, throughJson) => {
      let late: BookState = createBook()
      const each = createBook()
      let t = 0
      for (const { kind, steps } of parts) {
        for (const run of steps) {
          t += 1
          const entry = run(late, t)
          if (kind === 'posting') expect(run(each, t)).toEqual(entry)
          else {
            const wanted = takeOne(each, run, t)
            if (wanted !== null) expect(settledPnl(each)).toMatchObject(wanted)
          }
        }
        if (kind === 'walk') longest = Math.max(longest, steps.length)
        if (each.accounts.pool.USDC + each.accounts.wallet.USDC < 0n) negative += 1
        // What is not settled is plain data, too: a copy continues with it.
        if (throughJson) late = decodeJson(encodeJson(late)) as BookState
        if (kind === 'reading') expect(settledPnl(late)).toEqual(settledPnl(each))
      }
      expect(pnl(late)).toEqual(pnl(each))
      expect(encodeJson(late)).toBe(encodeJson(each))
    }),
    { numRuns: 100 },
  )
  expect(longest).toBeGreaterThan(10)
  expect(negative).toBeGreaterThan(10)
})

test('a settled book is written as one that never had marks to settle', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), rate, (steps, m) => {
      const book = createBook()
      steps.forEach((run, t) => run(book, t))
      markToMarket(book, m)
      settledPnl(book)
      expect(encodeJson(book)).not.toContain('stretch')
    }),
    { numRuns: 40 },
  )
})

/** Mids of which some are apart by less than a double can tell, and a way through them. */
const mids = fc.array(
  fc
    .tuple(fc.bigInt({ min: 2_490n, max: 2_510n }), fc.constantFrom(0n, 1n, 2n, 300n, 10n ** 17n))
    .map(([whole, more]) => whole * 10n ** 18n + more),
  { minLength: 1, maxLength: 8 },
)
const way = fc.array(fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 30 }), {
  minLength: 1,
  maxLength: 4,
})

test('a book that is marked along a path of places equals one that is marked to each mid', () => {
  fc.assert(
    fc.property(mids, way, step, (column, parts, posting) => {
      const [along, each] = [createBook(), createBook()]
      const places = new MidPlaces(column)
      for (const [t, part] of parts.entries()) {
        const path = Int32Array.from(part, (place) => place % column.length)
        markAlong(along, places, path, 0, path.length)
        for (const place of path) markToMarket(each, column[place]!)
        expect(encodeJson(along)).toBe(encodeJson(each))
        if (t === 1) expect(posting(along, t)).toEqual(posting(each, t))
      }
      expect(settledPnl(along)).toEqual(settledPnl(each))
    }),
    { numRuns: 500 },
  )
})
