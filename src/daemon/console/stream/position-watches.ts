import type { PositionPort } from '../position-port.ts'
import { createPositionWatch, type PositionWatch } from './position-watch.ts'

/** The positions that someone follows, each watched once however many do. */
type PositionWatches = {
  /** Looks at these, and forgets all others: who follows one of them later begins anew. */
  readonly look: (wanted: readonly PositionPort[]) => void
  /** The states that were sent last. */
  readonly latest: () => readonly { readonly name: string; readonly text: string }[]
}

type PositionWatchesParts = {
  readonly answerWithinMs: number
  readonly reportError: (error: unknown) => void
  /** Takes the messages of a position as text. */
  readonly send: (position: string, text: string) => void
}

export function createPositionWatches(parts: PositionWatchesParts): PositionWatches {
  const { answerWithinMs, reportError } = parts
  const watches = new Map<PositionPort, PositionWatch>()

  function watchOf(position: PositionPort): PositionWatch {
    const before = watches.get(position)
    if (before !== undefined) return before
    const send = (text: string) => parts.send(position.name, text)
    const watch = createPositionWatch({ position, answerWithinMs, reportError, send })
    watches.set(position, watch)
    return watch
  }

  return {
    look(wanted) {
      for (const [position, watch] of watches) {
        if (wanted.includes(position)) continue
        watch.reset()
        watches.delete(position)
      }
      for (const position of wanted) watchOf(position).look()
    },
    latest: () =>
      Array.from(watches.values()).flatMap(({ name, latest }) => {
        const text = latest()
        return text === null ? [] : [{ name, text }]
      }),
  }
}
