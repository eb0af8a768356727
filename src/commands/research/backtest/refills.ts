import type { BacktestResult } from '../../../backtest/result.ts'
import type { RefillSettings, RefillTotals } from '../../../backtest/venue/refills.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { HOUR_MS } from '../../../base/time.ts'
import { ASSETS, formatAmount } from '../../../money/asset.ts'
import { formatDecimalText, parseDecimalText } from '../../../money/decimal-text.ts'
import type { ReportTable } from '../../../report/report-data.ts'
import { runBacktestJob, type BacktestJob } from './job.ts'

/** The options of `mizani backtest` about refills; none given = none are simulated. */
export type RefillOptions = {
  readonly refillDelay?: number
  readonly refillCost?: number
  readonly refillFailure?: number
  readonly refillBelow?: number
}

/** What refills by a treasury would have been worth: the same run with them, against the one without. */
export type RefillResult = {
  readonly delayHours: number
  readonly costBps: number
  readonly failure: number
  readonly below: number
  readonly arrived: number
  readonly failed: number
  readonly underWay: number
  /** Decimals by token; tokens that nothing was brought of are left out. */
  readonly brought: Readonly<Record<string, string>>
  readonly fills: number
  /** Takers that the pool could not pay, without refills and with them. */
  readonly rejected: { readonly without: number; readonly with: number }
  readonly pnlUsd: { readonly without: string; readonly with: string }
  readonly costUsd: string
  /** PnL with refills, less the PnL without, less their cost; exact. */
  readonly worthUsd: string
}

const USD_DECIMALS = 54
const COST_DECIMALS = 18

/** Settings of the options; null = no option of refills was given. */
export function refillSettings(options: RefillOptions, seed: number): RefillSettings | null {
  const { refillDelay, refillCost, refillFailure, refillBelow } = options
  if ([refillDelay, refillCost, refillFailure, refillBelow].every((value) => value === undefined)) return null
  return {
    delayMs: Math.round((refillDelay ?? 4) * HOUR_MS),
    costBps: refillCost ?? 10,
    failure: refillFailure ?? 0,
    belowBps: Math.round((refillBelow ?? 0.2) * 10_000),
    seed,
  }
}

/** Runs the job again with refills; null = none are asked for. */
export async function runWithRefills(
  job: BacktestJob,
  settings: RefillSettings | null,
  without: BacktestResult,
): Promise<Result<RefillResult | null, string>> {
  if (settings === null) return ok(null)
  let totals: RefillTotals | undefined
  const done = await runBacktestJob({
    ...job,
    settings: { ...job.settings, refills: settings },
    onOutcome: (outcome) => {
      totals = outcome.refills
    },
  })
  if (!done.ok) return err(done.error)
  if (totals === undefined) return err('the run with refills has no account of them')
  return ok(resultOf(settings, totals, without, done.value.result))
}

function resultOf(
  settings: RefillSettings,
  totals: RefillTotals,
  without: BacktestResult,
  refilled: BacktestResult,
): RefillResult {
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
    brought: Object.fromEntries(brought.map((asset) => [asset, formatAmount(totals.brought[asset])])),
    fills: refilled.fills,
    rejected: { without: without.rejected, with: refilled.rejected },
    pnlUsd: { without: without.pnl.usd.total, with: refilled.pnl.usd.total },
    costUsd: formatDecimalText(totals.costUsd18, COST_DECIMALS),
    worthUsd: formatDecimalText(after - before - cost, USD_DECIMALS),
  }
}

/** The dollars of a result are exact decimals of at most 54 places. */
function unitsOf(text: string): bigint {
  const read = parseDecimalText(text, USD_DECIMALS)
  return read.ok ? read.value : 0n
}

/** For a terminal. */
export function refillsText(result: RefillResult): string {
  return refillRows(result)
    .map(([label, value]) => `${label.padEnd(20)} ${value}`)
    .join('\n')
}

/** For the HTML report. */
export function refillsTable(result: RefillResult): ReportTable {
  return { title: 'Refills by a treasury', head: ['', ''], rows: refillRows(result) }
}

function refillRows(result: RefillResult): readonly (readonly [string, string])[] {
  const { arrived, failed, underWay, brought, rejected, pnlUsd, fills } = result
  const tokens = Object.entries(brought).map(([asset, amount]) => `${amount} ${asset}`)
  return [
    [
      'refills',
      `${arrived} arrived, ${failed} failed, ${underWay} under way at the end; below ${result.below * 100} % of the opening, after ${result.delayHours} h, ${result.costBps} bps`,
    ],
    ['brought', tokens.length === 0 ? 'nothing' : tokens.join(', ')],
    [
      'fills with refills',
      `${fills}; takers that the pool could not pay: ${rejected.with} instead of ${rejected.without}`,
    ],
    ['PnL with refills', `${cents(pnlUsd.with)} USD, without ${cents(pnlUsd.without)} USD`],
    ['worth of refills', `${cents(result.worthUsd)} USD after ${cents(result.costUsd)} USD of cost`],
  ]
}

/** Cut after two decimals, towards zero. */
function cents(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.')
  return `${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`
}
