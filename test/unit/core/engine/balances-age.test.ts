import { describe, expect, it } from 'vitest'
import { coreHarness, type Harness } from '../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../support/taker.ts'
import { buildView } from '../../../../src/daemon/view/position-view.ts'

/** When balances were asked for from now on, while a fill comes every so often; null = none. */
function asksFor(one: Harness, seconds: number, fillEverySeconds: number | null): number[] {
  const asked: number[] = []
  one.venue.answers.readBalances = () => {
    asked.push(one.now)
    return { type: 'balances', sentAt: one.now, amounts: { ...one.venue.amounts }, source: null }
  }
  for (let second = 0; second < seconds; second += 1) {
    if (fillEverySeconds !== null && second % fillEverySeconds === 0) bringDollars(one.venue, 10n * USD)
    one.run(1_000)
  }
  return asked
}

const longest = (asked: readonly number[]) => Math.max(...asked.map((at, n) => at - (asked[n - 1] ?? at)))

function warmDesk(): Harness {
  const one = coreHarness()
  // The start takes most of the first minute's budget, and the polls after it give way for another one.
  one.run(130_000)
  return one
}

describe('balances', () => {
  it('are read within 4 s of a fill after a quiet time, instead of when their interval is over', () => {
    const one = warmDesk()
    const before = asksFor(one, 60, null)
    const last = before.at(-1) ?? 0
    // Twelve seconds after a reading: three before the next one is due.
    one.run(last + 11_000 - one.now > 0 ? last + 11_000 - one.now : last + 26_000 - one.now)
    const at = one.now
    bringDollars(one.venue, 10n * USD)
    const [next = Infinity] = asksFor(one, 20, null).filter((asked) => asked >= at)
    expect(next - at).toBeLessThanOrEqual(4_000)
  })

  it.each([null, 60, 20, 5, 1])('are read at most 25 s apart with a fill every %s s', (every) => {
    const one = warmDesk()
    expect(longest(asksFor(one, 600, every))).toBeLessThanOrEqual(25_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it('that stay away are shown by the age of the last proof', () => {
    const one = warmDesk()
    one.run(30_000)
    const fresh = buildView(one.state(), one.now, { seq: 1, digest: '' }).reconciliation.provenAgeMs
    expect(fresh).toBeLessThanOrEqual(17_000)
    one.venue.answers.readBalances = () => 'silence'
    one.run(300_000)
    expect(
      buildView(one.state(), one.now, { seq: 1, digest: '' }).reconciliation.provenAgeMs,
    ).toBeGreaterThan(300_000)
  })
})
