import type { Ms } from '../base/time.ts'

/** Things that will happen at a moment of virtual time. Equal moments keep the order they were added in. */
export type Timeline = {
  /** Infinity when nothing is due. */
  peekAt(): Ms
  add(at: Ms, run: () => void): void
  /** Takes the first one off and runs it. */
  runNext(): void
}

export function createTimeline(): Timeline {
  const tasks: { readonly at: Ms; readonly run: () => void }[] = []
  return {
    peekAt: () => tasks[0]?.at ?? Number.POSITIVE_INFINITY,
    add(at, run) {
      let index = tasks.length
      while (index > 0 && (tasks[index - 1] as { at: Ms }).at > at) index -= 1
      tasks.splice(index, 0, { at, run })
    },
    runNext() {
      tasks.shift()?.run()
    },
  }
}
