import type { PositionView } from '../engine/position-view.ts'
import { renderStatus } from './render-status.ts'
import { statusLine } from './status-line.ts'

export type Screen = {
  readonly show: (view: PositionView) => void
  readonly note: (text: string) => void
  readonly end: () => void
}

type Output = NodeJS.WriteStream

const LINE_EVERY_MS = 3_000

/** A status that is redrawn in place on a terminal, and a plain line every few seconds elsewhere. */
export function createScreen(output: Output): Screen {
  return output.isTTY ? terminalScreen(output) : plainScreen(output)
}

function terminalScreen(output: Output): Screen {
  let drawn = 0
  function draw(lines: readonly string[]): void {
    // Back to the first line of the last drawing, clear to the end, draw: no flicker, resizes well.
    const back = drawn === 0 ? '' : `\u001B[${drawn}A\r\u001B[0J`
    output.write(`${back}${lines.join('\n')}\n`)
    drawn = lines.length
  }
  const colour = process.env['NO_COLOR'] === undefined
  return {
    show: (view) => draw(renderStatus(view, { width: output.columns ?? 80, colour })),
    note: (text) => draw([text]),
    end: () => undefined,
  }
}

function plainScreen(output: Output): Screen {
  let last = 0
  function line(text: string): void {
    const now = Date.now()
    if (now - last < LINE_EVERY_MS) return
    last = now
    output.write(`${text}\n`)
  }
  return { show: (view) => line(statusLine(view)), note: line, end: () => undefined }
}
