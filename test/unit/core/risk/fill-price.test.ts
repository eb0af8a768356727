import { describe, expect, it } from 'vitest'
import { TOKEN_UNIT } from '../../../../src/base/money/asset.ts'
import {
  addSuspect,
  createPriceMemory,
  eachSide,
  PRICED_WITHIN_MS,
  type PricedFill,
  type PriceMemory,
  recordAdoptedMid,
  recordConfirmedQuote,
  recordPairMid,
  recordSentQuote,
  settleBreach,
  worseThanQuoted,
} from '../../../../src/core/risk/fill-price.ts'

const RATE = 10n ** 18n
const MID = 2_500n * RATE
const NTZS = 10n ** 18n
const USD = 10n ** 18n
const NOW = 100_000_000
/** How long a mid or quote is kept after its end. */
const KEPT = 4 * PRICED_WITHIN_MS

/** 10 USDC come in: at 2,500 and 60 bps 24,850 shillings leave us. */
const ASKED: PricedFill = {
  id: 'a',
  side: 'ask',
  inAsset: 'USDC',
  amountIn: 10n * USD,
  outAsset: 'NTZS',
  paid: 24_850n * NTZS,
  since: NOW,
  seenAt: NOW,
}

/** 25,150 shillings come in: at 2,500 and 60 bps 10 USDC leave us. */
const BIDDEN: PricedFill = {
  ...ASKED,
  side: 'bid',
  inAsset: 'NTZS',
  amountIn: 25_150n * NTZS,
  outAsset: 'USDC',
  paid: 10n * USD,
}

/** The mid 2,500 and 60 bps on both sides, known from the first moment on. */
function quoted(): PriceMemory {
  const memory = createPriceMemory()
  recordAdoptedMid(memory, 0, MID, null)
  for (const side of ['bid', 'ask'] as const) recordConfirmedQuote(memory, 0, side, 60)
  return memory
}

const worse = (fill: PricedFill, bps: bigint): PricedFill => ({
  ...fill,
  paid: (fill.paid * (10_000n + bps)) / 10_000n,
})

describe('how much worse than quoted a fill is', () => {
  it.each([
    ['ask', ASKED],
    ['bid', BIDDEN],
  ] as const)('a fill at the %s quote is not worse, and one that paid 50 bps more is 50 worse', (_, fill) => {
    expect(worseThanQuoted(quoted(), fill)).toBe(0)
    expect(worseThanQuoted(quoted(), worse(fill, 50n))).toBe(50)
    expect(worseThanQuoted(quoted(), worse(fill, -50n))).toBe(-50)
  })

  it('the mid least favourable to us counts: the highest for an ask, the lowest for a bid, in any order', () => {
    for (const mids of [
      [2_400n, 2_500n, 2_600n],
      [2_600n, 2_500n, 2_400n],
      [2_500n, 2_600n, 2_400n],
    ]) {
      const memory = createPriceMemory()
      for (const mid of mids) recordAdoptedMid(memory, NOW, mid * RATE, null)
      recordSentQuote(memory, NOW, 'ask', 60)
      recordSentQuote(memory, NOW, 'bid', 60)
      expect(worseThanQuoted(memory, { ...ASKED, paid: 25_844n * NTZS })).toBe(0)
      const dearest = (25_150n * 10n ** 6n * 10_000n) / (2_400n * 10_060n)
      expect(worseThanQuoted(memory, { ...BIDDEN, paid: (dearest + 1n) * TOKEN_UNIT.USDC })).toBe(0)
    }
  })

  it('a mid that the venue returned after the fill may have priced it', () => {
    const fill = worse(ASKED, 100n)
    expect(worseThanQuoted(quoted(), fill)).toBe(100)
    expect(worseThanQuoted(quoted(), fill, 2_525n * RATE)).toBe(0)
  })

  it('the tightest spread that may have stood counts', () => {
    const memory = quoted()
    recordSentQuote(memory, NOW, 'ask', 10)
    expect(worseThanQuoted(memory, { ...ASKED, paid: 24_975n * NTZS })).toBe(0)
  })

  it('what a quote pays is rounded up, for the taker: to the unit of the book, or of the token', () => {
    const memory = quoted()
    const ask = { ...ASKED, amountIn: 1n, paid: 2_486n }
    // 2,501 less 60 bps are 2,485.994 units.
    expect(worseThanQuoted(memory, ask, 2_501n * RATE)).toBe(0)
    expect(worseThanQuoted(memory, { ...BIDDEN, amountIn: 1n, paid: TOKEN_UNIT.USDC })).toBe(0)
  })

  it('a mid or a spread that ended five minutes before the fill counts, and a millisecond earlier it does not', () => {
    const memory = quoted()
    recordAdoptedMid(memory, NOW, 2_000n * RATE, null)
    recordConfirmedQuote(memory, NOW, 'ask', 100)
    const at = (since: number) => worseThanQuoted(memory, { ...ASKED, since })
    expect(at(NOW + PRICED_WITHIN_MS)).toBe(0)
    // At 2,000 and 100 bps 19,800 shillings were allowed.
    expect(at(NOW + PRICED_WITHIN_MS + 1)).toBe(2_550.5)
  })

  it('nothing is concluded without a mid, without a quote of that side, or of a swap without dollars', () => {
    const noMid = createPriceMemory()
    recordSentQuote(noMid, 0, 'ask', 60)
    expect(worseThanQuoted(noMid, ASKED)).toBeNull()
    expect(worseThanQuoted(noMid, ASKED, MID)).toBe(0)
    recordSentQuote(noMid, 0, 'bid', 60)
    expect(worseThanQuoted(noMid, BIDDEN)).toBeNull()
    const otherSide = createPriceMemory()
    recordAdoptedMid(otherSide, 0, MID, null)
    recordSentQuote(otherSide, 0, 'bid', 60)
    expect(worseThanQuoted(otherSide, ASKED)).toBeNull()
    expect(worseThanQuoted(quoted(), { ...ASKED, inAsset: 'NTZS' })).toBeNull()
    expect(worseThanQuoted(quoted(), { ...ASKED, amountIn: 0n })).toBeNull()
  })
})

