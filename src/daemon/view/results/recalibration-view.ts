import { z } from 'zod'
import { ms, type Shown } from '../fields.ts'

const estimate = z.object({ value: z.number(), low: z.number(), high: z.number() })
const window = z.object({ from: ms, to: ms })
const figures = z.object({
  ...window.shape,
  fills: z.int(),
  a: estimate.describe('Fills a day and side at no spread.'),
  k: estimate.describe('Per bps.'),
})

/** The result that `mizani calibrate --judge` saves in the store's folder. Every interval holds 90 %. */
export const recalibrationSchema = z.object({
  at: ms.nullable(),
  verdict: z.enum(['adopt', 'keep', 'unknown']).describe('unknown: nothing could be replayed.'),
  reason: z.string(),
  adopted: z.boolean().describe('Whether the calibration file was replaced; a running daemon then reloads.'),
  estimated: window.describe('The rows that the candidate is estimated from.'),
  replayed: window.describe('The later rows that were replayed.'),
  current: figures.nullable().describe('The configured calibration; null = no calibration.'),
  candidate: figures.nullable(),
  difference: z
    .object({ days: z.int(), replays: z.int(), meanUsd: z.number(), lowUsd: z.number(), highUsd: z.number() })
    .nullable()
    .describe('The candidate less the configured calibration, dollars a day less holding.'),
  warnings: z.array(z.string()),
})
export type RecalibrationView = Shown<z.infer<typeof recalibrationSchema>>
