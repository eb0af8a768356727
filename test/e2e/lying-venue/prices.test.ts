import { describe, expect, test } from 'vitest'
import {
  HONEST_QUOTE,
  openLyingMarket,
  stateWhere,
  untilSafe,
  type Lie,
  type LyingMarket,
} from './lying-market.ts'
import { sharedMarket } from './shared-market.ts'

const RATE = 'GET /api/v1/mm/rate'
const PUBLIC_RATE = 'GET /api/v1/swap/rate'

/** Both endpoints of one venue tell the same lie: they are one voice. */
function lieAboutMid(market: LyingMarket, change: (mid: number) => number): void {
  const told: Lie = (body) => {
    const named = 'midRateTZS' in body ? 'midRateTZS' : 'midRate'
    const mid = change(Number(body[named]))
    return {
      ...body,
      [named]: mid,
      ...('rateUpdatedAt' in body ? { rateUpdatedAt: new Date().toISOString() } : {}),
    }
  }
  market.lie(RATE, told)
  market.lie(PUBLIC_RATE, told)
}

/** The request that safety takes, its answer, and a busy machine. */
const NEXT_REQUEST_MS = 5_000

describe.concurrent('No single source decides what we sell for', { timeout: 120_000 }, () => {
  test('a mid outside the price corridor is never quoted from, not even the first one of a new store', async () => {
    await using market = await openLyingMarket({ spread: { bidBps: 500, askBps: 500 } })
    lieAboutMid(market, (mid) => mid / 100)
    await using daemon = market.start()
    const view = await stateWhere(daemon, 'the corridor is named', ({ reasons }) =>
      reasons.some((reason) => reason.includes('corridor')),
    )
    expect(view.tradingState).toBe('REDUCING')
    expect(market.venue.model.state.ours).toMatchObject({ bidBps: 500, askBps: 500 })
    expect(daemon.output()).toContain('price-corridor')
  })

  describe.concurrent('of one daemon, one after the other', () => {
    const shared = sharedMarket()

    test(
      'a mid at a hundredth of its value brings the safe quote with the next request, and trading resumes with the truth',
      { concurrent: false },
      async () => {
        const { market, daemon } = shared()
        const since = performance.now()
        lieAboutMid(market, (mid) => mid / 100)
        expect(await untilSafe(market, daemon, since)).toBeLessThan(NEXT_REQUEST_MS)
        const view = await daemon.state()
        expect(view.tradingState).not.toBe('ACTIVE')
        market.truth()
        await stateWhere(daemon, 'it is ACTIVE again', (seen) => seen.tradingState === 'ACTIVE')
      },
    )

    test(
      'a rate dated tomorrow is never adopted, and is not taken for a fresh one',
      { concurrent: false },
      async () => {
        const { market, daemon } = shared()
        const before = (await daemon.state()).mid
        market.lie(RATE, (body) => ({
          ...body,
          midRateTZS: Number(body['midRateTZS']) * 1.003,
          rateUpdatedAt: new Date(Date.now() + 86_400_000).toISOString(),
        }))
        await stateWhere(daemon, 'the date is refused', ({ reasons }) =>
          reasons.some((reason) => reason.includes('future')),
        )
        await untilSafe(market, daemon, performance.now())
        expect((await daemon.state()).mid).toBe(before)
      },
    )

    test(
      'a mid that walks away in steps of 20 bps is stopped at 200 bps within the hour, and only a person who names it lets it on',
      { concurrent: false },
      async () => {
        const { market, daemon } = shared()
        const before = Number((await daemon.state()).mid)
        let walked = 0
        lieAboutMid(market, (mid) => {
          walked += 20
          return Math.round(mid * (1 + walked / 10_000) * 100) / 100
        })
        await stateWhere(daemon, 'the walk is stopped', ({ reasons }) =>
          reasons.some((reason) => /maxMidMoveBps/.test(reason)),
        )
        await untilSafe(market, daemon, performance.now())
        const stopped = await daemon.state()
        expect(Number(stopped.mid) / before - 1).toBeLessThanOrEqual(0.0201)
        // The figure no longer moves, and a plain resume adopts nothing.
        const pending = Math.round(before * 1.04 * 100) / 100
        lieAboutMid(market, () => pending)
        await stateWhere(daemon, 'both mids are shown', ({ reasons }) =>
          reasons.some((reason) => reason.includes(`--accept-mid ${pending}`)),
        )
        await daemon.post('resume', { why: 'without a look' })
        await stateWhere(daemon, 'it still waits', ({ tradingState }) => tradingState === 'REDUCING')
        expect(Number((await daemon.state()).mid)).toBe(Number(stopped.mid))
        const answer = await daemon.post('resume', { why: 'the bank says so', acceptMid: String(pending) })
        expect(answer).toMatchObject({ status: 200 })
        const taken = await stateWhere(daemon, 'it continues from the named value', (seen) => {
          return seen.tradingState === 'ACTIVE' && Number(seen.mid) === pending
        })
        expect(taken.quote.target).toEqual(HONEST_QUOTE)
      },
    )
  })
})
