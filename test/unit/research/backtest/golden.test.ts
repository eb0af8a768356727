import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { backtestResultOf } from '../../../../src/research/backtest/build-result.ts'
import type { BacktestMetrics } from '../../../../src/research/backtest/result.ts'
import type { BacktestOutcome } from '../../../../src/research/backtest/settings.ts'
import { identityResidual, pnl } from '../../../../src/core/ledger/book/pnl.ts'
import { openTape } from '../../../../src/store/tape/folder/open-tape.ts'
import type { TapeProblem } from '../../../../src/store/tape/model/batch.ts'
import { runTape, START, type Told } from '../../../support/backtest-tape.ts'
import { worldStrategy } from '../../../support/world-strategies.ts'

/**
 * A tape of two prints, written by hand, and its PnL computed by hand: from the numbers on this page, with
 * integer arithmetic of this page, and as literals that were computed elsewhere with exact fractions. Bid 60,
 * ask 80; until the first PATCH has landed, 250 ms after the start, the safe 500 on both sides stands.
 */
const TAPE = `
{"t":"2026-11-02T07:00:00.000Z","type":"rate","midRateTZS":"2568.1584","rateUpdatedAt":"2026-11-02T06:55:00.000Z","quotable":true}
{"t":"2026-11-02T07:00:00.000Z","type":"reference","source":"bank-board","midTZS":"2590.1"}
{"t":"2026-11-02T07:00:00.000Z","type":"balances","ntzs":"1500000","usdc":"5000","usdt":"150"}
{"t":"2026-11-02T07:00:00.000Z","type":"quote","bidBps":500,"askBps":500,"quoteBid":true,"quoteAsk":true}
{"t":"2026-11-02T07:00:00.100Z","type":"fill","id":"f1 before the PATCH lands","fromToken":"USDC","toToken":"NTZS","amountIn":"40.5","amountOut":"98711.08"}
{"t":"2026-11-02T07:00:00.250Z","type":"fill","id":"f2 as it lands","fromToken":"NTZS","toToken":"USDC","amountIn":"10000","amountOut":"3.7"}
{"t":"2026-11-02T07:00:30.000Z","type":"quote","bidBps":100,"askBps":100,"quoteBid":true,"quoteAsk":true}
{"t":"2026-11-02T07:01:00.000Z","type":"fill","id":"f3","fromToken":"USDC","toToken":"NTZS","amountIn":"250.123457","amountOut":"635297.86"}
{"t":"2026-11-02T07:02:00.000Z","type":"fill","id":"f4","fromToken":"NTZS","toToken":"USDT","amountIn":"300000.5","amountOut":"115.5"}
{"t":"2026-11-02T07:03:00.000Z","type":"fill","id":"f5 more USDT than is left","fromToken":"NTZS","toToken":"USDT","amountIn":"100000","amountOut":"38.5"}
{"t":"2026-11-02T07:03:30.000Z","type":"quote","bidBps":59,"askBps":79,"quoteBid":true,"quoteAsk":true}
{"t":"2026-11-02T07:04:00.000Z","type":"fill","id":"f6 at a narrower ask than ours","fromToken":"USDC","toToken":"NTZS","amountIn":"250","amountOut":"636000"}
{"t":"2026-11-02T07:04:10.000Z","type":"fill","id":"f7 at a narrower bid than ours","fromToken":"NTZS","toToken":"USDC","amountIn":"250000","amountOut":"96"}
{"t":"2026-11-02T07:04:30.000Z","type":"quote","bidBps":60,"askBps":80,"quoteBid":true,"quoteAsk":true}
{"t":"2026-11-02T07:05:00.000Z","type":"reference","source":"bank-board","midTZS":"2579.25"}
{"t":"2026-11-02T07:06:00.000Z","type":"fill","id":"f8","fromToken":"NTZS","toToken":"USDC","amountIn":"1234567.890123456789012345","amountOut":"477.3"}
{"t":"2026-11-02T07:07:00.000Z","type":"fill","id":"f9 more shillings than there are","fromToken":"USDC","toToken":"NTZS","amountIn":"2000","amountOut":"5000000"}
{"t":"2026-11-03T07:00:00.000Z","type":"rate","midRateTZS":"2581.7305","rateUpdatedAt":"2026-11-03T07:00:00.000Z","quotable":true}
{"t":"2026-11-03T07:01:00.000Z","type":"fill","id":"f10","fromToken":"USDT","toToken":"NTZS","amountIn":"99.999999","amountOut":"255851.5"}
{"t":"2026-11-03T07:02:00.000Z","type":"fill","id":"f11","fromToken":"USDT.bnb","toToken":"NTZS","amountIn":"12.000000000000000001","amountOut":"30702.1"}
{"t":"2026-11-03T07:05:00.000Z","type":"reference","source":"bank-board","midTZS":"2600.125"}
{"t":"2026-11-03T08:00:00.000Z","type":"rate","midRateTZS":"2581.7305","rateUpdatedAt":"2026-11-03T07:00:00.000Z","quotable":true}
`

