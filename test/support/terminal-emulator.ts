export type TerminalEmulator = {
  readonly write: (text: string) => void
  /** What a person sees now, line by line, without the blanks behind. */
  readonly screen: () => readonly string[]
  readonly cursor: () => { readonly shown: boolean; readonly row: number; readonly column: number }
  readonly page: () => 'first' | 'other'
  /** Keeps the upper left of what is there, as terminals that wrap nothing anew do. */
  readonly resize: (columns: number, rows: number) => void
  /** Foreground and weight of a cell, as the codes that were in force. */
  readonly styleAt: (row: number, column: number) => string
}

type Cell = { readonly text: string; readonly style: string }
type Page = { cells: Cell[][]; row: number; column: number }

const BLANK: Cell = { text: ' ', style: '' }
const TOKEN = new RegExp(String.raw`\u001B\[(\??)([\d;]*)([A-Za-z])|[^]`, 'gu')
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A small terminal: the codes that a status needs, and an error for every other control character. */
export function terminalEmulator(columns: number, rows: number): TerminalEmulator {
  const emptyPage = (): Page => ({ cells: [], row: 0, column: 0 })
  const pages = { first: emptyPage(), other: emptyPage() }
  let name: 'first' | 'other' = 'first'
  let cursorShown = true
  let wraps = true
  let style = ''
  const here = (): Page => pages[name]

  function put(text: string): void {
    const width = /\p{Emoji_Presentation}|[\u3041-\uA4CF\uAC00-\uD7A3\uFF01-\uFF60]/u.test(text) ? 2 : 1
    if (/^\p{M}+$/u.test(text)) return
    const page = here()
    if (page.column + width > columns) {
      if (wraps) {
        page.column = 0
        lineFeed()
      } else page.column = columns - width
    }
    const line = (page.cells[page.row] ??= [])
    for (let at = line.length; at < page.column; at += 1) line[at] = BLANK
    line[page.column] = { text, style }
    if (width === 2) line[page.column + 1] = { text: '', style }
    page.column += width
    // Without wrapping the cursor rests on the last column, otherwise it waits behind it.
    if (!wraps) page.column = Math.min(page.column, columns - 1)
  }

  function lineFeed(): void {
    const page = here()
    if (page.row < rows - 1) page.row += 1
    else page.cells.shift()
  }

  function control(isPrivate: boolean, text: string, letter: string): void {
    const page = here()
    const number = Number(text === '' ? 0 : text)
    const what = `${isPrivate ? '?' : ''}${letter === 'm' || isPrivate ? '' : text}${isPrivate ? text : ''}${letter}`
    const column = Math.min(page.column, columns - 1)
    if (letter === 'm' && !isPrivate) style = text === '0' || text === '' ? '' : `${style};${text}`
    else if (letter === 'A') page.row = Math.max(0, page.row - Math.max(1, number))
    else if (what === 'H') Object.assign(page, { row: 0, column: 0 })
    else if (what === 'K') page.cells[page.row]?.splice(column)
    else if (what === 'J') {
      page.cells[page.row]?.splice(column)
      page.cells.splice(page.row + 1)
    } else if (what === '2J') page.cells = []
    else if (what === '?1049h') {
      pages.other = emptyPage()
      name = 'other'
    } else if (what === '?1049l') name = 'first'
    else if (what === '?25h' || what === '?25l') cursorShown = letter === 'h'
    else if (what === '?7h' || what === '?7l') wraps = letter === 'h'
    else if (what !== '?2026h' && what !== '?2026l')
      throw new Error(`a terminal code that is not expected: ${what}`)
  }

  return {
    write(text) {
      let plain = ''
      const flush = (): void => {
        for (const { segment } of GRAPHEMES.segment(plain)) put(segment)
        plain = ''
      }
      for (const match of text.matchAll(TOKEN)) {
        const [token, isPrivate, parameters = '', letter] = match
        if (letter === undefined && !/\p{Cc}/u.test(token)) {
          plain += token
          continue
        }
        flush()
        if (letter !== undefined) control(isPrivate === '?', parameters, letter)
        else if (token === '\r') here().column = 0
        else if (token === '\n') lineFeed()
        else throw new Error(`a control character that is not expected: ${JSON.stringify(token)}`)
      }
      flush()
    },
    screen: () => {
      const lines = Array.from({ length: rows }, (_, row) =>
        Array.from(here().cells[row] ?? [], (cell) => cell?.text ?? ' ')
          .join('')
          .trimEnd(),
      )
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
    },
    cursor: () => ({ shown: cursorShown, row: here().row, column: here().column }),
    page: () => name,
    resize(toColumns, toRows) {
      columns = toColumns
      rows = toRows
      for (const page of Object.values(pages)) {
        page.cells = page.cells.slice(0, rows).map((line) => line.slice(0, columns))
        page.row = Math.min(page.row, rows - 1)
        page.column = Math.min(page.column, columns - 1)
      }
    },
    styleAt: (row, column) => here().cells[row]?.[column]?.style ?? '',
  }
}
