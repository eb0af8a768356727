import { fit, frame, type Room } from './frame.ts'
import type { RowOptions } from './table-row.ts'
import { terminalLook } from './terminal-look.ts'

/** What is to be seen: as lines for a terminal of some size, and as one plain line for where there is none. */
export type Picture = {
  readonly lines: (look: RowOptions) => readonly string[]
  readonly line: () => string
}

export type Screen = {
  /** Draws; on a terminal the same is drawn again when its size changes. */
  readonly show: (picture: Picture) => void
  /** Gives the terminal back as it was. Showing something more begins anew. */
  readonly end: () => void
}

export type ScreenOptions = {
  /** A page of its own, which is gone when it ends. Otherwise below what was written before. */
  readonly ownPage?: boolean
  readonly env?: Readonly<Record<string, string | undefined>>
}

type Output = NodeJS.WriteStream

const LINE_EVERY_MS = 3_000
const USUAL: Room = { columns: 80, rows: 24 }
const HOME = '\u001B[H'
const CLEAR = '\u001B[2J\u001B[H'
const OPEN_PAGE = '\u001B[?1049h\u001B[?25l'
const CLOSE_PAGE = '\u001B[?25h\u001B[?1049l'

/** A status that is redrawn in place on a terminal, and a plain line every few seconds elsewhere. */
export function createScreen(
  output: Output,
  { ownPage = false, env = process.env }: ScreenOptions = {},
): Screen {
  const { live, colour } = terminalLook(output, env)
  if (!live) return plainScreen(output)
  return ownPage ? pageScreen(output, colour) : inlineScreen(output, colour)
}

/**
 * The terminal's other page, with the cursor hidden. It is given back also when the process ends by an error
 * or by `process.exit`; a signal that nobody hears, or kill -9, leaves no time for that.
 */
function pageScreen(output: Output, colour: boolean): Screen {
  let last: Picture | null = null
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

/** Below what was there. Nothing of the terminal is changed, so that kill -9 leaves nothing to mend. */
function inlineScreen(output: Output, colour: boolean): Screen {
  let last: Picture | null = null
  let drawn = 0
  const draw = (start: string): void => {
    if (last === null) return
    const { columns, rows } = roomOf(output)
    // The cursor rests on the line below.
    const shown = fit(last.lines({ width: columns, colour }), { columns, rows: Math.max(1, rows - 1) })
    output.write(frame(shown, start, { columns, rows: shown.length + 1 }))
    drawn = shown.length
  }
  // Where lines were wrapped anew nobody knows how far up the drawing began.
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
      output.write(`${picture.line()}\n`)
    },
    end: () => undefined,
  }
}

/** Some terminals do not know their size and say 0. */
function roomOf(output: Output): Room {
  const known = (size: number | undefined, usual: number) => (size === undefined || size < 1 ? usual : size)
  return { columns: known(output.columns, USUAL.columns), rows: known(output.rows, USUAL.rows) }
}
