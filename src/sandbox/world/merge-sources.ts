import { invariant } from '../../base/invariant.ts'
import type { Source } from './source.ts'

/** All sources as one, in order of time; equal times in the order of the list. */
export function mergeSources(sources: readonly Source[]): Source {
  const earliest = (): Source => {
    let first = sources[0]
    invariant(first !== undefined, 'a world has at least one source')
    for (const source of sources) if (source.peekAt() < first.peekAt()) first = source
    return first
  }
  return {
    peekAt: () => earliest().peekAt(),
    next: (seenMid) => earliest().next(seenMid),
  }
}
