import { HOUR_MS } from '../../base/time.ts'
import { ASSETS, formatAmount } from '../../base/money/asset.ts'
import { formatDecimalText, parseDecimalText } from '../../base/money/decimal-text.ts'
import type { BacktestResult } from './result.ts'
import type { RefillSettings, RefillTotals } from './venue/refills.ts'

/** Value of treasury refills: a run with refills compared with the same run without them. */
export type RefillResult = ReturnType<typeof refillWorth>

const USD_DECIMALS = 54
const COST_DECIMALS = 18

/** Returns what refills were worth: the run `refilled` against the run `without` them. */
export function refillWorth(
  settings: RefillSettings,
  totals: RefillTotals,
  without: BacktestResult,
  refilled: BacktestResult,
) {
  const [before, after] = [unitsOf(without.pnl.usd.total), unitsOf(refilled.pnl.usd.total)]
  const cost = totals.costUsd18 * 10n ** BigInt(USD_DECIMALS - COST_DECIMALS)
  const brought = ASSETS.filter((asset) => totals.brought[asset] !== 0n)
  return {
    delayHours: settings.delayMs / HOUR_MS,
    costBps: settings.costBps,
    failure: settings.failure,
    below: settings.belowBps / 10_000,
    arrived: totals.arrived,
    failed: totals.failed,
    underWay: totals.underWay,
    /** Decimals by token; tokens that were never refilled are omitted. */
    brought: Object.fromEntries(brought.map((asset) => [asset, formatAmount(totals.brought[asset])])),
    fills: refilled.fills,
    /** Takers that the pool could not pay, without refills and with them. */
    rejected: { without: without.rejected, with: refilled.rejected },
    pnlUsd: { without: without.pnl.usd.total, with: refilled.pnl.usd.total },
    costUsd: formatDecimalText(totals.costUsd18, COST_DECIMALS),
    /** PnL with refills minus the PnL without them minus their cost; exact. */
    worthUsd: formatDecimalText(after - before - cost, USD_DECIMALS),
  }
}

/** The dollars of a result are exact decimals of at most 54 places. */
function unitsOf(text: string): bigint {
  const read = parseDecimalText(text, USD_DECIMALS)
  return read.ok ? read.value : 0n
}
