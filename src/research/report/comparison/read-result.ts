import { basename } from 'node:path'
import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { FILL_MODELS } from '../../../core/models/fill-models.ts'
import type { ComparedRun } from './compared-run.ts'

/** A result has one row per day; nothing of this size is one. */
const LARGEST_BYTES = 64 * 1024 * 1024

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

/** Reads what `mizani backtest --json` printed, by any version. The error names the file and what would be right. */
export function readBacktestResult(path: string): Result<ComparedRun, string> {
  const text = readText(path)
  if (!text.ok) return text
  let data: unknown
  try {
    data = JSON.parse(text.value)
  } catch {
    return err(`${path} is not JSON; ${WANTED}`)
  }
  const parsed = resultSchema.safeParse(data)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`
    return err(
      `${path} is no result of a backtest${place}: ${issue?.message ?? 'it cannot be read'}; ${WANTED}`,
    )
  }
  const { daily = null, configuration = null, ...result } = parsed.data
  return ok({ name: basename(path), result, daily, configuration })
}

const WANTED = 'the output of `mizani backtest --json` would be right'

function readText(path: string): Result<string, string> {
  try {
    const found = statSync(path)
    if (!found.isFile()) return err(`${path} is not a file; ${WANTED}`)
    if (found.size > LARGEST_BYTES) return err(`${path} is larger than any result; ${WANTED}`)
    return ok(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(code === 'ENOENT' ? `${path}: there is no such file` : `${path} cannot be read: ${message}`)
  }
}
