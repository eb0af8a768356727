import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { styleText } from 'node:util'
import { printable } from '../../base/printable.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'dim' | 'bold'
/** A text that stays on one line if there is room; longer ones break between words. */
export type Piece = string | { readonly text: string; readonly tone: Tone }
export type RowOptions = { readonly width: number; readonly colour: boolean }

const FORMAT = { good: 'green', warn: 'yellow', bad: 'red', dim: 'dim', bold: 'bold' } as const
const LABEL_WIDTH = 13
const GAP = '   '

/**
 * Renders a labelled row of a table: as many lines as its pieces need at this width, and one more if the label is too long
 * for the same line. Control characters never reach the terminal.
 */
export function tableRow(label: string, pieces: readonly Piece[], { width, colour }: RowOptions): string[] {
  const room = Math.max(20, width - LABEL_WIDTH)
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of pieces) {
    const { tone, ...given } = typeof piece === 'string' ? { text: piece, tone: null } : piece
    const text = printable(given.text)
    for (const part of stringWidth(text) <= room
      ? [text]
      : wrapAnsi(text, room, { hard: true }).split('\n')) {
      const width = stringWidth(part)
      if (used > 0 && used + GAP.length + width > room) {
        lines.push(line)
        line = ''
        used = 0
      }
      const shown = colour && tone !== null ? styleText(FORMAT[tone], part, { validateStream: false }) : part
      line += `${used > 0 ? GAP : ''}${shown}`
      used += (used > 0 ? GAP.length : 0) + width
    }
  }
  lines.push(line)
  const title = printable(label)
  const dim = (text: string) => (colour ? styleText('dim', text, { validateStream: false }) : text)
  const indented = lines.map((text) => `${' '.repeat(LABEL_WIDTH)}${text}`.trimEnd())
  const gap = LABEL_WIDTH - stringWidth(title)
  if (gap < 1) return [dim(title), ...indented]
  return [`${dim(title + ' '.repeat(gap))}${lines[0] ?? ''}`.trimEnd(), ...indented.slice(1)]
}

/** Formats rows of cells as lines, each column as wide as its widest cell; `isLeft` selects the text columns. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  isLeft: (column: number) => boolean,
  gap = '  ',
): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        isLeft(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join(gap)
      .trimEnd(),
  )
}
