import { z } from 'zod'
import { ms, type Shown } from './fields.ts'

const measure = z.object({
  name: z.enum(['fills', 'edge', 'edgeUsd', 'markout', 'informedLoss', 'informedLossUsd']),
  /** The reference that the fill is valued at; null = the mid at the fill, or a count. */
  horizon: z.string().nullable(),
  unit: z.enum(['fills', 'bps', 'USD']),
  expected: z
    .object({ value: z.number(), low: z.number(), high: z.number() })
    .describe('With its 90 % band.'),
  /** Null = no fills, or too few rate updates. */
  realised: z.number().nullable(),
  /** Null = not judged. */
  verdict: z.enum(['within', 'above', 'below']).nullable(),
})

const sideScore = z.object({
  fills: z.int(),
  exposureDays: z.number().describe('Days in which takers could reach us, weighted by routing.'),
  turnoverUsd: z.number(),
  measures: z.array(measure),
})

export const cardSchema = z.object({
  from: ms,
  to: ms,
  calibratedFrom: ms,
  calibratedTo: ms,
  both: sideScore,
  bid: sideScore,
  ask: sideScore,
  outside: z.array(z.string()).describe('Measures outside of their band, as `bid fills`.'),
  judged: z.int().describe('The number of measures with a verdict; about one in ten is outside by chance.'),
  warnings: z.array(z.string()),
})
export type CardView = Shown<z.infer<typeof cardSchema>>

/** The result that `mizani scorecard --every` saves in the store's folder and a daemon shows. */
export const scorecardSchema = z.object({
  at: ms.nullable().describe('When the command last compared; null = no result is known.'),
  /** Null = nothing to compare yet. */
  card: cardSchema.nullable(),
  /** Since when a measure has been outside of its band; null = all are inside. */
  outsideSince: ms.nullable(),
  /** Why the last comparison failed, if there is an earlier `card`; without one, why no result is known. */
  problem: z.string().nullable(),
})
export type ScorecardView = Shown<z.infer<typeof scorecardSchema>>
