import { Presets, SingleBar } from 'cli-progress'
import type { SweepProgress } from '../sweep/run-sweep.ts'
import { ageText } from './number-text.ts'

const LINE_EVERY_MS = 5_000

/** How far a sweep is: a bar with what is left on a terminal, a line every few seconds elsewhere. */
export type ProgressDisplay = {
  readonly show: (progress: SweepProgress) => void
  readonly end: () => void
}

export function sweepProgress(output: NodeJS.WriteStream, now: () => number): ProgressDisplay {
  return output.isTTY ? bar(output) : lines(output, now)
}

function bar(output: NodeJS.WriteStream): ProgressDisplay {
  const drawn = new SingleBar(
    {
      stream: output,
      format: '{bar} {percentage} %  {value} of {total} variants, {eta_formatted} left',
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
      drawn.update(done)
    },
    end: () => drawn.stop(),
  }
}

function lines(output: NodeJS.WriteStream, now: () => number): ProgressDisplay {
  let began: number | null = null
  let saidAt = -Infinity
  return {
    show({ done, total, before }) {
      began ??= now()
      if (now() - saidAt < LINE_EVERY_MS) return
      saidAt = now()
      const ran = done - before
      const left = ran === 0 ? '' : `, ${ageText(((now() - began) / ran) * (total - done))} left`
      output.write(`${done} of ${total} variants${left}\n`)
    },
    end: () => undefined,
  }
}
