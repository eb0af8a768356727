import cliTruncate from 'cli-truncate'
import stringWidth from 'string-width'
import { printable, printableStyled } from '../../base/printable.ts'
import type { RowOptions } from './tables.ts'

/** Content of a screen: lines for a terminal of some size, and one plain line for other outputs. */
export type ScreenContent = {
  readonly lines: (look: RowOptions) => readonly string[]
  readonly line: () => string
}

export type Screen = {
  /** Draws; on a terminal it redraws when the size changes. */
  readonly show: (picture: ScreenContent) => void
  /** Restores the terminal. Showing content again starts over. */
  readonly end: () => void
}

type ScreenOptions = {
  /** Uses a separate page that disappears at the end; otherwise draws below the earlier output. */
  readonly ownPage?: boolean
  readonly env?: Readonly<Record<string, string | undefined>>
}

type Output = NodeJS.WriteStream

const LINE_EVERY_MS = 3_000
const USUAL: TerminalSize = { columns: 80, rows: 24 }
const HOME = '\u001B[H'
const CLEAR = '\u001B[2J\u001B[H'
const OPEN_PAGE = '\u001B[?1049h\u001B[?25l'
const CLOSE_PAGE = '\u001B[?25h\u001B[?1049l'

/** A status that is redrawn in place on a terminal, and a plain line every few seconds elsewhere. */
export function createScreen(
  output: Output,
  { ownPage = false, env = process.env }: ScreenOptions = {},
): Screen {
  const { live, colour } = terminalFeatures(output, env)
  if (!live) return plainScreen(output)
  return ownPage ? pageScreen(output, colour) : inlineScreen(output, colour)
}

/**
 * Uses the terminal's alternate page with the cursor hidden. Restores it even if the process ends by an error or
 * `process.exit`; a signal without a handler, or kill -9, leaves no time for that.
 */
function pageScreen(output: Output, colour: boolean): Screen {
  let last: ScreenContent | null = null
  const draw = (before: string): void => {
    if (last === null) return
    const room = roomOf(output)
    output.write(frame(last.lines({ width: room.columns, colour }), `${before}${HOME}`, room))
  }
  const redraw = (): void => draw('')
  const end = (): void => {
    if (last === null) return
    last = null
    output.off('resize', redraw)
    process.off('exit', end)
    output.write(CLOSE_PAGE)
  }
  return {
    show(picture) {
      const isFirst = last === null
      last = picture
      if (isFirst) {
        output.on('resize', redraw)
        process.once('exit', end)
      }
      draw(isFirst ? OPEN_PAGE : '')
    },
    end,
  }
}

/**
 * Draws below the earlier output. Each write turns line wrap back on, so kill -9 leaves the terminal as it was unless
 * it interrupts a write.
 */
function inlineScreen(output: Output, colour: boolean): Screen {
  let last: ScreenContent | null = null
  let drawn = 0
  const draw = (start: string): void => {
    if (last === null) return
    const { columns, rows } = roomOf(output)
    // The cursor stays on the line below.
    const shown = fit(last.lines({ width: columns, colour }), { columns, rows: Math.max(1, rows - 1) })
    output.write(frame(shown, start, { columns, rows: shown.length + 1 }))
    drawn = shown.length
  }
  // The terminal may have rewrapped lines, so the start of the drawing is unknown.
  const redraw = (): void => draw(CLEAR)
  return {
    show(picture) {
      if (last === null) output.on('resize', redraw)
      last = picture
      draw(drawn === 0 ? '' : `\u001B[${drawn}A\r`)
    },
    end() {
      output.off('resize', redraw)
      last = null
      drawn = 0
    },
  }
}

function plainScreen(output: Output): Screen {
  let last = 0
  return {
    show(picture) {
      const now = Date.now()
      if (now - last < LINE_EVERY_MS) return
      last = now
      output.write(`${printable(picture.line())}\n`)
    },
    end: () => undefined,
  }
}

/** Some terminals report the size 0. */
function roomOf(output: Output): TerminalSize {
  const known = (size: number | undefined, usual: number) => (size === undefined || size < 1 ? usual : size)
  return { columns: known(output.columns, USUAL.columns), rows: known(output.rows, USUAL.rows) }
}

/** The size of a terminal. */
type TerminalSize = { readonly columns: number; readonly rows: number }

const CLEAR_TO_LINE_END = '\u001B[K'
const CLEAR_TO_SCREEN_END = '\u001B[J'
/** Terminals that support it show all text in between at once; others ignore it. */
const HOLD = '\u001B[?2026h\u001B[?7l'
const RELEASE = '\u001B[?7h\u001B[?2026l'

/**
 * Returns one drawing over an older one as a single text: each line overwrites the previous one and clears the rest,
 * which avoids flicker. Lines are cut, never wrapped, and so are lines that do not fit below. `start` moves the
 * cursor to the start of the drawing.
 */
function frame(lines: readonly string[], start: string, room: TerminalSize): string {
  const drawn = fit(lines, room).map((line) => {
    const cut = cliTruncate(printableStyled(line), room.columns)
    // In the last column the cursor stays on the last character, which clearing would erase.
    return stringWidth(cut) < room.columns ? `${cut}${CLEAR_TO_LINE_END}` : cut
  })
  const rest = drawn.length < room.rows ? `\r\n${CLEAR_TO_SCREEN_END}` : ''
  return `${HOLD}${start}${drawn.join('\r\n')}${rest}${RELEASE}`
}

/** Returns the lines that fit; the last one gives the number of lines below it. */
function fit(lines: readonly string[], { rows }: TerminalSize): readonly string[] {
  if (lines.length <= rows) return lines
  const shown = Math.max(0, rows - 1)
  return [...lines.slice(0, shown), `… ${lines.length - shown} more lines: make the window taller`]
}

/** Abilities of a stream. */
type TerminalFeatures = {
  /** Whether the terminal can move its cursor. */
  readonly live: boolean
  readonly colour: boolean
}

/**
 * Pipes, files and TERM=dumb get plain lines without colour; NO_COLOR (any non-empty text, see no-color.org) only
 * disables colour.
 */
export function terminalFeatures(
  output: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
): TerminalFeatures {
  const live = output.isTTY === true && env['TERM'] !== 'dumb'
  return { live, colour: live && (env['NO_COLOR'] ?? '') === '' }
}
