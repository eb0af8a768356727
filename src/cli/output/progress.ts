import { Presets, SingleBar } from 'cli-progress'
import type { TapeRow } from '../../store/tape/model/row.ts'
import { measureTape } from '../../store/tape/summary/summary.ts'
import type { TapeSource } from '../../store/tape/model/batch.ts'
import type { WorkProgress } from '../../research/queue/run-here.ts'
import { ageText } from '../../base/text/times.ts'
import { floatText } from '../../base/text/numbers.ts'
import { writeNote } from './print.ts'
import { leaveOnSignal } from '../repeat.ts'

const LINE_EVERY_MS = 5_000
const ROWS_BETWEEN = 4_096
const clock = (): number => performance.now()

/** Progress over rows: a bar with the remaining time on a terminal, otherwise a line every few seconds. */
type TapeMeter = {
  /** Passes rows on and counts them. */
  readonly count: (rows: AsyncIterable<TapeRow>) => AsyncGenerator<TapeRow, void>
  readonly add: (rows: number) => void
  readonly end: () => void
}

/** `total` estimates the number of rows; it is called only once there is progress to show. */
export function tapeMeter(total: () => number): TapeMeter {
  let done = 0
  const display = process.stderr.isTTY ? rowBar(total) : rowLines(total)
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

/** Shorter work shows no progress: counting the rows first would delay it noticeably. */
const DRAW_AFTER_MS = 300

function rowBar(total: () => number): Display {
  const began = clock()
  const format = '{bar} {percentage} %  {value} of about {total} rows, {eta_formatted} left'
  const drawn = new SingleBar(
    { stream: process.stderr, format, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  )
  let all: number | null = null
  return {
    show(done) {
      if (clock() - began < DRAW_AFTER_MS) return
      if (all === null) {
        all = total()
        drawn.start(all, 0)
      }
      drawn.update(Math.min(done, all))
    },
    end: () => drawn.stop(),
  }
}

function rowLines(total: () => number): Display {
  const began = clock()
  let saidAt = began
  let all: number | null = null
  return {
    show(done) {
      const at = clock()
      if (at - saidAt < LINE_EVERY_MS || done === 0) return
      saidAt = at
      all ??= total()
      const left = ageText(((at - began) / done) * Math.max(0, all - done))
      writeNote(`${floatText(done, 0)} of about ${floatText(all, 0)} rows, ${left} left`)
    },
    end: () => undefined,
  }
}

/** Returns the same tape with progress output; `path` is its location. */
export function tapeProgress(source: TapeSource, path: string): TapeSource {
  return {
    problems: source.problems,
    async *batches() {
      const meter = tapeMeter(() => measureTape(path).rows)
      for await (const batch of source.batches()) {
        yield batch
        meter.add(batch.rows)
      }
      meter.end()
    },
  }
}

type ProgressDisplay = {
  readonly show: (progress: WorkProgress) => void
  readonly end: () => void
}

/** Runs interruptible work in parts and shows its progress; `parts` names them. */
export async function showWork<Value>(
  parts: string,
  work: (observe: ProgressDisplay['show'], signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const progress = workProgress(parts)
  const done = await leaveOnSignal((signal) => work(progress.show, signal))
  progress.end()
  return done
}

/** Progress over parts: a bar with the remaining time on a terminal, otherwise a line every few seconds. */
export function workProgress(
  parts: string,
  output: NodeJS.WriteStream = process.stderr,
  now = clock,
): ProgressDisplay {
  return output.isTTY ? workBar(parts, output) : workLines(parts, output, now)
}

function workBar(parts: string, output: NodeJS.WriteStream): ProgressDisplay {
  const drawn = new SingleBar(
    {
      stream: output,
      format: `{bar} {percentage} %  {value} of {total} ${parts}, {eta_formatted} left`,
      hideCursor: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  )
  let started = false
  return {
    show({ done, total, before }) {
      if (!started) drawn.start(total, before)
      started = true
      drawn.setTotal(total)
      drawn.update(done)
    },
    end: () => drawn.stop(),
  }
}

function workLines(parts: string, output: NodeJS.WriteStream, now: () => number): ProgressDisplay {
  let began: number | null = null
  let saidAt = -Infinity
  return {
    show({ done, total, before }) {
      began ??= now()
      if (now() - saidAt < LINE_EVERY_MS) return
      saidAt = now()
      const ran = done - before
      const left = ran === 0 ? '' : `, ${ageText(((now() - began) / ran) * (total - done))} left`
      output.write(`${done} of ${total} ${parts}${left}\n`)
    },
    end: () => undefined,
  }
}

const REDRAW_MS = 200

/** Percent and remaining time for journals that take a while: on a terminal in place, otherwise a line every few seconds. */
type ReplayProgress = {
  readonly note: (done: number) => void
  readonly end: () => void
}

export function replayProgress(
  total: number,
  output: NodeJS.WriteStream = process.stderr,
  now = clock,
): ReplayProgress {
  const { isTTY } = output
  const began = now()
  let drawnAt = began
  let drawn = false
  return {
    note(done) {
      const at = now()
      if (at - drawnAt < (isTTY ? REDRAW_MS : LINE_EVERY_MS)) return
      drawnAt = at
      drawn = true
      const left = ((at - began) / Math.max(1, done)) * (total - done)
      const percent = Math.floor((100 * done) / Math.max(1, total))
      const line = `replaying ${percent} %, ${ageText(left)} left`
      output.write(isTTY ? `\r\u001B[K${line}` : `${line}\n`)
    },
    end() {
      if (drawn && isTTY) output.write('\r\u001B[K')
    },
  }
}