describe('the mid of a single pair', () => {
  const FROM = NOW - PRICED_WITHIN_MS
  /** 2 % under the mid in force: an ask at that one cost 204 bps more than at this one. */
  const OWN = 2_450n * RATE
  const ofUsdt: PricedFill = { ...ASKED, inAsset: 'USDT' }

  it.each([
    ['that began five minutes before the fill alone prices it', FROM, null, 204.08],
    ['that began later prices it or the mid in force does', FROM + 1, null, 0],
    ['that has ended since prices it or the mid in force does', FROM, NOW, 0],
  ])('%s', (_, from, until, worseBps) => {
    const memory = quoted()
    recordPairMid(memory, from, 'USDT', OWN, null)
    if (until !== null) for (const at of [until, until + 1]) recordPairMid(memory, at, 'USDT', null, null)
    expect(memory.pairs?.USDT?.mids).toEqual([{ value: OWN, from, until }])
    expect(worseThanQuoted(memory, ofUsdt)).toBe(worseBps)
    expect(worseThanQuoted(memory, ASKED)).toBe(0)
  })

  it('over the mid in force explains a fill of its pair at once, and of no other pair', () => {
    const memory = quoted()
    recordPairMid(memory, NOW, 'USDT', 2_525n * RATE, null)
    expect(worseThanQuoted(memory, worse(ofUsdt, 100n))).toBe(0)
    expect(worseThanQuoted(memory, worse(ASKED, 100n))).toBe(100)
  })

  it('that comes back after its end begins anew', () => {
    const memory = quoted()
    for (const [at, mid] of [OWN, null, OWN].entries()) recordPairMid(memory, at, 'USDT', mid, null)
    expect(memory.pairs?.USDT?.mids.map(({ from, until }) => [from, until])).toEqual([
      [0, 1],
      [2, null],
    ])
  })

  it('outside the corridor or unknown prices no fill', () => {
    const memory = quoted()
    recordPairMid(memory, 0, 'USDC', null, null)
    recordPairMid(memory, 0, 'USDT', OWN, { min: OWN + 1n, max: MID })
    expect(memory.pairs).toEqual({ USDT: { mids: [] } })
    expect(worseThanQuoted(memory, ofUsdt)).toBe(0)
  })
})

