import { z } from 'zod'
import { decimalText, floatText } from '../../../base/text/numbers.ts'
import type { ConfigurationRows } from '../../backtest/configuration-rows.ts'
import type { DailyRow } from '../../backtest/metrics/daily-rows.ts'
import { FILL_MODELS } from '../../../core/models/fill-models.ts'

const number = z.number()
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)
const moment = z.iso.datetime()
const totals = z.object({ total: decimal })

const side = z.object({ edgeBps: number.nullable(), fills: number })

/** The part of a backtest's JSON that is compared. Fields that later versions add are ignored. */
export const resultSchema = z.object({
  strategy: z.string(),
  params: z.unknown(),
  fillModel: z.enum(FILL_MODELS),
  seed: number,
  from: moment,
  to: moment,
  edgeBps: z.object({ mean: number.nullable(), ci90: z.tuple([number, number]).readonly().nullable() }),
  fills: number,
  turnoverUsd: decimal,
  rejected: number,
  quoteUpdates: number,
  uptime: z.object({ bid: number, ask: number }),
  syntheticShare: number,
  warnings: z.array(z.string()).readonly(),
  pnl: z.object({ tzs: totals, usd: totals }),
  maxDrawdown: z.object({ usd: number }),
  /** Missing in results of versions that did not split the edge. */
  bySide: z.object({ bid: side, ask: side }).optional(),
  daily: z
    .array(
      z.object({
        day: z.string(),
        to: moment,
        pnlUsd: number,
        lessHoldingUsd: number,
        turnoverUsd: number,
        fills: number,
        fair: number,
      }),
    )
    .optional(),
  configuration: z.array(z.object({ key: z.string(), value: z.string() })).optional(),
})

/** The part of a result that is compared. */
type ComparedResult = Omit<z.infer<typeof resultSchema>, 'daily' | 'configuration'>

/** One of the two compared runs. */
export type ComparedRun = {
  /** A file, or its part in the comparison. */
  readonly name: string
  readonly result: ComparedResult
  /** Null in results of versions without it. */
  readonly daily: readonly DailyRow[] | null
  readonly configuration: ConfigurationRows | null
}

type Row = readonly [label: string, of: (result: ComparedResult) => string]

/** The figures shown for both runs, next to each other. */
export const SIDE_BY_SIDE: readonly Row[] = [
  ['strategy', ({ strategy }) => strategy],
  ['PnL USD', ({ pnl }) => decimalText(pnl.usd.total, 2, 'plus')],
  ['PnL TZS', ({ pnl }) => decimalText(pnl.tzs.total, 0, 'plus')],
  ['edge bps', ({ edgeBps }) => (edgeBps.mean === null ? '-' : edgeBps.mean.toFixed(2))],
  ['90 % of it', ({ edgeBps }) => edgeBps.ci90?.map((bps) => bps.toFixed(2)).join(' to ') ?? '-'],
  ['fills', ({ fills }) => floatText(fills, 0)],
  ['turnover USD', ({ turnoverUsd }) => decimalText(turnoverUsd, 0)],
  ['rejected', ({ rejected }) => floatText(rejected, 0)],
  ['PATCHes', ({ quoteUpdates }) => floatText(quoteUpdates, 0)],
  ['uptime bid', ({ uptime }) => `${(100 * uptime.bid).toFixed(1)} %`],
  ['uptime ask', ({ uptime }) => `${(100 * uptime.ask).toFixed(1)} %`],
  ['drawdown USD', ({ maxDrawdown }) => maxDrawdown.usd.toFixed(2)],
  ['synthetic', ({ syntheticShare }) => `${(100 * syntheticShare).toFixed(1)} %`],
]
