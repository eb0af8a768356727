import { z } from 'zod'
import { amounts, ms, type Shown } from './fields.ts'

const usd = z.number().describe('Dollars; a float of statistics.')

/** The result of one strategy in the simulated venue. */
const shadowRun = z.object({
  fills: z.int(),
  syntheticFills: z.int().describe('The fills of takers that the model added.'),
  quoteUpdates: z.int(),
  /** The last live quote; a side that is null is off. Null = no quote was ever live. */
  quote: z.object({ at: ms, bidBps: z.number().nullable(), askBps: z.number().nullable() }).nullable(),
  turnoverUsd: usd,
  edgeUsd: usd,
  edgeBps: z.number().nullable().describe('Edge per dollar traded; null = no fills.'),
  markoutBps: z.number().nullable().describe('The remaining edge at the next rate update.'),
  lessHoldingUsd: usd.describe('PnL less the gain of holding the opening position.'),
  held: amounts,
  digest: z.string().describe('sha-256 over every quote update, every fill and the final balances.'),
})

export const comparedSchema = z.object({
  from: ms,
  to: ms,
  champion: shadowRun,
  challenger: shadowRun,
  /** Challenger less champion, PnL less holding of a day; null = fewer than two days. */
  difference: z
    .object({ days: z.int(), meanUsd: usd, seUsd: usd, p: z.number().describe('Two-sided, by Student.') })
    .nullable(),
  /** The latest days, oldest first, each by its end; first and last days of under 12 h are joined. */
  days: z.array(z.object({ to: ms, championUsd: usd, challengerUsd: usd })),
  warnings: z.array(z.string()),
})
export type ComparedView = Shown<z.infer<typeof comparedSchema>>
export type ShadowRunView = ComparedView['champion']

/** The result that `mizani challenger` saves in the store's folder and a daemon shows. */
export const challengerSchema = z.object({
  use: z.string(),
  params: z.unknown(),
  /** The code and parameters of the fields below; other code starts from zero. */
  fingerprint: z.string(),
  since: ms.nullable().describe('When it began; earlier recordings do not count. Null = no result is known.'),
  at: ms.nullable().describe('When it last ran.'),
  /** Null = nothing to compare yet. */
  compared: comparedSchema.nullable(),
  /** Why the challenger is suspended; null = it is not. */
  suspended: z.object({ since: ms, why: z.string() }).nullable(),
  /** Why the last run failed for reasons outside the challenger, or why no result is known. */
  problem: z.string().nullable(),
})
export type ChallengerView = Shown<z.infer<typeof challengerSchema>>