// Mids in ten-thousandths of a shilling, fair values in thousandths.
const [S1, S2] = [25_681_584n, 25_817_305n]
const [M1, M2, M3] = [2_590_100n, 2_579_250n, 2_600_125n]
const MICRO = 10n ** 12n

/** Shillings paid for dollars (18 decimals): dollars x mid x (1 - ask), down to the last base unit. */
const paidShillings = (dollars: bigint, mid: bigint, ask: bigint) =>
  (dollars * mid * (10_000n - ask)) / (10_000n * 10_000n)

/** Millionths of a dollar paid for shillings: shillings / (mid x (1 + bid)), down to the last base unit. */
const paidDollars = (shillings: bigint, mid: bigint, bid: bigint) =>
  (shillings * 10_000n * 10_000n) / (mid * (10_000n + bid) * MICRO)

// What we gave for what came, and what it was worth then: S the venue's mid, M the fair value.
const f1 = { dollars: 40_500_000n * MICRO, shillings: -paidShillings(40_500_000n * MICRO, S1, 500n) }
const f2 = { shillings: 10_000n * 10n ** 18n, paid: paidDollars(10_000n * 10n ** 18n, S1, 500n) }
const f3 = { dollars: 250_123_457n * MICRO, shillings: -paidShillings(250_123_457n * MICRO, S1, 80n) }
const f4 = { shillings: 3_000_005n * 10n ** 17n, paid: paidDollars(3_000_005n * 10n ** 17n, S1, 60n) }
const BROUGHT = 1_234_567_890_123_456_789_012_345n
const f8 = { shillings: BROUGHT, paid: paidDollars(BROUGHT, S1, 60n) }
const f10 = { dollars: 99_999_999n * MICRO, shillings: -paidShillings(99_999_999n * MICRO, S2, 80n) }
const TWELVE = 12_000_000_000_000_000_001n
const f11 = { dollars: TWELVE, shillings: -paidShillings(TWELVE, S2, 80n) }

const trades = [
  { ...f1, mid: S1, fair: M1 },
  { dollars: -f2.paid * MICRO, shillings: f2.shillings, mid: S1, fair: M1 },
  { ...f3, mid: S1, fair: M1 },
  { dollars: -f4.paid * MICRO, shillings: f4.shillings, mid: S1, fair: M1 },
  { dollars: -f8.paid * MICRO, shillings: f8.shillings, mid: S1, fair: M2 },
  { ...f10, mid: S2, fair: M2 },
  { ...f11, mid: S2, fair: M2 },
]

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
const mid36 = (mid: bigint) => mid * 10n ** 14n
const fair36 = (fair: bigint) => fair * 10n ** 15n

/** Dollars and shillings held after so many of the trades, 18 decimals. */
const usdAfter = (count: number) => 5_150n * 10n ** 18n + sum(trades.slice(0, count).map((t) => t.dollars))
const tzsAfter = (count: number) =>
  1_500_000n * 10n ** 18n + sum(trades.slice(0, count).map((t) => t.shillings))

// Shillings at 36 decimals (quant.md section 4): sum(dN + dU S), sum(dU (M - S)), sum(U dM).
const spreadCapture = sum(trades.map((t) => t.shillings * 10n ** 18n + t.dollars * mid36(t.mid)))
const staleMid = sum(trades.map((t) => t.dollars * (fair36(t.fair) - mid36(t.mid))))
const inventory = usdAfter(4) * (fair36(M2) - fair36(M1)) + usdAfter(7) * (fair36(M3) - fair36(M2))
const worth = (usd: bigint, tzs: bigint, fair: bigint) => tzs * 10n ** 18n + usd * fair36(fair)
const total = worth(usdAfter(7), tzsAfter(7), M3) - worth(usdAfter(0), tzsAfter(0), M1)

