import { invariant } from '../../base/result.ts'
import { identityResidual, mapTerms, pnl } from '../../core/ledger/book/pnl.ts'
import { type Amounts, type Asset, ASSETS, formatAmount } from '../../base/money/asset.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import type { BacktestResult, DecimalText, BacktestMetrics, PnlTerms } from './result.ts'
import type { BacktestOutcome } from './settings.ts'

/** Inputs of a run that its result repeats, and its warnings. */
export type RunLabel = Pick<
  BacktestResult,
  'strategy' | 'params' | 'fillModel' | 'seed' | 'variantsTried' | 'warnings'
> & {
  /** A sentence with the number of skipped rows, shown before other warnings; null or absent = no row was skipped. */
  readonly skipped?: string | null
}

/** Returns the result for display and `--json`: amounts as exact decimals, shares as numbers. */
export function backtestResultOf(
  outcome: BacktestOutcome,
  metrics: BacktestMetrics,
  label: RunLabel,
): BacktestResult {
  const { events, fills, elapsedMs, syntheticFills } = outcome
  return {
    strategy: label.strategy,
    params: label.params,
    fillModel: label.fillModel,
    seed: label.seed,
    from: new Date(outcome.from).toISOString(),
    to: new Date(outcome.to).toISOString(),
    events,
    fills,
    rejected: outcome.rejected,
    elapsedMs: round(elapsedMs),
    eventsPerSecond: elapsedMs > 0 ? Math.round((1_000 * events) / elapsedMs) : 0,
    readMs: round(outcome.readMs),
    ...money(outcome),
    opening: amountTexts(outcome.opening),
    finalBalances: amountTexts(outcome.held),
    ...metrics,
    fairValueSource: outcome.fairValueSource,
    quoteUpdates: outcome.quoteUpdates,
    midsAccepted: outcome.midsAccepted,
    clamps: outcome.clamps.map((clamp) => ({ ...clamp, firstAt: new Date(clamp.firstAt).toISOString() })),
    fallback: fallbackOf(outcome),
    suspension: suspensionOf(outcome),
    syntheticShare: fills > 0 ? syntheticFills / fills : 0,
    variantsTried: label.variantsTried,
    digest: outcome.digest,
    warnings: [...(label.skipped == null ? [] : [label.skipped]), ...outcome.warnings, ...label.warnings],
  }
}

function fallbackOf({ fallback }: BacktestOutcome): BacktestResult['fallback'] {
  return fallback === null ? null : { ...fallback, firstAt: new Date(fallback.firstAt).toISOString() }
}

function suspensionOf({ suspension }: BacktestOutcome): BacktestResult['suspension'] {
  return suspension === null ? null : { ...suspension, since: new Date(suspension.since).toISOString() }
}

/**
 * Returns both identities. Divides the dollar edge into spread capture and stale mid with the same 1/M, so that the two
 * parts sum exactly to the edge.
 */
function money({ book, staleUsd }: BacktestOutcome): Pick<BacktestResult, 'pnl' | 'identityResidual'> {
  const sums = pnl(book)
  const residual = identityResidual(book)
  invariant(sums !== null && residual !== null, 'a backtest that ran has a mid to value with')
  const { tzs, usd } = sums
  return {
    pnl: {
      tzs: terms({ ...tzs }, 36),
      usd: terms({ ...usd, spreadCapture: usd.edge - staleUsd, staleMid: staleUsd }, 54),
    },
    identityResidual: {
      tzs: formatDecimalText(residual.tzs, 36),
      usd: formatDecimalText(residual.usd, 54),
    },
  }
}

function terms(sums: Readonly<Record<keyof PnlTerms, bigint>>, decimals: number): PnlTerms {
  const text = (value: bigint): DecimalText => formatDecimalText(value, decimals)
  return { ...mapTerms((term) => text(sums[term])), total: text(sums.total) }
}

function amountTexts(amounts: Amounts): Record<Asset, DecimalText> {
  return Object.fromEntries(ASSETS.map((asset) => [asset, formatAmount(amounts[asset])])) as Record<
    Asset,
    DecimalText
  >
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
