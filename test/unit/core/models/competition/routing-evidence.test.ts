import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../../src/base/random.ts'
import { createRivalWatch, watchRivals } from '../../../../../src/core/models/competition/rival-watch.ts'
import {
  likelyRouting,
  emptyRoutingEvidence,
  observeFills,
} from '../../../../../src/core/models/competition/routing-evidence.ts'
import { routedShare } from '../../../../../src/core/market/routing.ts'

const HOUR_MS = 3_600_000
const TAKERS_A_DAY = 60

type World = {
  /** Our share of the takers at a spread while the rival stands at `rival` in the probe. */
  readonly shareOf: (own: number, rival: number) => number
  readonly statedBps: number
  /** The rival that the next probe shows. */
  readonly rivalOf: (own: number, draw: number) => number
}

/** Quotes for 30 days, each half hour at a distance of -12 to +12 bps from the rival that was seen. */
function played({ shareOf, statedBps, rivalOf }: World, seed = 1) {
  const [watch, evidence, random] = [createRivalWatch(), emptyRoutingEvidence(), seededRandom(seed, 'takers')]
  let own = 60
  let rival = rivalOf(own, random())
  for (let step = 1; step <= 48 * 30; step++) {
    const fills = poisson((TAKERS_A_DAY / 48) * shareOf(own, rival), random)
    const side = { own, rival: watch.rivals.ask, takers: TAKERS_A_DAY / 48, fills }
    const off = { own: null, rival: watch.rivals.bid, takers: 0, fills: 0 }
    observeFills(evidence, statedBps, 1 / 48, { ask: side, bid: off })
    rival = rivalOf(own, random())
    const probe = rival === own ? null : { bestBps: rival, ageMs: 0 }
    const view = { now: (step * HOUR_MS) / 2, competition: { ask: probe, bid: null } }
    watchRivals(watch, { ...view, standing: { askBps: own, bidBps: null } }, 0.5, null)
    own = Math.round((watch.rivals.ask.bps ?? 60) - 12 + 24 * random())
    watchRivals(watch, { ...view, standing: { askBps: own, bidBps: null } }, 0, null)
  }
  return likelyRouting(evidence, watch.rivals)
}

const standing = (_own: number, draw: number) => Math.round(50 + 20 * draw)

function poisson(mean: number, random: () => number): number {
  let count = 0
  for (let product = random(); product > Math.exp(-mean); product *= random()) count++
  return count
}

describe('what fills say of the routing', () => {
  it('is nothing where the stated tolerance holds', () => {
    for (const seed of [1, 2, 3, 4, 5])
      expect(
        played({ statedBps: 5, rivalOf: standing, shareOf: (own, bps) => routedShare(own, bps, 5) }, seed),
      ).toEqual({ rivalsAnswer: false, shares: { bid: null, ask: null }, reason: null })
  })

  it('is a tolerance of 5 bps where none was stated', () => {
    const { reason, shares, rivalsAnswer } = played({
      statedBps: 0,
      rivalOf: standing,
      shareOf: (own, bps) => routedShare(own, bps, 5),
    })
    expect(reason).toBe('our fills suggest a tolerance of 5 bps and others that stay until the next probe')
    expect(rivalsAnswer).toBe(false)
    // At 10 bps a taker is ours; at 500 only a fill that no account explains.
    expect(shares.ask![0]).toBeCloseTo(0.95, 2)
    expect(shares.ask!.at(-1)).toBeCloseTo(0.05, 2)
  })

  it('is that others soon undercut where they are below each new spread and no takers come', () => {
    const { reason, rivalsAnswer, shares } = played({
      statedBps: 0,
      rivalOf: (own) => Math.max(22, own - 1),
      shareOf: (own) => (own <= 22 ? 1 : 0),
    })
    expect(rivalsAnswer).toBe(true)
    expect(reason).toMatch(/others that soon undercut each new quote$/)
    // Below its lowest spread it does not follow.
    expect(shares.ask![0]).toBeGreaterThan(0.9)
    expect(shares.ask![30]).toBeLessThan(0.3)
  })

  it('expects fewer takers beyond where the others are, behind a rival who follows within the tolerance', () => {
    const evidence = emptyRoutingEvidence()
    const { rivals } = createRivalWatch()
    const shareAt70 = (othersBps: number) => {
      const rival = { ...rivals.ask, bps: 69, underBps: 1, lowestBps: 22, highestBps: 100, othersBps }
      const side = { own: 70, rival, takers: 0, fills: 0 }
      observeFills(evidence, 5, 0, { bid: side, ask: side })
      return likelyRouting(evidence, { bid: rival, ask: rival }).shares.ask![60]!
    }
    expect(shareAt70(90)).toBeGreaterThan(0.4)
    expect(shareAt70(40)).toBeLessThan(0.3)
  })

  it('is that others have moved where takers come as if they stood elsewhere', () => {
    const { reason } = played({
      statedBps: 5,
      rivalOf: standing,
      shareOf: (own, bps) => (routedShare(own, bps - 15, 5) + routedShare(own, bps + 15, 5)) / 2,
    })
    expect(reason).toMatch(/others that have moved since they were seen$/)
  })

  it('is nothing before the first observation, and begins anew with another stated tolerance', () => {
    const { rivals } = createRivalWatch()
    const evidence = emptyRoutingEvidence()
    expect(likelyRouting(evidence, rivals).reason).toBeNull()
    const side = { own: 60, rival: { ...rivals.ask, bps: 50 }, takers: 10, fills: 40 }
    observeFills(evidence, 5, 1, { bid: side, ask: side })
    expect(likelyRouting(evidence, rivals).reason).toMatch(/tolerance of 15 bps/)
    observeFills(evidence, 15, 0, {
      bid: { ...side, takers: 0, fills: 0 },
      ask: { ...side, takers: 0, fills: 0 },
    })
    expect(likelyRouting(evidence, rivals).reason).toBeNull()
    expect(evidence.sides.bid.fills).toBe(0)
  })
})
