import { readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import { createDailySummary, type DailySummary } from './summary.ts'

const decimal = z.string().regex(/^-?\d{1,60}(\.\d{1,60})?$/)
const count = z.int().min(0)
const moment = z.number().min(0)

/** 0.1.0 wrote two terms of the PnL under other names. */
const RENAMED: Readonly<Record<string, string>> = {
  postedSpread: 'spreadCapture',
  unexplained: 'unreconciled',
}

function withNewNames(terms: unknown): unknown {
  if (typeof terms !== 'object' || terms === null) return terms
  return Object.fromEntries(Object.entries(terms).map(([name, value]) => [RENAMED[name] ?? name, value]))
}

const schema = z.object({
  since: moment,
  before: z
    .object({
      tzs: z.preprocess(
        withNewNames,
        z.object({
          spreadCapture: decimal,
          staleMid: decimal,
          inventory: decimal,
          costs: decimal,
          unreconciled: decimal,
          total: decimal,
        }),
      ),
      usd: z.preprocess(
        withNewNames,
        z.object({
          edge: decimal,
          inventory: decimal,
          costs: decimal,
          unreconciled: decimal,
          total: decimal,
        }),
      ),
      volumeUsd: decimal,
      bid: count,
      ask: count,
    })
    .nullable(),
  summaryAt: moment.nullable(),
  lookedAt: moment,
  quotedMs: moment,
  incidents: z.record(
    z.string().max(100),
    z.object({ severity: z.enum(['info', 'warning', 'critical']), count }),
  ),
  halted: z.object({ since: moment, text: z.string() }).nullable(),
  starts: z.array(moment).max(100),
  isRunning: z.boolean(),
})

export type SummaryFile = {
  /** The book as a process before this one left it. One that is missing, damaged or of the future begins anew. */
  readonly read: (now: Ms) => DailySummary
  /** Writes it whole or leaves it as it was; rejects with what the file system says. */
  readonly write: (book: DailySummary) => Promise<void>
}

export function summaryFile(path: string): SummaryFile {
  return {
    read(now) {
      try {
        const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
        return parsed.success && parsed.data.since <= now ? parsed.data : createDailySummary(now)
      } catch {
        return createDailySummary(now)
      }
    },
    async write(book) {
      const unfinished = `${path}.part`
      const file = await open(unfinished, 'w')
      try {
        await file.writeFile(JSON.stringify(book))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(unfinished, path)
    },
  }
}
