import { styleText } from 'node:util'
import { displayWidth } from './terminal-text.ts'
import { printable } from './print.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'dim' | 'bold'
/** A text that stays together while there is room for it; longer ones break between words. */
export type Piece = string | { readonly text: string; readonly tone: Tone }
export type RowOptions = { readonly width: number; readonly colour: boolean }

const FORMAT = { good: 'green', warn: 'yellow', bad: 'red', dim: 'dim', bold: 'bold' } as const
const LABEL_WIDTH = 13
const GAP = '   '

/**
 * A labelled row of a table for people: as many lines as its pieces need at this width, and one more for a label
 * that is too long to stand beside them. No text is a command to the terminal.
 */
export function tableRow(label: string, pieces: readonly Piece[], { width, colour }: RowOptions): string[] {
  const room = Math.max(20, width - LABEL_WIDTH)
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of pieces) {
    const { tone, ...given } = typeof piece === 'string' ? { text: piece, tone: null } : piece
    const text = printable(given.text)
    for (const part of displayWidth(text) <= room ? [text] : words(text, room)) {
      const width = displayWidth(part)
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
  const gap = LABEL_WIDTH - displayWidth(title)
  if (gap < 1) return [dim(title), ...indented]
  return [`${dim(title + ' '.repeat(gap))}${lines[0] ?? ''}`.trimEnd(), ...indented.slice(1)]
}

/** Breaks between words; a word that is longer than the line is broken. */
function words(text: string, room: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((one) => pieces(one, room))) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function pieces(word: string, room: number): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const letter of word) {
    if (part !== '' && displayWidth(part + letter) > room) {
      parts.push(part)
      part = ''
    }
    part += letter
  }
  return [...parts, part]
}
