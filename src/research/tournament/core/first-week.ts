import { DAY_MS, type Ms } from '../../../base/time.ts'
import { calibrateBatch } from '../../calibration/calibrate.ts'
import type { Spread } from '../../../core/engine/model/effect.ts'
import type { Fill } from '../../../core/ledger/fills/fill.ts'
import type { Calibration } from '../../../core/models/calibration.ts'
import type { Amounts } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import { SIDES, type Side } from '../../../base/money/side.ts'
import { batchOfRows } from '../../../store/tape/model/batch.ts'
import type { TapeRow } from '../../../store/tape/model/row.ts'

/** Live quote from the end of a decision until the next. */
export type StandingQuote = {
  readonly t: Ms
  readonly mid: Rate
  readonly rateUpdatedAt: Ms
  readonly amounts: Partial<Amounts>
  readonly spread: Spread
  /** The best spread of each side in a probe's answer, and whether it is only ours. */
  readonly best: Readonly<Record<Side, { readonly bps: number | null; readonly isOurs: boolean }>>
}

const LENGTH_MS = 7 * DAY_MS
const PROBE = 100n
/** Seed of the bootstrap behind sigma: equal weeks give equal calibrations. */
const SEED = 1

/** Records the first seven days of a position in a world as a tape, and calibrates on it. */
export class FirstWeek {
  readonly #begin: Ms
  readonly #toleranceBps: number
  readonly #rows: TapeRow[] = []

  /** `toleranceBps` is the tolerance stated to the strategy. */
  constructor(begin: Ms, toleranceBps: number) {
    this.#begin = begin
    this.#toleranceBps = toleranceBps
  }

  isOver(t: Ms): boolean {
    return t - this.#begin >= LENGTH_MS
  }

  /** Records the fills since the last decision, in order; call it before the quote changes. */
  traded(fills: readonly Fill[], t: Ms): void {
    for (const { id, inAsset, outAsset, amountIn, amountOut, fee, createdAt } of fills)
      this.#rows.push({
        type: 'fill',
        t: Math.min(t, createdAt ?? t),
        id,
        from: inAsset,
        to: outAsset,
        amountIn,
        amountOut,
        protocolFee: fee,
        feesEarned: null,
        txHash: null,
        seenAt: t,
      })
  }

  stands({ t, mid, rateUpdatedAt, amounts, spread, best }: StandingQuote): void {
    this.#rows.push({ type: 'rate', t, mid, rateUpdatedAt, quotable: true })
    for (const side of SIDES) {
      const { bps, isOurs } = best[side]
      const [from, to] = side === 'ask' ? (['USDC', 'NTZS'] as const) : (['NTZS', 'USDC'] as const)
      const shown = { bidBps: side === 'bid' ? bps : null, askBps: side === 'ask' ? bps : null }
      this.#rows.push({ type: 'competition', t, from, to, amount: PROBE, ...shown, own: isOurs })
    }
    this.#rows.push({ type: 'balances', t, amounts, source: 'pool' }, { type: 'quote', t, ...spread })
  }

  /** Returns what `mizani calibrate` would estimate from this tape. */
  learned(): Calibration {
    return calibrateBatch(batchOfRows(this.#rows), {
      toleranceBps: this.#toleranceBps,
      seed: SEED,
      protocolFeeBps: 0,
    })
  }
}
