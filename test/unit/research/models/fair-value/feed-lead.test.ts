import { describe, expect, it } from 'vitest'
import { drawNormal, seededRandom } from '../../../../../src/base/random.ts'
import { type BeforeUpdate, feedLead } from '../../../../../src/research/models/fair-value/feed-lead.ts'

/** A mid that goes `share` of the way to the feed at each update. */
function updatesOf(share: number, count: number, seed = 1): readonly BeforeUpdate[] {
  const random = seededRandom(seed, 'lead')
  let [mid, feed] = [0, 0]
  return Array.from({ length: count }, () => {
    feed += 20 * drawNormal(random)
    const before = mid
    mid += share * (feed - mid) + 3 * drawNormal(random)
    return { mid: before, next: mid, feed }
  })
}

describe('the lead of a feed', () => {
  it('is the share of the way that the next update goes', () => {
    const [next] = feedLead(updatesOf(0.65, 80))
    expect(next?.updates).toBe(1)
    expect(next?.share.value).toBeCloseTo(0.65, 1)
    expect(next?.share.low).toBeLessThan(0.65)
    expect(next?.share.high).toBeGreaterThan(0.65)
  })

  it('of a slow mid is larger after more updates', () => {
    const shares = feedLead(updatesOf(0.15, 400)).map(({ share }) => share.value)
    expect(shares).toHaveLength(3)
    expect(shares[1]).toBeGreaterThan(shares[0]!)
    expect(shares[2]).toBeGreaterThan(shares[1]!)
  })

  it('of a feed that knows nothing has an interval around 0', () => {
    const random = seededRandom(7, 'noise')
    const blind = updatesOf(0.5, 200).map((one) => ({ ...one, feed: one.mid + 30 * drawNormal(random) }))
    const [next] = feedLead(blind)
    expect(next?.share.low).toBeLessThan(0)
    expect(next?.share.high).toBeGreaterThan(0)
  })

  it('is absent where windows of their own are fewer than ten, or the feed never showed', () => {
    expect(feedLead(updatesOf(0.65, 9))).toEqual([])
    expect(feedLead(updatesOf(0.65, 30)).map(({ updates }) => updates)).toEqual([1, 2])
    expect(feedLead(updatesOf(0.65, 80).map((one) => ({ ...one, feed: null })))).toEqual([])
  })
})
