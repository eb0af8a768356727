import { createRecorded } from '../../src/research/backtest/fill-models/create-fill-model.ts'
import { createMetricsRecorder } from '../../src/research/backtest/metrics/create-recorder.ts'
import { runBacktest } from '../../src/research/backtest/run.ts'
import type { BacktestOutcome } from '../../src/research/backtest/settings.ts'
import { pnl } from '../../src/core/ledger/book/pnl.ts'
import type { LoadedStrategy, StrategyDefinition } from '../../src/core/strategy/define-strategy.ts'
import type { TapeBatch } from '../../src/store/tape/model/batch.ts'
import { coreConfig } from '../../test/support/core-config.ts'
import type { DrawnTape } from './draw-tape.ts'
import lotSkew from './lot-skew.ts'
import { LOT_USD, OPENING, SHILLING, type ExactOutcome } from './recompute.ts'

/** The quote stands while nothing is traded, or moves by 4 bps with every mid. */
export type Quoting = 'steady' | 'following'

const TZS36 = 10n ** 36n
const FOLLOWING_BPS = 4
/** Limits that can bind: less than twice what the walk reaches, 539 bps in an hour, 1,739 in a day, a loss of 9.8 million and a fall of 20. */
const LIMITS = {
  priceCorridor: { min: 2_000n * 10n ** 18n, max: 3_300n * 10n ** 18n },
  maxMidStepBps: 150,
  maxMidMoveBpsPerHour: 900,
  maxMidMoveBpsPerDay: 2_500,
  maxLossTzs: 15_000_000n * TZS36,
  maxDrawdownTzs: 30_000_000n * TZS36,
}

/** The daemon's core over these batches, with recorder and metrics, a request under way for 250 ms. */
export async function runTape(batches: Iterable<TapeBatch>, quoting: Quoting): Promise<BacktestOutcome> {
  const params = lotSkew.params.parse({ oddMidBps: quoting === 'following' ? FOLLOWING_BPS : 0 })
  const core = coreConfig()
  const strategy: LoadedStrategy = {
    use: lotSkew.name,
    definition: lotSkew as StrategyDefinition<unknown, unknown>,
    params,
    inner: {},
    sourceHash: 'bench',
  }
  const outcome = await runBacktest({
    core: {
      ...core,
      strategy: { use: strategy.use, params, sourceHash: strategy.sourceHash },
      fees: { protocolFeeBps: 0, bidFormula: 'divide' },
      risk: { ...core.risk, ...LIMITS },
    },
    strategy,
    calendar: () => false,
    source: { batches: () => batches, problems: () => [] },
    fills: createRecorded(),
    recorder: createMetricsRecorder({ seed: 1, target: 0.5, toleranceBps: 5, law: null }),
    settings: { opening: null, latencyMs: 250, acceptMidAfterMs: 600_000, toleranceBps: 5, fairValue: null },
  })
  if (!outcome.ok) throw new Error(outcome.error)
  return outcome.value
}

/**
 * Throws unless the run is exact. The ledger's PnL is what is held at the last mid less the opening at the first, to the
 * last of 36 decimals. A steady quote must have the fills, the lots, the cash and the PnL of the recomputation; one that
 * follows the mid trades at quotes which depend on when a request may be sent, and only the first rule judges it.
 */
export function checkExact(
  tape: DrawnTape,
  exact: ExactOutcome,
  outcome: BacktestOutcome,
  quoting: Quoting,
): void {
  const { held, book, fills, warnings } = outcome
  const [first, last] = [BigInt(tape.mids[0] ?? 0), BigInt(tape.mids.at(-1) ?? 0)]
  const usd = held.USDC - OPENING.usd * 10n ** 18n
  const cash = held.NTZS - OPENING.shillings * 10n ** 18n
  const worth = cash * 10n ** 18n + (usd * last + OPENING.usd * 10n ** 18n * (last - first)) * 10n ** 18n
  const wanted: Record<string, readonly [bigint | number | string, bigint | number | string]> = {
    warnings: [warnings.join('; '), ''],
    'PnL and holdings': [pnl(book)?.tzs.total ?? 'none', worth],
  }
  if (quoting === 'steady') {
    wanted['fills'] = [fills, exact.fills]
    wanted['dollars'] = [usd, BigInt(exact.lots) * LOT_USD * 10n ** 18n]
    wanted['cash'] = [cash * SHILLING, exact.cash * 10n ** 18n]
    wanted['PnL'] = [worth * SHILLING, exact.pnl * TZS36]
  }
  const wrong = Object.entries(wanted).filter(([, [is, should]]) => is !== should)
  if (wrong.length === 0) return
  const list = wrong.map(([name, [is, should]]) => `${name} ${is} instead of ${should}`).join(', ')
  throw new Error(`the run over the ${tape.kind} tape is not exact: ${list}`)
}
