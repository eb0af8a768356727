import {
  createMetricsRecorder,
  type MetricsRecorder,
} from '../../../../../src/research/backtest/metrics/create-recorder.ts'
import type { RecorderSettings } from '../../../../../src/research/backtest/metrics/state.ts'
import { DAY_MS, HOUR_MS } from '../../../../../src/base/time.ts'
import { type BookState, createBook, markToMarket } from '../../../../../src/core/ledger/book/book.ts'
import { applyFill } from '../../../../../src/core/ledger/book/post-fill.ts'
import { postOpening } from '../../../../../src/core/ledger/book/post-transfer.ts'
import { inverseRate, USD18_TO_USD54 } from '../../../../../src/core/ledger/book/value.ts'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import type { Side } from '../../../../../src/base/money/side.ts'

/** 2026-11-02, a Monday, midnight UTC. */
export const MONDAY = Date.UTC(2026, 10, 2)

export type TrailRun = {
  readonly trail: MetricsRecorder
  readonly book: BookState
  /** A taker of `usd` dollars at `bps`, at so many hours since the opening. */
  readonly fill: (
    hours: number,
    side: Side,
    usd: number,
    bps: number,
    how?: { readonly synthetic?: boolean },
  ) => void
  /** The venue publishes another mid; it is the fair value unless `fair` says otherwise. */
  readonly print: (hours: number, mid: number, fair?: number) => void
  /** A reference moves the fair value alone. */
  readonly reference: (hours: number, fair: number) => void
  readonly quote: (hours: number, bidBps: number | null, askBps: number | null) => void
  readonly competition: (hours: number, side: Side, bps: number | null) => void
  readonly routed: (hours: number, side: Side, share: number) => void
  readonly end: (hours: number) => MetricsRecorder
}

/**
 * A trail with the ledger's own book beside it, as a backtest drives them, opened with 1,000,000 NTZS and
 * 400 USDC at 2500 TZS per USD: worth 800 USD, half in dollars. Days end by themselves.
 */
export function trailRun(
  options: {
    readonly target?: number
    readonly ntzs?: number
    readonly usdc?: number
    readonly law?: RecorderSettings['law']
    readonly variantsTried?: number
    readonly horizons?: RecorderSettings['horizons']
    readonly capitalCost?: RecorderSettings['capitalCost']
  } = {},
): TrailRun {
  const {
    target = 0.5,
    ntzs = 1_000_000,
    usdc = 400,
    law = null,
    horizons,
    variantsTried = 1,
    capitalCost,
  } = options
  const trail = createMetricsRecorder({
    seed: 1,
    target,
    toleranceBps: 5,
    law,
    variantsTried,
    ...(horizons === undefined ? {} : { horizons }),
    ...(capitalCost === undefined ? {} : { capitalCost }),
  })
  const { fill: hearFill } = trail
  const book = createBook()
  const opening = { ...zeroAmounts(), NTZS: units(ntzs), USDC: units(usdc) }
  let mid = units(2500)
  let fair = mid
  let nextDay = MONDAY + DAY_MS
  let fills = 0
  postOpening(book, MONDAY, opening, 'pool', fair)
  trail.open(MONDAY, opening, mid, fair)

  const at = (hours: number): number => {
    const t = MONDAY + hours * HOUR_MS
    for (; nextDay <= t; nextDay += DAY_MS) trail.day(nextDay, book)
    return t
  }
  const move = (hours: number, print: boolean): void => {
    const t = at(hours)
    markToMarket(book, fair)
    trail.mark(t, mid, fair, print)
  }

  return {
    trail,
    book,
    fill(hours, side, usd, bps, { synthetic = false } = {}) {
      const t = at(hours)
      const dollars = units(usd)
      // Both exact in these cases: 18 decimals hold few of dollars times few of the mid.
      const worth = (dollars * mid) / 10n ** 18n
      const spread = (worth * BigInt(bps)) / 10_000n
      const isBid = side === 'bid'
      const shillings = isBid ? worth + spread : worth - spread
      fills += 1
      applyFill(
        book,
        {
          id: `f${fills}`,
          side,
          inAsset: isBid ? 'NTZS' : 'USDC',
          amountIn: isBid ? shillings : dollars,
          outAsset: isBid ? 'USDC' : 'NTZS',
          amountOut: isBid ? dollars : shillings,
          fee: 0n,
          earnedText: null,
          txHash: null,
          createdAt: t,
          raw: '',
        },
        { paidFee: 0n, venueMid: mid, fairValue: fair },
      )
      const dollars18 = isBid ? -dollars : dollars
      const received = isBid ? shillings : -shillings
      hearFill({
        t,
        id: `f${fills}`,
        side,
        stable: 'USDC',
        dollars18,
        shillings: received,
        edgeUsd54: dollars18 * USD18_TO_USD54 + received * inverseRate(fair),
        mid,
        fair,
        bps,
        synthetic,
      })
    },
    print(hours, newMid, newFair = newMid) {
      mid = units(newMid)
      fair = units(newFair)
      move(hours, true)
    },
    reference(hours, newFair) {
      fair = units(newFair)
      move(hours, false)
    },
    quote: (hours, bidBps, askBps) => trail.quote(at(hours), bidBps, askBps),
    competition: (hours, side, bps) => trail.competition(at(hours), side, bps),
    routed: (hours, side, share) => trail.routed(at(hours), side, share),
    end(hours) {
      trail.end(at(hours), book)
      return trail
    },
  }
}

/** A number of few decimals as a book amount or a rate, exactly. */
export function units(value: number): bigint {
  return BigInt(Math.round(value * 1e6)) * 10n ** 12n
}
