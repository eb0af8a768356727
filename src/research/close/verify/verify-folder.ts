import { ok, type Result } from '../../../base/result.ts'
import type { CloseDocument } from '../document/document.ts'
import { readCloseFolder } from '../folder/read-folder.ts'
import { renderBooks } from '../folder/write-day.ts'
import type { Verifier } from '../proof/verifier.ts'
import { checkChain } from './check-chain.ts'
import { checkDay, type DayReport } from './check-day.ts'
import { correctionsOf, takenBackBy } from './corrections.ts'

export type FolderReport = {
  /** Null = no close parses. */
  readonly position: string | null
  readonly days: readonly DayReport[]
  /** All errors, one sentence each with its day or file; empty = the closes are valid. */
  readonly problems: readonly string[]
  /** Corrections of earlier closes, a sentence each; neither close is wrong. */
  readonly corrections: readonly string[]
  /** Subfolders, which are verified separately. */
  readonly folders: readonly string[]
  /** The index of a fleet and its signature; a position's folder has none. */
  readonly index: ReadonlyMap<string, Buffer>
}

/** Verifies every file of a folder of closes, without their store. The error is an unreadable folder. */
export function verifyFolder(folder: string, verifier: Verifier): Result<FolderReport, string> {
  const read = readCloseFolder(folder)
  if (!read.ok) return read
  const { days: files, books, index, others, leftOvers, folders } = read.value
  const days = [...files].map(([day, of]) => checkDay(day, of, verifier))
  const position = days.find(({ close }) => close !== null)?.close?.document.position ?? null
  return ok({
    position,
    days,
    folders,
    index: days.length === 0 ? index : new Map(),
    corrections: correctionsOf(documentsOf(days)),
    problems: [
      ...days.flatMap(({ day, problems }) => problems.map((problem) => `${day}: ${problem}`)),
      ...chainProblems(days),
      ...unfilledProblems(days),
      ...undoneProblems(days),
      ...booksProblems(books, position, [...files.keys()]),
      ...(days.length === 0 ? [] : folders).map(
        (name) => `the folder ${name} was not written by a close: keep it elsewhere`,
      ),
      ...leftOvers.map((name) => `${name} was left by a close that was killed: the next one removes it`),
      ...[...others, ...(days.length === 0 ? [] : index.keys())].map(
        (name) => `${name} was not written by a close: keep other files elsewhere`,
      ),
    ],
  })
}

function chainProblems(days: readonly DayReport[]): readonly string[] {
  return days.flatMap(({ day, close }, index) => {
    if (close === null) return []
    const before = days[index - 1]
    if (before === undefined)
      return close.document.previous === null
        ? []
        : [`${day}: the close of ${close.document.previous.day}, which it follows, is missing`]
    if (before.close === null) return []
    return checkChain(before.close, close.document).map((problem) => `${day}: ${problem}`)
  })
}

function documentsOf(days: readonly DayReport[]): readonly CloseDocument[] {
  return days.flatMap(({ close }) => (close === null ? [] : [close.document]))
}

function unfilledProblems(days: readonly DayReport[]): readonly string[] {
  return days.flatMap(({ day, unfilled }, index) =>
    unfilled
      .filter((one) => takenBackBy(one, documentsOf(days.slice(index + 1))) === null)
      .map(
        ({ number, fillId }) =>
          `${day}: entry ${number} has no fill ${fillId}, and no later close of this folder takes it back`,
      ),
  )
}

/** Checks that a fill omitted as taken back later was taken back in the close that has that event. */
function undoneProblems(days: readonly DayReport[]): readonly string[] {
  const closes = documentsOf(days)
  return closes.flatMap(({ day, undoneLater = [] }) =>
    undoneLater.flatMap(({ fillId, number, seq }) => {
      const by = closes.find(({ journal }) => journal.first <= seq && seq <= journal.last)
      const isTakenBack = by?.entries.some(
        (entry) => entry.number === number && entry.kind === 'fill-undone' && entry.fillId === fillId,
      )
      // Its day may not be closed yet.
      if (by === undefined || (by.day > day && isTakenBack === true)) return []
      return [`${day}: fill ${fillId} is left out, and entry ${number} of ${by.day} does not take it back`]
    }),
  )
}

function booksProblems(
  books: ReadonlyMap<string, Buffer>,
  position: string | null,
  days: readonly string[],
): readonly string[] {
  if (position === null) return [...books.keys()].map((name) => `${name} belongs to no close`)
  return [...renderBooks(position, days)].flatMap(([name, bytes]) => {
    const written = books.get(name)
    if (written === undefined) return [`${name} is missing`]
    return written.equals(bytes)
      ? []
      : [`${name} is not as it was written, or a day that it includes was removed or added`]
  })
}
