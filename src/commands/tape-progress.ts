import type { TapeBatch, TapeSource } from '../tape/tape-batch.ts'
import { numberText } from './number-text.ts'

const REDRAW_MS = 200

/**
 * The same tape, saying on a terminal how far it has been read: rows and the day, for how much is left is
 * not known before the end. Says nothing where the output is no terminal.
 */
export function tapeProgress(source: TapeSource, output: NodeJS.WriteStream): TapeSource {
  if (!output.isTTY) return source
  return {
    problems: source.problems,
    async *batches() {
      let rows = 0
      let drawnAt = performance.now()
      let drawn = false
      for await (const batch of source.batches()) {
        yield batch
        rows += batch.rows
        const now = performance.now()
        if (now - drawnAt < REDRAW_MS) continue
        drawnAt = now
        drawn = true
        output.write(`\r\u001B[Kreading the tape: ${numberText(String(rows), 0)} rows, ${dayOf(batch)}`)
      }
      if (drawn) output.write('\r\u001B[K')
    },
  }
}

function dayOf({ rates, competition }: TapeBatch): string {
  const t = rates.t[rates.length - 1] ?? competition.t[competition.length - 1]
  return t === undefined ? '' : new Date(t).toISOString().slice(0, 10)
}