describe('the mids and quotes that are remembered', () => {
  it('a mid outside the corridor prices no fill, and one at its edge does', () => {
    const memory = createPriceMemory()
    const corridor = { min: 2_000n * RATE, max: MID }
    recordAdoptedMid(memory, 0, MID + 1n, corridor)
    expect(memory.mids).toEqual([])
    recordAdoptedMid(memory, 0, MID, corridor)
    expect(memory.mids).toEqual([{ value: MID, from: 0, until: null }])
  })

  it('a mid that did not change is one, and the next one ends it', () => {
    const memory = createPriceMemory()
    recordAdoptedMid(memory, 1, MID, null)
    recordAdoptedMid(memory, 2, MID, null)
    recordAdoptedMid(memory, 3, MID + 1n, null)
    recordAdoptedMid(memory, 4, MID, null)
    expect(memory.mids).toEqual([
      { value: MID, from: 1, until: 3 },
      { value: MID + 1n, from: 3, until: 4 },
      { value: MID, from: 4, until: null },
    ])
  })

  it('a mid is kept until twenty minutes after its end', () => {
    const memory = createPriceMemory()
    recordAdoptedMid(memory, 0, MID, null)
    recordAdoptedMid(memory, 10, MID + 1n, null)
    recordAdoptedMid(memory, 10 + KEPT, MID + 2n, null)
    expect(memory.mids).toHaveLength(3)
    recordAdoptedMid(memory, 11 + KEPT, MID + 3n, null)
    expect(memory.mids.map(({ value }) => value - MID)).toEqual([1n, 2n, 3n])
  })

  it('of more than 200 mids the first ones are forgotten', () => {
    const memory = createPriceMemory()
    for (let n = 0n; n < 200n; n++) recordAdoptedMid(memory, 1, MID + n, null)
    expect(memory.mids[0]?.value).toBe(MID)
    recordAdoptedMid(memory, 1, MID + 200n, null)
    expect(memory.mids).toHaveLength(200)
    expect(memory.mids[0]?.value).toBe(MID + 1n)
  })

  it('a spread that was sent stands beside the others, once, until another one is confirmed', () => {
    const memory = createPriceMemory()
    recordSentQuote(memory, 1, 'ask', 60)
    recordSentQuote(memory, 2, 'ask', 60)
    recordSentQuote(memory, 3, 'ask', 80)
    expect(memory.quotes).toEqual({
      bid: [],
      ask: [
        { value: 60, from: 1, until: null },
        { value: 80, from: 3, until: null },
      ],
    })
    recordConfirmedQuote(memory, 5, 'ask', 80)
    recordConfirmedQuote(memory, 9, 'ask', 80)
    expect(memory.quotes.ask).toEqual([
      { value: 60, from: 1, until: 5 },
      { value: 80, from: 3, until: null },
    ])
    recordSentQuote(memory, 10, 'ask', 60)
    expect(memory.quotes.ask.at(-1)).toEqual({ value: 60, from: 10, until: null })
  })

  it('spreads are kept until twenty minutes after their end, and at most 200 of them, the latest', () => {
    const memory = createPriceMemory()
    recordSentQuote(memory, 0, 'bid', 11)
    recordConfirmedQuote(memory, 1, 'bid', 12)
    recordConfirmedQuote(memory, 1 + KEPT, 'bid', 13)
    expect(memory.quotes.bid.map(({ value }) => value)).toEqual([11, 12, 13])
    recordConfirmedQuote(memory, 2 + KEPT, 'bid', 14)
    expect(memory.quotes.bid.map(({ value }) => value)).toEqual([12, 13, 14])
    for (let bps = 100; bps < 297; bps++) recordSentQuote(memory, 2 + KEPT, 'bid', bps)
    expect(memory.quotes.bid).toHaveLength(200)
    expect(memory.quotes.bid[0]?.value).toBe(12)
    recordSentQuote(memory, 2 + KEPT, 'bid', 300)
    expect(memory.quotes.bid).toHaveLength(200)
    expect(memory.quotes.bid[0]?.value).toBe(13)
    expect(memory.quotes.bid.at(-1)?.value).toBe(300)
  })

  it('both sides of a spread are noted, each with its own figure', () => {
    const noted: unknown[] = []
    eachSide({ bidBps: 11, askBps: 22 }, (side, bps) => noted.push([side, bps]))
    expect(Object.fromEntries(noted as [string, number][])).toEqual({ bid: 11, ask: 22 })
  })
})

describe('suspected fills', () => {
  it('of more than twenty suspects the first ones are kept, and a resume settles all and the breach', () => {
    const memory = quoted()
    for (let n = 0; n < 21; n++) addSuspect(memory, { ...ASKED, id: `${n}` })
    expect(memory.suspects.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`))
    memory.breach = { id: 'a', worseBps: 60 }
    settleBreach(memory)
    expect(memory).toMatchObject({ suspects: [], breach: null })
    expect(memory.mids).toHaveLength(1)
    expect(memory.quotes.ask).toHaveLength(1)
  })
})
