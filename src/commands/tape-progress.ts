import { measureTape } from '../tape/summary/summary.ts'
import type { TapeSource } from '../tape/model/batch.ts'
import { tapeMeter } from './tape-meter.ts'

/** The same tape, showing how far it has been read and what is left; `path` is where it is. */
export function tapeProgress(source: TapeSource, path: string, output: NodeJS.WriteStream): TapeSource {
  return {
    problems: source.problems,
    async *batches() {
      const { rows } = measureTape(path)
      const meter = tapeMeter(rows, output, () => performance.now())
      for await (const batch of source.batches()) {
        yield batch
        meter.add(batch.rows)
      }
      meter.end()
    },
  }
}
