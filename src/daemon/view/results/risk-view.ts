import { z } from 'zod'
import { ms, type Shown } from '../fields.ts'

const simulated = z.object({ value: z.number(), se: z.number().describe('Standard error.') })
const figures = z.object({ var95: simulated, es95: simulated, var99: simulated, es99: simulated })
const tail = z.object({
  of: z.enum(['held', 'quoted']).describe('held: without trades; quoted: takers trade at our quotes.'),
  market: z.string().describe('model: the calibrated model; else a scenario.'),
  days: z.int().describe('1: a working day; 7: a week.'),
  paths: z.int(),
  usd: figures,
  tzs: figures,
})
export type RiskTail = Shown<z.infer<typeof tail>>

const loss = z.object({ usd: z.number(), tzs: z.number() })
const stress = z.object({
  name: z.string(),
  held: loss.describe('Without trades.'),
  taken: loss.describe('The losing side taken whole at our standing quote.'),
  limited: loss.describe('As much of it as the limits allow.'),
  limits: z.array(z.string()).describe('What the limits do.'),
})
export type RiskStress = Shown<z.infer<typeof stress>>

const measured = z.object({
  position: z.object({
    source: z.enum(['daemon', 'store', 'plan']),
    at: ms,
    ntzs: z.number(),
    usd: z.number(),
    tzsPerUsd: z.number(),
    bidBps: z.number().nullable().describe('Null = off, or unknown.'),
    askBps: z.number().nullable(),
  }),
  isCalibrated: z.boolean(),
  worlds: z.int(),
  seed: z.int(),
  tails: z
    .array(tail)
    .describe('The model without and with trades, then the worst market in dollars and in shillings.'),
  stress: z.array(stress),
  notes: z.array(z.string()).describe('What moves, what is held, and what is not known.'),
})
export type RiskMeasured = Shown<z.infer<typeof measured>>

/** The result that `mizani risk` saves in the store's folder. Losses are positive. */
export const riskSchema = z.object({
  at: ms.nullable(),
  /** Null = unknown; `problem` is the reason. */
  measured: measured.nullable(),
  problem: z.string().nullable(),
})
export type RiskView = Shown<z.infer<typeof riskSchema>>
