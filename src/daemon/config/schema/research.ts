import { BOOK_DECIMALS } from '../../../base/money/asset.ts'
import { z } from 'zod'
import { FILL_MODELS } from '../../../core/models/fill-models.ts'
import { DEFAULT_HORIZONS } from '../../../core/models/markouts/horizons.ts'
import { between, field, money, orNull, perAsset, whole } from './field.ts'

export const backtestSection = z.strictObject({
  tape: orNull(field.text, 'The default of --tape: a tape (folder or file), relative to this file.'),
  data: orNull(
    field.text,
    "Own columns for the strategy (context.data): a CSV or Parquet file with 'time' and numbers, relative to this file. The daemon does not read it.",
  ),
  fills: z
    .enum(FILL_MODELS)
    .default('recorded')
    .describe('The fill model; recorded is the most conservative.'),
  opening: orNull(
    perAsset(() => money(BOOK_DECIMALS)),
    'Opening balances in tokens; null = the first balances on the tape.',
  ),
  latencyMs: field.durationMs.default(250).describe('From sending a request to its effect at the venue.'),
  acceptMidAfterMs: field.durationMs
    .default(600_000)
    .describe(
      'A mid that moved beyond a limit is adopted after this long, as if an operator had accepted it.',
    ),
  fairValue: orNull(
    field.text,
    'The reference source used as fair value; null = the first source on the tape, else the mid.',
  ),
  markoutHorizonsMs: z
    .array(whole(60_000, 604_800_000))
    .max(8)
    .default([...DEFAULT_HORIZONS.afterMs])
    .describe('Markouts are measured this long after each fill, where the fair value moves within the day.'),
  markoutUpdates: z
    .array(whole(1, 50))
    .max(8)
    .default([...DEFAULT_HORIZONS.afterUpdates])
    .describe('Markouts are measured at the next rate update, and this many updates after it.'),
  maxSkippedShare: between(0, 1)
    .default(0.01)
    .describe(
      'Maximum share of skipped rows, and of skipped fills; a tape above it is refused with exit code 1.',
    ),
  seed: whole(0, 2_147_483_647)
    .default(1)
    .describe('Seed of all random draws; equal seeds give equal results.'),
})

export const recordSection = z.strictObject({
  path: orNull(
    field.text,
    'A folder for the tape, relative to the working directory; null = nothing is recorded.',
  ),
  rotateMs: field.intervalMs.default(6 * 3_600_000).describe('Duration of one Parquet file.'),
})

export const researchSection = z.strictObject({
  tapes: z
    .array(field.text)
    .max(50)
    .default([])
    .describe('Tapes (folders or files, relative to this file) that a backtest from the console may read.'),
})

/** Decimals of USD amounts here. */
const USD_DECIMALS = 6

/** How long a bad night of `mizani drill` may take, and its maximum cost. The daemon does not read it. */
export const drillsSection = z.strictObject({
  maxNoticeMs: field.intervalMs
    .default(60_000)
    .describe('A drill fails when the log names what happened later than this.'),
  maxSafeMs: field.intervalMs
    .default(120_000)
    .describe(
      'A drill fails when the position is safe later than this, counted from the end of a fault that lasts.',
    ),
  maxCostUsd: orNull(
    money(USD_DECIMALS),
    'A drill fails when it costs more USD. null: 2 % of the capital that it deploys.',
  ),
})
