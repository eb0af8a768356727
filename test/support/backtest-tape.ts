import type { Ms } from '../../src/base/time.ts'
import type { FillModel } from '../../src/research/backtest/fill-models/fill-model.ts'
import { createRecorded } from '../../src/research/backtest/fill-models/create-fill-model.ts'
import { runBacktest } from '../../src/research/backtest/run.ts'
import type {
  BacktestOutcome,
  BacktestParts,
  BacktestSettings,
} from '../../src/research/backtest/settings.ts'
import type { Rejection, Recorder, RecordedFill } from '../../src/research/backtest/recorder.ts'
import type { CoreConfig } from '../../src/core/engine/model/config.ts'
import type { Calendar } from '../../src/core/engine/transition.ts'
import type { Calibration, Estimate, Intensity } from '../../src/core/models/calibration.ts'
import type { Amounts } from '../../src/base/money/asset.ts'
import { RATE_ONE, type Rate } from '../../src/base/money/rate.ts'
import type { Side } from '../../src/base/money/side.ts'
import { createCalendar } from '../../src/daemon/runtime/position/calendar.ts'
import type { OwnData } from '../../src/core/strategy/context.ts'
import type { LoadedStrategy, Plot } from '../../src/core/strategy/define-strategy.ts'
import { batchOfRows, type TapeSource } from '../../src/store/tape/model/batch.ts'
import type {
  BalancesRow,
  CompetitionRow,
  TapeFill,
  QuoteRow,
  RateRow,
  ReferenceRow,
  TapeRow,
} from '../../src/store/tape/model/row.ts'
import { coreConfig } from './core-config.ts'
import { testStrategy } from './test-strategy.ts'

/** A working Monday at ten in the morning in Dar es Salaam. */
export const START = Date.parse('2026-11-02T07:00:00.000Z')
export const NTZS = 10n ** 18n
export const USD = 10n ** 18n
export const MID = 2_568n * RATE_ONE

export function rateRow(t: Ms, mid: Rate, change: Partial<RateRow> = {}): RateRow {
  return { type: 'rate', t, mid, rateUpdatedAt: START - 3_600_000, quotable: true, ...change }
}

export function referenceRow(t: Ms, mid: Rate, source = 'bank-board'): ReferenceRow {
  return { type: 'reference', t, source, mid }
}

/** The best of a side as the probe of that side shows it. */
export function rivalRow(t: Ms, side: Side, bps: number | null): CompetitionRow {
  const other = { bidBps: null, askBps: null }
  return side === 'ask'
    ? { ...other, type: 'competition', t, from: 'USDC', to: 'NTZS', amount: 100n * USD, askBps: bps }
    : { ...other, type: 'competition', t, from: 'NTZS', to: 'USDC', amount: 250_000n * NTZS, bidBps: bps }
}

export function balancesRow(t: Ms, amounts: Partial<Amounts> = {}): BalancesRow {
  const plenty = { NTZS: 130_000_000n * NTZS, USDC: 50_000n * USD, USDT: 0n, ...amounts }
  return { type: 'balances', t, amounts: plenty, source: 'pool' }
}

/** Our quote as it was recorded; null = that side was off. */
export function quoteRow(t: Ms, bidBps: number | null, askBps: number | null): QuoteRow {
  const quoteBid = bidBps !== null
  const quoteAsk = askBps !== null
  return {
    type: 'quote',
    t,
    bidBps: bidBps ?? 500,
    askBps: askBps ?? 500,
    quoteBid,
    quoteAsk,
    quotePairs: null,
  }
}

/** A recorded fill; what was paid out then plays no part where the recorded quote is known. */
export function fillRow(
  t: Ms,
  id: string,
  change: Pick<TapeFill, 'from' | 'to' | 'amountIn'> & Partial<TapeFill>,
): TapeFill {
  const unknown = { protocolFee: null, feesEarned: null, txHash: null, seenAt: null }
  return { type: 'fill', t, id, amountOut: 1n, ...unknown, ...change }
}

export const bringsUsdc = (t: Ms, id: string, usd: number): TapeFill =>
  fillRow(t, id, { from: 'USDC', to: 'NTZS', amountIn: BigInt(usd) * USD })

