import { describe, expect, test } from 'vitest'
import { learn, score } from '../../unit/research/calibration/scored-week.ts'

describe('a scorecard', () => {
  test('has 90 % of the counts and edges of weeks with the same takers in the band, wherever the calibration was made', async () => {
    for (const ditherBps of [0, 35]) {
      const seen = { judged: 0, outside: 0 }
      for (let i = 0; i < 15; i++) {
        const card = await score(await learn({ seed: 2 * i + 1, ditherBps }), { seed: 2 * i + 2 })
        const measures = [...card.bid.measures, ...card.ask.measures].filter(
          ({ name, verdict }) => verdict !== null && (name === 'fills' || name === 'edge'),
        )
        seen.judged += measures.length
        seen.outside += measures.filter(({ verdict }) => verdict !== 'within').length
      }
      expect(seen.judged).toBe(60)
      expect(seen.outside / seen.judged).toBeLessThanOrEqual(0.1)
    }
  })

  test('at most one in ten markouts per side and horizon is outside its band, with overlapping windows', async () => {
    const seen = { judged: 0, outside: 0 }
    for (let i = 0; i < 15; i++) {
      const card = await score(await learn({ seed: 2 * i + 1 }), { seed: 2 * i + 2 })
      for (const side of ['bid', 'ask'] as const)
        for (const { verdict } of card[side].measures.filter(({ horizon }) => horizon?.startsWith('+'))) {
          seen.judged += Number(verdict !== null)
          seen.outside += Number(verdict === 'above' || verdict === 'below')
        }
    }
    expect(seen.judged).toBeGreaterThanOrEqual(80)
    // 8 % of those of 60 pairs; it was 47 % where each window counted as one that knows nothing of the others.
    expect(seen.outside / seen.judged).toBeLessThan(0.2)
  })
})
