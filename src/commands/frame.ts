import { cutToWidth, displayWidth } from './display-width.ts'

/** The size of a terminal. */
export type Room = { readonly columns: number; readonly rows: number }

const CLEAR_TO_LINE_END = '\u001B[K'
const CLEAR_TO_SCREEN_END = '\u001B[J'
/** A terminal that knows it shows all in between at once; others pass over it. */
const HOLD = '\u001B[?2026h\u001B[?7l'
const RELEASE = '\u001B[?7h\u001B[?2026l'

/**
 * One drawing over an older one, as one text to be written at once: each line is written over what was there and
 * then cleared behind, so that nothing blinks. Lines are cut, never wrapped, and so is what does not fit below.
 * `start` moves the cursor to where the drawing begins.
 */
export function frame(lines: readonly string[], start: string, room: Room): string {
  const drawn = fit(lines, room).map((line) => {
    const cut = cutToWidth(line, room.columns)
    // In the last column the cursor stays on the last letter, which a clearing would take away.
    return displayWidth(cut) < room.columns ? `${cut}${CLEAR_TO_LINE_END}` : cut
  })
  const rest = drawn.length < room.rows ? `\r\n${CLEAR_TO_SCREEN_END}` : ''
  return `${HOLD}${start}${drawn.join('\r\n')}${rest}${RELEASE}`
}

/** As many lines as there is room for; the last one says how many there are below it. */
export function fit(lines: readonly string[], { rows }: Room): readonly string[] {
  if (lines.length <= rows) return lines
  const shown = Math.max(0, rows - 1)
  return [...lines.slice(0, shown), `… ${lines.length - shown} more lines: make the window taller`]
}
