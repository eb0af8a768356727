import { renderPositions, type ListedPosition } from './render-positions.ts'
import { renderStatus } from './render-status.ts'
import type { Picture } from './screen.ts'
import type { Seen, Unseen } from './see-position.ts'
import { statusLine } from './status-line.ts'
import { tableRow } from './table-row.ts'

/** One position whole, with what has to be known of the figures above it. */
export function statusPicture(seen: Seen | Unseen): Picture {
  if ('why' in seen) return notePicture(seen.why)
  const { view, note } = seen
  const above = note === null ? [] : [note]
  return {
    lines: (look) => [
      ...above.flatMap((text) => tableRow('', [{ text, tone: 'warn' }], look)),
      ...renderStatus(view, look),
    ],
    line: () => [...above, statusLine(view)].join(' | '),
  }
}

/** Several positions as a list. */
export function positionsPicture(positions: readonly ListedPosition[]): Picture {
  return {
    lines: (look) => renderPositions(positions, look),
    line: () =>
      positions
        .map(({ name, seen }) => `${name} | ${'why' in seen ? seen.why : statusPicture(seen).line()}`)
        .join('\n'),
  }
}

/** A sentence where there is nothing else to be seen. */
export function notePicture(text: string): Picture {
  return { lines: (look) => tableRow('', [text], look), line: () => text }
}