/** A sum of fractions whose denominators are fair values, as one over all of them. */
type OverM = { readonly top: bigint; readonly fair: bigint }
const BOTTOM = M1 * M2 * M3
const overAll = (terms: readonly OverM[]) => sum(terms.map(({ top, fair }) => top * (BOTTOM / fair)))

// Dollars, 18 decimals, exact over BOTTOM: dU + dN / M, dU (M - S) / M, N (1 / M' - 1 / M), all of it.
const perShilling = 1_000n
const edgeUsd = overAll(
  trades.map(({ dollars, shillings, fair }) => ({ top: dollars * fair + shillings * perShilling, fair })),
)
// S is in ten-thousandths, M in thousandths: both times ten before they are subtracted.
const staleTop = sum(trades.map(({ dollars, mid, fair }) => dollars * (10n * fair - mid) * (BOTTOM / fair)))
const inventoryUsd = overAll([
  { top: tzsAfter(4) * perShilling, fair: M2 },
  { top: -tzsAfter(4) * perShilling, fair: M1 },
  { top: tzsAfter(7) * perShilling, fair: M3 },
  { top: -tzsAfter(7) * perShilling, fair: M2 },
])
const totalUsd =
  (usdAfter(7) - usdAfter(0)) * BOTTOM +
  overAll([
    { top: tzsAfter(7) * perShilling, fair: M3 },
    { top: -tzsAfter(0) * perShilling, fair: M1 },
  ])

/** |a ledger's dollars at 54 decimals - top / bottom at 18| under a millionth of a millionth of a micro-dollar. */
const isUsd = (usd54: bigint, top: bigint, bottom: bigint) => {
  const difference = usd54 * bottom - top * 10n ** 36n
  return (difference < 0n ? -difference : difference) < 10n ** 36n * bottom
}

let outcome: BacktestOutcome
let told: Told
let skipped: readonly TapeProblem[]
const folder = mkdtempSync(join(tmpdir(), 'golden-'))

beforeAll(async () => {
  const file = join(folder, 'tape.jsonl')
  writeFileSync(file, TAPE.trimStart())
  const tape = openTape(file)
  if (!tape.ok) throw new Error(tape.error)
  const strategy = worldStrategy({ use: 'fixed-spread', params: { bidBps: 60, askBps: 80 } })
  ;({ outcome, told } = await runTape(tape.value, { strategy }))
  skipped = tape.value.problems().filter((problem) => problem.skipped !== 0)
})

