import { describe, expect, test } from 'vitest'
import { TreasuryDay } from './treasury-day.ts'

const A_BATCH = 100

describe('a thousand seeded days of a treasury whose rails fail, lie and go down', () => {
  test.each(Array.from({ length: 10 }, (_, batch) => batch * A_BATCH + 1))(
    'from seed %i on nothing is lost or sent twice, no cap is exceeded, and every intent ends or is a claim',
    (first) => {
      let settled = 0
      let compared = 0
      for (let seed = first; seed < first + A_BATCH; seed++) {
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
