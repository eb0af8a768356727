import { expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { clockFaults, cutWithRates, DANGEROUS } from './measure-clocks.ts'

// A slice of `npm run guard-kills -- --mode clocks`: real processes under libfaketime, which makes the monotonic clock run at
// another rate as well.

test.skipIf(needs('faketime'))(
  'a daemon whose clocks are 15 % slow and a guard whose clocks are 15 % fast never write at once, and the guard does not fire while the daemon lives',
  { timeout: 180_000 },
  async () => {
    const outcome = await cutWithRates(DANGEROUS)
    expect(clockFaults(outcome)).toEqual([])
    // D of a fast clock is shorter: 4.5 s / 1.15, less what a renewal was old when the way was cut.
    expect(outcome.safeMs).toBeLessThan(10_000)
  },
)

test('the judgement of clocks has a sentence for each thing that must not happen', () => {
  const good = { ...DANGEROUS, firedEarly: false, gapMs: 1, safeMs: 5_000, foreign: false }
  expect(clockFaults(good)).toEqual([])
  expect(clockFaults({ ...good, firedEarly: true, gapMs: 0, foreign: true })).toHaveLength(3)
  expect(clockFaults({ ...good, gapMs: Number.NEGATIVE_INFINITY })).toEqual([
    'daemon and guard wrote at once',
  ])
})
