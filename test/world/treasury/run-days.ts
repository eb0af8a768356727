import { describe, expect, test } from 'vitest'
import { TreasuryDay } from './treasury-day.ts'

const A_BATCH = 50

/** Lives the days of seeds `first` to `last`, in batches. */
export function runTreasuryDays(first: number, last: number): void {
  const starts = Array.from(
    { length: Math.ceil((last - first + 1) / A_BATCH) },
    (_, n) => first + n * A_BATCH,
  )
  describe(`days of a treasury whose rails fail, lie and go down, seeds ${first} to ${last}`, () => {
    test.each(starts)(
      'from seed %i on nothing is lost or sent twice, no cap is exceeded, and every intent ends or is a claim',
      (start) => {
        let settled = 0
        let compared = 0
        for (let seed = start; seed < start + A_BATCH; seed++) {
          const day = new TreasuryDay(seed)
          day.live()
          compared += day.isCompared ? 1 : 0
          settled += Object.values(day.state.intents).filter(({ stage }) => stage === 'settled').length
        }
        expect(settled).toBeGreaterThan(A_BATCH)
        expect(compared).toBeGreaterThan(A_BATCH / 2)
      },
      600_000,
    )
  })
}
