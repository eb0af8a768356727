import { styleText } from 'node:util'

export type Tone = 'good' | 'warn' | 'bad' | 'dim' | 'bold'
/** A text that stays together while there is room for it; longer ones break between words. */
export type Piece = string | { readonly text: string; readonly tone: Tone }
export type RowOptions = { readonly width: number; readonly colour: boolean }

const FORMAT = { good: 'green', warn: 'yellow', bad: 'red', dim: 'dim', bold: 'bold' } as const
const LABEL_WIDTH = 13
const GAP = '   '

/** A labelled row of a table for people: as many lines as its pieces need at this width. */
export function tableRow(label: string, pieces: readonly Piece[], { width, colour }: RowOptions): string[] {
  const room = Math.max(20, width - LABEL_WIDTH)
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of pieces) {
    const { text, tone } = typeof piece === 'string' ? { text: piece, tone: null } : piece
    for (const part of text.length <= room ? [text] : words(text, room)) {
      if (used > 0 && used + GAP.length + part.length > room) {
        lines.push(line)
        line = ''
        used = 0
      }
      const shown = colour && tone !== null ? styleText(FORMAT[tone], part, { validateStream: false }) : part
      line += `${used > 0 ? GAP : ''}${shown}`
      used += (used > 0 ? GAP.length : 0) + part.length
    }
  }
  lines.push(line)
  const head = colour
    ? styleText('dim', label.padEnd(LABEL_WIDTH), { validateStream: false })
    : label.padEnd(LABEL_WIDTH)
  return lines.map((text, index) => `${index === 0 ? head : ' '.repeat(LABEL_WIDTH)}${text}`.trimEnd())
}

/** Breaks between words; a word that is longer than the line is cut. */
function words(text: string, room: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((one) => one.match(new RegExp(`.{1,${room}}`, 'gu')) ?? [''])) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
