import { Presets, SingleBar } from 'cli-progress'
import type { TapeRow } from '../tape/model/row.ts'
import { ageText, numberText } from './number-text.ts'

const LINE_EVERY_MS = 5_000
const ROWS_BETWEEN = 4_096

/** How far some work over rows is: a bar with what is left on a terminal, a line every few seconds elsewhere. */
export type TapeMeter = {
  /** Passes rows on and counts them. */
  readonly count: (rows: AsyncIterable<TapeRow>) => AsyncGenerator<TapeRow, void>
  readonly add: (rows: number) => void
  readonly end: () => void
}

/** `total` is about how many rows there are. */
export function tapeMeter(total: number, output: NodeJS.WriteStream, now: () => number): TapeMeter {
  let done = 0
  const display = output.isTTY ? bar(total, output) : lines(total, output, now)
  const add = (rows: number): void => {
    done += rows
    display.show(done)
  }
  return {
    async *count(rows) {
      let since = 0
      for await (const row of rows) {
        yield row
        if (++since < ROWS_BETWEEN) continue
        add(since)
        since = 0
      }
      add(since)
    },
    add,
    end: display.end,
  }
}

type Display = { readonly show: (done: number) => void; readonly end: () => void }

function bar(total: number, stream: NodeJS.WriteStream): Display {
  const format = '{bar} {percentage} %  {value} of about {total} rows, {eta_formatted} left'
  const drawn = new SingleBar(
    { stream, format, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  )
  drawn.start(total, 0)
  return { show: (done) => drawn.update(Math.min(done, total)), end: () => drawn.stop() }
}

function lines(total: number, output: NodeJS.WriteStream, now: () => number): Display {
  const began = now()
  let saidAt = began
  return {
    show(done) {
      const at = now()
      if (at - saidAt < LINE_EVERY_MS || done === 0) return
      saidAt = at
      const left = ageText(((at - began) / done) * Math.max(0, total - done))
      const [of, all] = [numberText(String(done), 0), numberText(String(total), 0)]
      output.write(`${of} of about ${all} rows, ${left} left\n`)
    },
    end: () => undefined,
  }
}
