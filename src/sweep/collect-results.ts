import type { Ms } from '../base/time.ts'
import type { SweepFolder } from './sweep-folder.ts'
import type { VariantResult } from './variant-job.ts'

const PART_RESULTS = 32
const PART_EVERY_MS: Ms = 5_000

/** Results on their way to the folder. */
export type ResultCollector = {
  /** A variant that is there already is passed over. Throws where the folder cannot be written. */
  readonly take: (result: VariantResult) => void
  readonly has: (variant: number) => boolean
  readonly count: () => number
  /** All results, by variant. */
  readonly all: () => readonly VariantResult[]
  /** Everything that was taken is kept for good. Throws where the folder cannot be written. */
  readonly end: () => void
}

/** Gathers results and writes a part of the folder every 32 of them, or 5 s after the first unwritten one. */
export function collectResults(folder: SweepFolder): ResultCollector {
  const found = new Map(folder.done)
  let unwritten: VariantResult[] = []
  let timer: NodeJS.Timeout | null = null
  let broken: Error | null = null

  function write(): void {
    if (broken !== null) throw broken
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (unwritten.length === 0) return
    const part = unwritten
    unwritten = []
    folder.store(part)
  }

  /** Nobody waits for the clock's writing: what went wrong is thrown at who comes next. */
  function writeByClock(): void {
    try {
      write()
    } catch (thrown) {
      broken = thrown instanceof Error ? thrown : new Error(String(thrown))
    }
  }

  return {
    take(result) {
      if (found.has(result.variant)) return
      found.set(result.variant, result)
      unwritten.push(result)
      if (unwritten.length >= PART_RESULTS) write()
      else timer ??= setTimeout(writeByClock, PART_EVERY_MS)
    },
    has: (variant) => found.has(variant),
    count: () => found.size,
    all: () => [...found.values()].sort((a, b) => a.variant - b.variant),
    end: write,
  }
}
