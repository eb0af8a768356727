import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayAct, observeLease, sawCount, elapsedMs, mayStartWrite } from '../../../src/core/lease/holder.ts'
import { termsProblems, type LeaseTerms } from '../../../src/core/lease/terms.ts'
import { clockTolerance } from '../../support/clock-tolerance.ts'

// Real time is what the test counts in. Each side sees it through a clock of its own rate.

const terms = fc
  .record({
    renewMs: fc.integer({ min: 100, max: 5_000 }),
    roundTripMs: fc.integer({ min: 50, max: 2_000 }),
    writeTimeoutMs: fc.integer({ min: 50, max: 5_000 }),
    deadlineMs: fc.integer({ min: 300, max: 20_000 }),
    waitMs: fc.integer({ min: 300, max: 40_000 }),
  })
  .filter((drawn) => termsProblems(drawn).length === 0)

const run = fc.record({
  terms,
  holderRate: fc.double({ min: 0.81, max: 1.19, noNaN: true }),
  candidateRate: fc.double({ min: 0.81, max: 1.19, noNaN: true }),
  /** Real time from one renewal to the next, on the way to the candidate, and whether its answer comes back. */
  renewals: fc.array(
    fc.record({
      after: fc.integer({ min: 0, max: 6_000 }),
      onTheWay: fc.integer({ min: 0, max: 3_000 }),
      isAnswered: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  /** When writes are wanted, as real time since the last renewal, and for how long the process pauses before the check. */
  writes: fc.array(
    fc.record({ at: fc.integer({ min: 0, max: 60_000 }), pause: fc.integer({ min: 0, max: 30_000 }) }),
    { minLength: 1, maxLength: 12 },
  ),
})

/** The real times at which the holder's writes have ended, and when the candidate acts. */
function play({ terms: drawn, holderRate, candidateRate, renewals, writes }: Run) {
  const observed = observeLease('holder', 0)
  const answered: number[] = []
  let at = 0
  let count = 0
  const arrivals: { readonly at: number; readonly count: number }[] = []
  for (const { after, onTheWay, isAnswered } of renewals) {
    at += after
    count += 1
    arrivals.push({ at: at + onTheWay, count })
    if (isAnswered) answered.push(at)
  }
  let last = 0
  for (const arrival of arrivals.toSorted((one, other) => one.at - other.at)) {
    if (mayAct(drawn, observed, arrival.at * candidateRate)) break
    if (sawCount(observed, arrival.count, arrival.at * candidateRate)) last = arrival.at
  }
  const acts = last + drawn.waitMs / candidateRate
  const ends = writes.flatMap(({ at: wanted, pause }) => {
    const starts = wanted + pause
    // Whatever renewal counts: one whose answer came back, and that the candidate took.
    const sent = answered.filter((one) => one <= starts && one <= last).at(-1)
    if (sent === undefined) return []
    const since = elapsedMs(
      { steadyMs: sent * holderRate, wallMs: sent * holderRate },
      { steadyMs: starts * holderRate, wallMs: starts * holderRate },
    )
    return mayStartWrite(drawn, since) ? [starts + drawn.writeTimeoutMs / holderRate] : []
  })
  return { acts, ends }
}

type Run = typeof run extends fc.Arbitrary<infer Drawn> ? Drawn : never

describe('A holder and a candidate', () => {
  test('never write at once with clocks of up to 19 % and pauses before the check, whatever renewals are lost or late', () => {
    fc.assert(
      fc.property(run, (drawn) => {
        const { acts, ends } = play(drawn)
        for (const end of ends) expect(end).toBeLessThanOrEqual(acts)
      }),
      { numRuns: 3_000 },
    )
  })

  test('could write at once beyond the tolerance that the terms have: the bound is tight', () => {
    const drawn: LeaseTerms = {
      renewMs: 1_000,
      roundTripMs: 500,
      writeTimeoutMs: 1_000,
      deadlineMs: 3_000,
      waitMs: 4_500,
    }
    const e = clockTolerance(drawn)
    const at = (error: number) =>
      play({
        terms: drawn,
        holderRate: 1 - error,
        candidateRate: 1 + error,
        renewals: [{ after: 0, onTheWay: 0, isAnswered: true }],
        writes: [{ at: Math.floor(2_000 / (1 - error)), pause: 0 }],
      })
    const under = at(e - 0.005)
    expect(under.ends).toHaveLength(1)
    expect(under.ends[0]).toBeLessThan(under.acts)
    const over = at(e + 0.005)
    expect(over.ends[0]).toBeGreaterThan(over.acts)
  })
})
