import { describe, expect, test } from 'vitest'
import { createBook, markToMarket } from '../../../../../src/core/ledger/book/book.ts'
import { postFill } from '../../../../../src/core/ledger/book/post-fill.ts'
import { postOpening } from '../../../../../src/core/ledger/book/post-transfer.ts'
import { identityResidual, pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { AT_MID, fillOf, MID, NTZS, RATE, USD } from '../reconciliation/harness.ts'

const TZS = 10n ** 36n

function opened(amounts: Parameters<typeof postOpening>[2]) {
  const book = createBook()
  postOpening(book, 1, amounts, 'pool', MID)
  return book
}

describe('the signs of PnL, in words', () => {
  test('long dollars and a weaker shilling gains in TZS and nothing in USD', () => {
    const book = opened({ USDC: 100n * USD })
    markToMarket(book, 2_600n * RATE)
    expect(pnl(book)?.tzs).toMatchObject({ inventory: 10_000n * TZS, total: 10_000n * TZS })
    expect(pnl(book)?.usd).toMatchObject({ inventory: 0n, total: 0n })
  })

  test('long shillings and a weaker shilling loses in USD and nothing in TZS', () => {
    const book = opened({ NTZS: 1_000_000n * NTZS })
    markToMarket(book, 2_600n * RATE)
    expect(pnl(book)?.tzs.total).toBe(0n)
    expect(pnl(book)?.usd.total).toBeLessThan(0n)
  })

  test('selling shillings at the ask earns the spread', () => {
    const book = opened({ NTZS: 1_000_000n * NTZS })
    postFill(book, 2, fillOf('a', { amountOut: 24_900n * NTZS }), AT_MID)
    expect(pnl(book)?.tzs).toMatchObject({ spreadCapture: 100n * TZS, staleMid: 0n, total: 100n * TZS })
  })

  test('buying shillings at the bid earns the spread', () => {
    const book = opened({ USDC: 1_000n * USD })
    const fill = fillOf('a', {
      side: 'bid',
      inAsset: 'NTZS',
      amountIn: 25_100n * NTZS,
      outAsset: 'USDC',
      amountOut: 10n * USD,
    })
    postFill(book, 2, fill, AT_MID)
    expect(pnl(book)?.tzs).toMatchObject({ spreadCapture: 100n * TZS, total: 100n * TZS })
  })

  test('the protocol fee comes out of the spread capture', () => {
    const book = opened({ NTZS: 1_000_000n * NTZS })
    postFill(book, 2, fillOf('a', { amountOut: 24_900n * NTZS }), { ...AT_MID, paidFee: 25n * NTZS })
    expect(pnl(book)?.tzs.spreadCapture).toBe(75n * TZS)
  })

  test('buying dollars from a mid that is too low is a gain, selling them there is a loss', () => {
    const fair = 2_520n * RATE
    const bought = opened({ NTZS: 1_000_000n * NTZS })
    postFill(bought, 2, fillOf('a'), { paidFee: 0n, venueMid: MID, fairValue: fair })
    expect(pnl(bought)?.tzs.staleMid).toBe(200n * TZS)
    const sold = opened({ USDC: 1_000n * USD })
    const fill = fillOf('b', { side: 'bid', inAsset: 'NTZS', amountIn: 25_000n * NTZS, outAsset: 'USDC' })
    postFill(sold, 2, { ...fill, amountOut: 10n * USD }, { paidFee: 0n, venueMid: MID, fairValue: fair })
    expect(pnl(sold)?.tzs.staleMid).toBe(-200n * TZS)
  })

  test('each kind of dollars keeps its own components and together they are the whole', () => {
    const book = opened({ NTZS: 9_000_000n * NTZS, USDT: 50n * USD })
    postFill(book, 2, fillOf('a'), AT_MID)
    postFill(
      book,
      3,
      fillOf('b', { inAsset: 'USDT.bnb', amountIn: 2n * 10n ** 18n, amountOut: 4_990n * NTZS }),
      AT_MID,
    )
    markToMarket(book, 2_501n * RATE)
    const now = pnl(book)
    expect(now?.byStable.USDC).toMatchObject({ spreadCapture: 100n * TZS, inventory: 10n * TZS })
    expect(now?.byStable.USDT).toMatchObject({ spreadCapture: 0n, inventory: 50n * TZS })
    expect(now?.byStable['USDT.bnb']).toMatchObject({ spreadCapture: 10n * TZS, inventory: 2n * TZS })
    expect(now?.tzs).toMatchObject({ spreadCapture: 110n * TZS, inventory: 62n * TZS, total: 172n * TZS })
  })
})

describe('the identities', () => {
  test('a day computed by hand comes out to the last unit in both currencies', () => {
    // Opening 1,000,000 TZS and 400 USD at 2500. 10 USD come in for 24,900 + 25 fee, priced from 2500 while
    // 2510 is fair. Then 12,345.678901 TZS come in for 4.9 USD + 0.0049 fee, priced from 2510. Then 2480.
    const book = opened({ NTZS: 1_000_000n * NTZS, USDC: 400n * USD })
    postFill(book, 2, fillOf('a'), { paidFee: 25n * NTZS, venueMid: MID, fairValue: 2_510n * RATE })
    const bid = fillOf('b', {
      side: 'bid',
      inAsset: 'NTZS',
      amountIn: 12_345_678_901n * 10n ** 12n,
      outAsset: 'USDC',
      amountOut: 4_900_000n * 10n ** 12n,
    })
    postFill(book, 3, bid, {
      paidFee: 4_900n * 10n ** 12n,
      venueMid: 2_510n * RATE,
      fairValue: 2_510n * RATE,
    })
    markToMarket(book, 2_480n * RATE)
    const now = pnl(book)
    // 10 x 2500 - 24925 = 75, and 12345.678901 - 4.9049 x 2510 = 34.379901
    expect(now?.tzs.spreadCapture).toBe(109_379_901n * 10n ** 30n)
    expect(now?.tzs.staleMid).toBe(100n * TZS)
    // 400 x 10 on the way up, then 405.0951 x -30
    expect(now?.tzs.inventory).toBe(-8_152_853n * 10n ** 33n)
    expect(now?.tzs.total).toBe(-7_943_473_099n * 10n ** 30n)
    // 987420.678901 + 405.0951 x 2480 = 1992056.526901
    expect(now?.tzs.value).toBe(1_992_056_526_901n * 10n ** 30n)
    // In dollars, 1/2510 and 1/2480 are floor(10^36 / .) and used as such.
    const at2510 = 398_406_374_501_992_031_872_509_960_159_362n
    const at2480 = 403_225_806_451_612_903_225_806_451_612_903n
    const at2500 = 400_000_000_000_000_000_000_000_000_000_000n
    const afterFirst = 975_075n * NTZS
    const afterBoth = 987_420_678_901n * 10n ** 12n
    expect(now?.usd.edge).toBe(5_095_100n * 10n ** 48n + (afterBoth - 1_000_000n * NTZS) * at2510)
    expect(now?.usd.inventory).toBe(1_000_000n * NTZS * (at2510 - at2500) + afterBoth * (at2480 - at2510))
    expect(now?.usd.value).toBe(405_095_100n * 10n ** 48n + afterBoth * at2480)
    expect(afterFirst + 12_345_678_901n * 10n ** 12n).toBe(afterBoth)
    expect(identityResidual(book)).toEqual({ tzs: 0n, usd: 0n })
  })

  test('the peak and the deepest fall are kept while the current fall recovers', () => {
    const book = opened({ USDC: 100n * USD })
    for (const rate of [2_600n, 2_550n, 2_590n]) markToMarket(book, rate * RATE)
    const now = pnl(book)
    expect(now).toMatchObject({
      peakTzs: 10_000n * TZS,
      maxDrawdownTzs: 5_000n * TZS,
      drawdownTzs: 1_000n * TZS,
    })
  })

  test('a loss from the start on is a drawdown from zero', () => {
    const book = opened({ USDC: 100n * USD })
    markToMarket(book, 2_400n * RATE)
    expect(pnl(book)).toMatchObject({ peakTzs: 0n, drawdownTzs: 10_000n * TZS })
  })

  test('half of a fill is never a peak', () => {
    const book = opened({ USDC: 100n * USD })
    postFill(book, 2, fillOf('a', { outAsset: 'USDT', amountOut: 10n * USD }), AT_MID)
    expect(pnl(book)).toMatchObject({ peakTzs: 0n, maxDrawdownTzs: 0n })
  })
})
