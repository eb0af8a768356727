import { z } from 'zod'
import { FILL_MODELS } from '../../backtest/fill-models/fill-model.ts'
import { field, money, perAsset } from './field.ts'

export const backtestSection = z.strictObject({
  tape: field.text
    .nullable()
    .default(null)
    .describe('A tape (folder or file), relative to this file, for when --tape is not given.'),
  fills: z
    .enum(FILL_MODELS)
    .default('recorded')
    .describe('Who trades with us; recorded is the most careful.'),
  opening: perAsset(money)
    .nullable()
    .default(null)
    .describe('Tokens to begin with; null = the first balances on the tape.'),
  latencyMs: field.durationMs.default(250).describe('From sending a request to its effect at the venue.'),
  acceptMidAfterMs: field.durationMs
    .default(600_000)
    .describe(
      'A mid over a bound of movement is adopted after this long: it stands in for the person whom the daemon asks.',
    ),
  fairValue: field.text
    .nullable()
    .default(null)
    .describe('The reference source that is the fair value; null = whichever is on the tape, else the mid.'),
  seed: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .default(1)
    .describe('Of everything drawn; equal seeds give equal results.'),
})

export const recordSection = z.strictObject({
  path: field.text
    .nullable()
    .default(null)
    .describe('A folder for the tape, relative to the working directory; null = nothing is recorded.'),
  rotateMs: field.intervalMs
    .default(6 * 3_600_000)
    .describe('How long one Parquet file is written to before the next one.'),
})
