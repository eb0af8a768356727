import { readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import type { Ms } from '../../base/time.ts'
import { createDailySummary, type DailySummary, summarySchema } from './summary.ts'

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
        const parsed = summarySchema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
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
