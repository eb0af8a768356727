import { ageText } from './number-text.ts'

const REDRAW_MS = 200

/** Percent and remaining time on a terminal's stderr, for journals that take a while; nothing elsewhere. */
export type ReplayProgress = {
  readonly note: (done: number) => void
  readonly end: () => void
}

export function replayProgress(total: number, output: NodeJS.WriteStream, now: () => number): ReplayProgress {
  if (!output.isTTY) return { note: () => undefined, end: () => undefined }
  const began = now()
  let drawnAt = began
  let drawn = false
  return {
    note(done) {
      const at = now()
      if (at - drawnAt < REDRAW_MS) return
      drawnAt = at
      drawn = true
      const left = ((at - began) / Math.max(1, done)) * (total - done)
      const percent = Math.floor((100 * done) / Math.max(1, total))
      output.write(`\r\u001B[Kreplaying ${percent} %, ${ageText(left)} left`)
    },
    end() {
      if (drawn) output.write('\r\u001B[K')
    },
  }
}
