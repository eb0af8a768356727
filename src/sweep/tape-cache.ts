import type { TapeBatch, TapeSource } from '../tape/model/batch.ts'

/**
 * The same tape, kept in memory when it was read once and is not longer than `maxRows`: many backtests over one
 * tape need not decode it each time. A reading that is given up half way is not remembered.
 */
export function rememberTape(source: TapeSource, maxRows: number): TapeSource {
  let remembered: readonly TapeBatch[] | null = null
  return {
    problems: source.problems,
    async *batches() {
      if (remembered !== null) {
        yield* remembered
        return
      }
      let kept: TapeBatch[] | null = []
      let rows = 0
      for await (const batch of source.batches()) {
        rows += batch.rows
        if (rows > maxRows) kept = null
        kept?.push(batch)
        yield batch
      }
      remembered = kept
    },
  }
}