export const bringsShillings = (t: Ms, id: string, shillings: number): TapeFill =>
  fillRow(t, id, { from: 'NTZS', to: 'USDC', amountIn: BigInt(shillings) * NTZS })

/** Rows that are in the order of a tape already, cut into batches before each index of `cuts`. */
export function sourceOf(rows: readonly TapeRow[], cuts: readonly number[] = []): TapeSource {
  const bounds = [0, ...[...cuts].sort((a, b) => a - b), rows.length]
  return {
    async *batches() {
      for (const [index, from] of bounds.entries()) {
        const part = rows.slice(from, bounds[index + 1] ?? from)
        if (part.length > 0) yield batchOfRows(part)
      }
    },
    problems: () => [],
  }
}

/** What a trail was notified, in words that can be compared. */
export type Told = {
  readonly fills: RecordedFill[]
  readonly quotes: { readonly t: Ms; readonly bidBps: number | null; readonly askBps: number | null }[]
  readonly rejected: { readonly t: Ms; readonly side: Side; readonly why: Rejection }[]
  readonly plots: { readonly t: Ms; readonly plot: Plot }[]
}

export function listeningTrail(): { readonly trail: Recorder; readonly told: Told } {
  const told: Told = { fills: [], quotes: [], rejected: [], plots: [] }
  const trail: Recorder = {
    ...SILENT_TRAIL,
    fill: (fill) => void told.fills.push(fill),
    quote: (t, bidBps, askBps) => void told.quotes.push({ t, bidBps, askBps }),
    rejected: (t, side, why) => void told.rejected.push({ t, side, why }),
    plot: (t, plot) => void told.plots.push({ t, plot }),
  }
  return { trail, told }
}

export const SILENT_TRAIL: Recorder = {
  open: () => {},
  fill: () => {},
  rejected: () => {},
  mark: () => {},
  restate: () => {},
  quote: () => {},
  binding: () => {},
  competition: () => {},
  routed: () => {},
  day: () => {},
  end: () => {},
}

export type Trial = {
  readonly core?: Partial<CoreConfig>
  readonly strategy?: LoadedStrategy
  readonly fills?: FillModel
  readonly trail?: Recorder
  readonly settings?: Partial<BacktestSettings>
  readonly calendar?: Calendar
  readonly data?: OwnData
}

/** The parts of a backtest with plain defaults: 60 bps either side, `recorded` fills, 250 ms to the venue. */
export function partsOf(source: TapeSource, trial: Trial = {}): BacktestParts {
  return {
    core: coreConfig(trial.core),
    strategy: trial.strategy ?? testStrategy(),
    calendar: trial.calendar ?? createCalendar(),
    data: trial.data,
    source,
    fills: trial.fills ?? createRecorded(),
    recorder: trial.trail ?? SILENT_TRAIL,
    settings: {
      opening: null,
      latencyMs: 250,
      acceptMidAfterMs: 600_000,
      toleranceBps: 5,
      fairValue: null,
      ...trial.settings,
    },
  }
}

/** Runs it, and returns its result and what a recorder received. */
export async function runTape(
  tape: readonly TapeRow[] | TapeSource,
  trial: Trial = {},
): Promise<{ readonly outcome: BacktestOutcome; readonly told: Told }> {
  const { trail, told } = listeningTrail()
  const source = 'batches' in tape ? tape : sourceOf(tape)
  const run = await runBacktest(partsOf(source, { trail, ...trial }))
  if (!run.ok) throw new Error(run.error)
  return { outcome: run.value, told }
}

/** Takers come at a exp(-k delta) a day on each side, with these sizes. */
export function calibrationOf(a: number, k: number, sizesUsd: readonly number[] = []): Calibration {
  const exactly = (value: number): Estimate => ({ value, low: value, high: value })
  const both: Intensity = {
    a: exactly(a),
    k: exactly(k),
    fills: 1_000,
    exposureDays: 100,
    method: 'likelihood',
    overdispersion: 1,
  }
  return {
    version: 1,
    from: START,
    to: START,
    fills: 1_000,
    prints: 20,
    both,
    bid: null,
    ask: null,
    sigma: null,
    markouts: [],
    sizesUsd,
    warnings: [],
  }
}
