import { DAY_MS, HOUR_MS } from '../../../base/time.ts'
import type { Usd54 } from '../../../core/ledger/book/value.ts'
import { STABLE_ASSETS, type StableAsset } from '../../../base/money/asset.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import { SIDES, type Side } from '../../../base/money/side.ts'
import type { RecordedFill } from '../recorder.ts'
import type { BacktestMetrics, SplitFigures } from '../result.ts'

/** Lower limits of the size classes in dollars; each class ends where the next begins. */
export const SIZES_FROM_USD = [0, 50, 200, 1_000, 5_000] as const

const HOURS = 24
const CELLS = SIDES.length * STABLE_ASSETS.length * HOURS * SIZES_FROM_USD.length

/** The edge and the turnover of fills by side, dollar, hour of the day (UTC) and size. */
/** Sums over cells of one table: a fill costs one addition each, and all splits have the same totals. */
type Cells = {
  readonly fills: Float64Array
  readonly edgeTzs: Float64Array
  readonly weight: Float64Array
  readonly edgeUsd54: Usd54[]
  readonly turnover18: bigint[]
}

type Key = {
  readonly side: Side
  readonly stable: StableAsset
  readonly hour: number
  readonly size: number
}

export function createFillSplit() {
  const cells: Cells = {
    fills: new Float64Array(CELLS),
    edgeTzs: new Float64Array(CELLS),
    weight: new Float64Array(CELLS),
    edgeUsd54: Array.from({ length: CELLS }, () => 0n),
    turnover18: Array.from({ length: CELLS }, () => 0n),
  }
  const hours = Array.from({ length: HOURS }, (_, hour) => hour)
  return {
    /** `usd` is |dU| in dollars; `edgeTzs` and `weight` are dN + dU M and |dU| M in shillings. */
    add(
      { t, side, stable, dollars18, edgeUsd54 }: RecordedFill,
      usd: number,
      edgeTzs: number,
      weight: number,
    ): void {
      const cell = cellOf(side, stable, Math.floor((t % DAY_MS) / HOUR_MS), sizeOf(usd))
      cells.fills[cell]! += 1
      cells.edgeTzs[cell]! += edgeTzs
      cells.weight[cell]! += weight
      cells.edgeUsd54[cell]! += edgeUsd54
      cells.turnover18[cell]! += dollars18 < 0n ? -dollars18 : dollars18
    },
    figures: (): Pick<BacktestMetrics, 'bySide' | 'byPair' | 'byHour' | 'bySize'> => ({
      bySide: {
        bid: sum(cells, ({ side }) => side === 'bid'),
        ask: sum(cells, ({ side }) => side === 'ask'),
      },
      byPair: STABLE_ASSETS.map((pair) => ({ pair, ...sum(cells, ({ stable }) => stable === pair) })).filter(
        ({ fills }) => fills > 0,
      ),
      byHour: hours.map((hour) => ({ hour, ...sum(cells, (key) => key.hour === hour) })),
      bySize: SIZES_FROM_USD.map((fromUsd, size) => ({
        fromUsd,
        belowUsd: SIZES_FROM_USD[size + 1] ?? null,
        ...sum(cells, (key) => key.size === size),
      })),
    }),
  }
}

function sizeOf(usd: number): number {
  let size = SIZES_FROM_USD.length - 1
  while (size > 0 && usd < SIZES_FROM_USD[size]!) size -= 1
  return size
}

function cellOf(side: Side, stable: StableAsset, hour: number, size: number): number {
  const pair = STABLE_ASSETS.indexOf(stable) + (side === 'bid' ? 0 : STABLE_ASSETS.length)
  return (pair * HOURS + hour) * SIZES_FROM_USD.length + size
}

/** Sums the cells of a split. */
function sum(cells: Cells, belongs: (key: Key) => boolean): SplitFigures {
  let [fills, edgeTzs, weight, edgeUsd54, turnover18] = [0, 0, 0, 0n, 0n]
  for (const side of SIDES) {
    for (const stable of STABLE_ASSETS) {
      const first = cellOf(side, stable, 0, 0)
      for (let hour = 0; hour < HOURS; hour++) {
        for (let size = 0; size < SIZES_FROM_USD.length; size++) {
          const cell = first + hour * SIZES_FROM_USD.length + size
          if (cells.fills[cell] === 0 || !belongs({ side, stable, hour, size })) continue
          fills += cells.fills[cell]!
          edgeTzs += cells.edgeTzs[cell]!
          weight += cells.weight[cell]!
          edgeUsd54 += cells.edgeUsd54[cell]!
          turnover18 += cells.turnover18[cell]!
        }
      }
    }
  }
  return {
    fills,
    edgeBps: weight > 0 ? (1e4 * edgeTzs) / weight : null,
    edgeUsd: formatDecimalText(edgeUsd54, 54),
    turnoverUsd: formatDecimalText(turnover18, 18),
  }
}
