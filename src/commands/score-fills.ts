import type { RecordedFill } from '../backtest/recorder.ts'
import { isStable, TO_18_DECIMALS } from '../money/asset.ts'
import type { TapeFill } from '../tape/model/row.ts'

/** How well a backtest met the fills that really happened. */
export type FillScore = {
  readonly real: number
  readonly simulated: number
  /** Fills of the same id in both. */
  readonly matched: number
  /** Real ones that the backtest did not have, and the other way round. */
  readonly missed: number
  readonly added: number
  readonly matchedShare: number | null
  /** Mean |difference| of the prices of matched fills, bps. */
  readonly meanAbsPriceBps: number | null
  readonly missedIds: readonly string[]
}

const SHOWN = 20

export function scoreFills(
  real: readonly TapeFill[],
  simulated: readonly RecordedFill[],
  protocolFeeBps: number,
): FillScore {
  const byId = new Map(simulated.map((fill) => [fill.id, fill]))
  const missedIds: string[] = []
  let [matched, apart] = [0, 0]
  for (const row of real) {
    const fill = byId.get(row.id)
    if (fill === undefined) missedIds.push(row.id)
    else {
      matched += 1
      apart += 10_000 * Math.abs(priceOf(fill) / realPrice(row, protocolFeeBps) - 1)
    }
  }
  return {
    real: real.length,
    simulated: simulated.length,
    matched,
    missed: missedIds.length,
    added: simulated.length - matched,
    matchedShare: real.length > 0 ? matched / real.length : null,
    meanAbsPriceBps: matched > 0 ? apart / matched : null,
    missedIds: missedIds.slice(0, SHOWN),
  }
}

/** TZS per dollar that we traded at, the protocol fee in it. */
function priceOf({ dollars18, shillings }: RecordedFill): number {
  return -Number(shillings) / Number(dollars18)
}

function realPrice(row: TapeFill, protocolFeeBps: number): number {
  const out =
    row.protocolFee === null
      ? Number(row.amountOut) / (1 - protocolFeeBps / 10_000)
      : Number(row.amountOut + row.protocolFee)
  if (isStable(row.from)) return out / (Number(row.amountIn) * Number(TO_18_DECIMALS[row.from]))
  return Number(row.amountIn) / (out * Number(TO_18_DECIMALS[row.to]))
}