describe('a tape whose PnL is computed by hand', () => {
  test('until the first PATCH has landed what trades, trades at the old spread', () => {
    expect(told.quotes).toEqual([{ t: START + 250, bidBps: 60, askBps: 80 }])
    expect(told.fills.slice(0, 3).map(({ t, bps }) => [t - START, bps])).toEqual([
      [100, 500],
      [250, 500],
      [60_000, 80],
    ])
  })

  test('fills that were recorded at a narrower spread than ours are not won; at an equal one they are', () => {
    expect(told.fills.map(({ id }) => id.split(' ')[0])).toEqual(['f1', 'f2', 'f3', 'f4', 'f8', 'f10', 'f11'])
    expect(told.fills.map(({ bps }) => bps)).toEqual([500, 500, 80, 60, 60, 80, 80])
    expect([outcome.fills, outcome.syntheticFills, outcome.quoteUpdates]).toEqual([7, 0, 1])
  })

  test('a taker is paid whole or not at all, from the one token asked for, though others are plenty', () => {
    expect(told.rejected).toEqual([
      { t: START + 180_000, side: 'bid', why: 'inventory' },
      { t: START + 420_000, side: 'ask', why: 'inventory' },
    ])
    expect(outcome.rejected).toBe(2)
  })

  test('final balances are opening plus fills, to the last unit of every token', () => {
    expect(outcome.opening).toEqual({
      NTZS: 1_500_000n * 10n ** 18n,
      USDC: 5_000n * 10n ** 18n,
      USDT: 150n * 10n ** 18n,
      'USDT.bnb': 0n,
    })
    expect(outcome.held).toEqual({
      NTZS: tzsAfter(7),
      USDC: 5_000n * 10n ** 18n + (40_500_000n - f2.paid + 250_123_457n - f8.paid) * MICRO,
      USDT: 150n * 10n ** 18n + (99_999_999n - f4.paid) * MICRO,
      'USDT.bnb': TWELVE,
    })
    expect(outcome.held).toEqual({
      NTZS: 2_021_700_108_897_997_355_409_784n,
      USDC: 4_809_061_078n * 10n ** 12n,
      USDT: 133_881_293n * 10n ** 12n,
      'USDT.bnb': 12_000_000_000_000_000_001n,
    })
  })

  test('the protocol fee is a thousandth of each payout, rounded up, and left the pool', () => {
    const fee = (gross: bigint) => gross - (gross * 9_990n) / 10_000n
    const { fees } = outcome.book.accounts
    expect(fees).toEqual({
      NTZS: sum([f1, f3, f10, f11].map(({ shillings }) => fee(-shillings))),
      USDC: (fee(f2.paid) + fee(f8.paid)) * MICRO,
      USDT: fee(f4.paid) * MICRO,
      'USDT.bnb': 0n,
    })
    expect([fees.NTZS, fees.USDC, fees.USDT]).toEqual([
      1_022_868_281_225_459_433_603n,
      481_563n * MICRO,
      116_119n * MICRO,
    ])
  })

  test('the shilling identity is the hand-made one to the last of 36 decimals', () => {
    expect(pnl(outcome.book)?.tzs).toMatchObject({ spreadCapture, staleMid, inventory, total })
    expect({ spreadCapture, staleMid, inventory, total }).toEqual({
      spreadCapture: 22_281_295_683_991_655_412_365_730_500_000_000_000_000n,
      staleMid: -1_830_436_182_044_300_000_002_480_500_000_000_000_000n,
      inventory: 45_703_781_792_425_000_000_020_875_000_000_000_000_000n,
      total: 66_154_641_294_372_355_412_384_125_000_000_000_000_000n,
    })
    expect(spreadCapture + staleMid + inventory).toBe(total)
    expect(identityResidual(outcome.book)?.tzs).toBe(0n)
  })

  test('the dollar identity is the hand-made one, to 18 decimals and exact fractions', () => {
    const usd = pnl(outcome.book)?.usd
    expect(edgeUsd + inventoryUsd).toBe(totalUsd)
    expect(isUsd(usd?.edge ?? 0n, edgeUsd, BOTTOM)).toBe(true)
    expect(isUsd(usd?.inventory ?? 0n, inventoryUsd, BOTTOM)).toBe(true)
    expect(isUsd(usd?.total ?? 0n, totalUsd, BOTTOM)).toBe(true)
    expect(isUsd(outcome.staleUsd, staleTop, 10n * BOTTOM)).toBe(true)
    const residual = identityResidual(outcome.book)?.usd ?? 1n
    expect(residual < 0n ? -residual : residual).toBeLessThan(10n ** 36n)
  })

  test('the result says it in exact decimals, and the terms add up to the totals', () => {
    const label = { strategy: 'fixed-spread', params: {}, fillModel: 'recorded', seed: 1 } as const
    const result = backtestResultOf(outcome, {} as BacktestMetrics, {
      ...label,
      variantsTried: 1,
      warnings: [],
    })
    expect(result.pnl.tzs).toEqual({
      spreadCapture: '22281.2956839916554123657305',
      staleMid: '-1830.4361820443000000024805',
      inventory: '45703.781792425000000020875',
      costs: '0',
      unreconciled: '0',
      total: '66154.641294372355412384125',
    })
    const { usd } = result.pnl
    const shown = [usd.spreadCapture, usd.staleMid, usd.inventory, usd.total].map((text) => text.slice(0, 20))
    expect(shown).toEqual([
      '8.618200514994226628',
      '-0.71576417566216950',
      '-4.54870107698089147',
      '3.353735262351165649',
    ])
    expect(result.identityResidual).toEqual({ tzs: '0', usd: '0' })
    expect(result.finalBalances).toEqual({
      NTZS: '2021700.108897997355409784',
      USDC: '4809.061078',
      USDT: '133.881293',
      'USDT.bnb': '12.000000000000000001',
    })
  })

  test('it ends with the last row, also where that brings no news', () => {
    expect([outcome.from, outcome.to]).toEqual([START, Date.parse('2026-11-03T08:00:00.000Z')])
    expect(outcome.events).toBe(TAPE.trim().split('\n').length)
    expect(skipped).toEqual([])
  })
})
