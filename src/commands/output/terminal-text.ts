import { stripVTControlCharacters } from 'node:util'

/** The character that begins a terminal's codes. */
export const ESCAPE = '\u001B'

/** A style: colour, weight, or back to plain. */
export const STYLE_CODE = String.raw`${ESCAPE}\[[\d;]*m`

const PLAIN = /^[\u0020-\u007E]*$/
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** What terminals give two columns: East Asian wide and full-width letters, and pictures. */
const WIDE =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F200}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
const STYLES = new RegExp(`(${STYLE_CODE})`)

/** Columns that a text takes on a terminal; styles take none. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of GRAPHEMES.segment(stripVTControlCharacters(text))) width += widthOf(segment)
  return width
}

/** The beginning of a text that fits into so many columns, styles kept; what is cut off shows as `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (columns < 1) return ''
  let used = 0
  let kept = ''
  for (const part of text.split(STYLES)) {
    if (STYLES.test(part)) {
      kept += part
      continue
    }
    for (const { segment } of GRAPHEMES.segment(part)) {
      used += widthOf(segment)
      // One column is for the mark; the styles that were begun end with it.
      if (used > columns - 1) return `${kept}…${text.includes(ESCAPE) ? `${ESCAPE}[0m` : ''}`
      kept += segment
    }
  }
  return kept
}

function widthOf(grapheme: string): number {
  if (WITHOUT_WIDTH.test(grapheme)) return 0
  return WIDE.test(grapheme) ? 2 : 1
}
