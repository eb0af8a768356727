import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../../../src/base/result.ts'
import { judgeScorecard } from '../../../../src/research/jobs/judge-scorecard.ts'
import { type ScorecardView, scorecardSchema } from '../../../../src/daemon/view/scorecard-view.ts'
import { emptyCard, exampleCard } from '../../daemon/view/example-scorecard.ts'

const NOW = Date.UTC(2026, 10, 20, 14)
const OUTSIDE = ok(exampleCard(NOW))
const WITHIN = ok(exampleCard(NOW, { outside: [] }))
const EMPTY = ok(emptyCard(NOW))
const FAILED = err('nothing is recorded of this time yet')

/** The notices of comparisons, one a second; each state goes through its file. */
function noticesOf(compared: readonly Result<unknown, string>[]): readonly (string | undefined)[] {
  let kept: ScorecardView | null = null
  return compared.map((each, index) => {
    const { next, notice } = judgeScorecard(kept, each, NOW + index)
    kept = scorecardSchema.parse(JSON.parse(JSON.stringify(next)))
    return notice?.kind
  })
}

describe('the alert of a scorecard', () => {
  test('is raised once while a measure is outside, with the time since when, and lifted when all are back', () => {
    expect(noticesOf([WITHIN, OUTSIDE, OUTSIDE, WITHIN, WITHIN])).toEqual([
      undefined,
      'raised',
      undefined,
      'lifted',
      undefined,
    ])
    const raised = judgeScorecard(null, OUTSIDE, NOW)
    expect(raised.next).toMatchObject({ outsideSince: NOW, problem: null })
    expect(raised.notice).toMatchObject({ code: 'scorecard', severity: 'warning' })
    expect(raised.notice?.text).toBe(
      'outside of the band: bid markout next print; 1 of 14 measures; about 1.4 would be by chance',
    )
    expect(judgeScorecard(raised.next, OUTSIDE, NOW + 9).next.outsideSince).toBe(NOW)
  })

  test('stays as it is over a comparison that failed, and over one in which nothing could be judged', () => {
    expect(noticesOf([OUTSIDE, FAILED, EMPTY, OUTSIDE, WITHIN])).toEqual([
      'raised',
      undefined,
      undefined,
      undefined,
      'lifted',
    ])
    const { next } = judgeScorecard(judgeScorecard(null, WITHIN, NOW).next, FAILED, NOW + 5)
    expect(next).toMatchObject({ at: NOW + 5, problem: FAILED.ok ? '' : FAILED.error })
    expect(next.card?.judged).toBe(14)
  })

  test('is not raised by a figure that is no number: the scorecard is refused with its place', () => {
    const broken = exampleCard(NOW)
    const card = { ...broken, bid: { ...broken.bid, turnoverUsd: NaN } }
    const { next, notice } = judgeScorecard(null, ok(card), NOW)
    expect([notice, next.card]).toEqual([null, null])
    expect(next.problem).toMatch(/bid\.turnoverUsd/)
  })

  test('is raised and lifted in turns whatever the comparisons are', () => {
    const one = fc.constantFrom(OUTSIDE, WITHIN, EMPTY, FAILED)
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), (compared) => {
        const told = noticesOf(compared).filter((kind) => kind !== undefined)
        expect(told).toEqual(told.map((_, index) => (index % 2 === 0 ? 'raised' : 'lifted')))
        const last = compared.findLast((each) => each === OUTSIDE || each === WITHIN)
        expect(told.length % 2).toBe(last === OUTSIDE ? 1 : 0)
      }),
    )
  })
})
