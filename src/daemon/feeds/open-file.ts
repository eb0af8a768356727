import { constants, open } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { FeedReader, FeedSource, FeedFigure } from './feed.ts'
import { figureInJson, figureOf } from './read-figure.ts'
import { runAfter } from '../../base/threads/timing.ts'

const MOST_BYTES = 1_024 * 1_024
/** A network disk may hang. */
const TIMEOUT_MS = 4_000

type Read = { readonly text: string; readonly changedAt: Ms }

/** Opens a file with one number on its own line, or JSON. Without a date in the text, the file's modification time is used. */
export function openFile({ file, path, timePath }: Extract<FeedSource, { kind: 'file' }>): FeedReader {
  return readerOf(file, ({ text, changedAt }) => {
    if (path !== null) {
      const figure = figureInJson(text, { path, timePath })
      return figure.ok && timePath === null ? ok({ ...figure.value, datedAt: changedAt }) : figure
    }
    if (!text.endsWith('\n')) return err('line 1 does not end with a line break: it is half written')
    const figure = figureOf(text.trimEnd(), null, 'line 1')
    return figure.ok ? ok({ ...figure.value, datedAt: changedAt }) : figure
  })
}

/** Opens a CSV file, whose last complete line is read. */
export function openCsv({ file, column, timeColumn }: Extract<FeedSource, { kind: 'csv' }>): FeedReader {
  return readerOf(file, ({ text, changedAt }) => {
    const lines = text.split('\n').slice(0, -1)
    const last = lines.findLastIndex((line) => line.trim() !== '')
    if (last < 1) return err('it has no whole line below the names of its columns')
    const names = cellsOf(lines[0] ?? '')
    const cells = cellsOf(lines[last] ?? '')
    const place = `line ${last + 1}`
    if (names === null || cells === null)
      return err(`${names === null ? 'line 1' : place} has a quote that does not end`)
    const index = names.indexOf(column)
    if (index === -1) return err(`line 1 names no column ${JSON.stringify(column)}`)
    const timeIndex = timeColumn === null ? -1 : names.indexOf(timeColumn)
    if (timeColumn !== null && timeIndex === -1)
      return err(`line 1 names no column ${JSON.stringify(timeColumn)}`)
    if (cells.length !== names.length)
      return err(`${place} has ${cells.length} cells where line 1 names ${names.length} columns`)
    if (timeColumn === null) {
      const figure = figureOf(cells[index], null, place)
      return figure.ok ? ok({ ...figure.value, datedAt: changedAt }) : figure
    }
    const figure = figureOf(cells[index], cells[timeIndex], place)
    return figure.ok
      ? figure
      : err(figure.error.startsWith('its date') ? `${place}: ${figure.error}` : figure.error)
  })
}

function readerOf(file: string, interpret: (read: Read) => Result<FeedFigure, string>): FeedReader {
  let pending: Promise<Result<Read, string>> | null = null
  return {
    async read() {
      // Reads a hanging disk only once: further reads would occupy every thread that reads files.
      pending ??= readBounded(file).finally(() => (pending = null))
      const read = await within(pending, TIMEOUT_MS)
      return read.ok ? interpret(read.value) : read
    },
    close: () => Promise.resolve(),
  }
}

/** Reads a regular file completely. A pipe would block, and a device never ends. */
async function readBounded(file: string): Promise<Result<Read, string>> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return err('it is not a file')
      if (stats.size > MOST_BYTES) return err('it is larger than 1 MB')
      const stream = handle.createReadStream({ end: MOST_BYTES - 1, autoClose: false })
      return ok({ text: await textOf(stream), changedAt: Math.round(stats.mtimeMs) })
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(`it cannot be read (${code ?? message})`)
  }
}

async function within(work: Promise<Result<Read, string>>, ms: Ms): Promise<Result<Read, string>> {
  const late = Promise.withResolvers<Result<Read, string>>()
  const timer = runAfter(() => late.resolve(err(`it cannot be read within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the cells of a line, quoted or not; null if a quote is not closed. */
function cellsOf(line: string): readonly string[] | null {
  const cells: string[] = []
  let rest = line.replace(/^\uFEFF/, '').replace(/\r$/, '')
  for (;;) {
    const cell = /^\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/.exec(rest)
    if (cell === null) return null
    cells.push((cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '').trim())
    if (cell[3] === '') return cells
    rest = rest.slice(cell[0].length)
  }
}
