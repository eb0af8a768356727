import type { ListedPosition } from './render-positions.ts'

/** A position for machines: all that its view has and whether it runs, or why it cannot be seen. */
export function seenDocument({ name, seen }: ListedPosition): object {
  if ('why' in seen) return { name, error: seen.why, exitCode: seen.exitCode }
  const { view, note } = seen
  return { ...view, running: note === null, ...(note === null ? {} : { note }) }
}
