import { err, ok, type Result } from '../../base/result.ts'
import { nextDay } from './document/day-span.ts'
import type { Verifier } from './proof/verifier.ts'
import type { KeptClose } from './verify/check-chain.ts'
import { readClose } from './document/document.ts'
import { checkDay, type DayFiles } from './verify/check-day.ts'
import { SUFFIX, sumsText } from './folder/names.ts'
import type { CloseFolder } from './folder/read-folder.ts'

/** The place of a day among a folder's closes. */
export type PlaceOfDay = {
  /** The previous close; null = it is the first one. */
  readonly previous: KeptClose | null
  /** The existing close of the day; null = none. `isWhole` is false if its writing was interrupted. */
  readonly existing: {
    readonly close: KeptClose
    readonly files: DayFiles
    readonly isWhole: boolean
  } | null
  /** All days of the folder including this one, in order. */
  readonly days: readonly string[]
}

/** Finds a day's place; the error explains why it has none and which day to close first. */
export function placeOfDay(
  { days }: Pick<CloseFolder, 'days'>,
  position: string,
  day: string,
  verifier: Verifier,
): Result<PlaceOfDay, string> {
  const closed = [...days].filter(([of, files]) => isClosed(of, files))
  const [found, later] = [closed.find(([of]) => of === day), closed.find(([of]) => of > day)]
  const existing = found === undefined ? undefined : finished(found)
  const own = keptClose(existing, position, verifier)
  const last = closed.findLast(([of]) => of < day)
  const before = keptClose(last, position, verifier)
  if (!own.ok) return own
  if (last !== undefined && finished(last) !== last)
    return err(`the close of ${last[0]} was not finished: close ${last[0]} again first`)
  if (!before.ok) return before
  const previous = before.value
  if (later !== undefined && own.value === null)
    return err(
      `the folder has a close of ${later[0]}, and ${day} comes before it: a chain of closes only grows at its end`,
    )
  if (previous !== null && nextDay(previous.document.day) !== day)
    return err(
      `the last close before ${day} is that of ${previous.document.day}: close ${nextDay(previous.document.day)} first`,
    )
  if (previous?.document.status === 'provisional')
    return err(`the close of ${previous.document.day} is provisional: close ${previous.document.day} first`)
  return ok({
    previous,
    existing:
      own.value === null || existing === undefined
        ? null
        : { close: own.value, files: existing[1], isWhole: existing === found },
    days: [...new Set([...days.keys(), day])].toSorted(),
  })
}

/**
 * Returns whether the day has a close. A final close counts even if its checksums are missing: deleting them must not make
 * it editable. A provisional close without checksums is unfinished and is written again. A document that does not parse may
 * be final, so it counts.
 */
function isClosed(day: string, files: DayFiles): boolean {
  const bytes = files.get(`${day}${SUFFIX.document}`)
  if (files.has(`${day}${SUFFIX.sums}`)) return true
  if (bytes === undefined) return false
  const read = readClose(bytes)
  return !read.ok || read.value.status === 'final'
}

type Day = readonly [day: string, files: DayFiles]

/**
 * Completes the checksums of a day whose writing was interrupted after its document; returns any other day unchanged. After
 * such an interruption the checksums are missing, or are older than the signature or time-stamp.
 */
function finished(found: Day): Day {
  const [day, files] = found
  const name = `${day}${SUFFIX.sums}`
  const others = new Map([...files].filter(([of]) => of !== name))
  const added = [SUFFIX.signature, SUFFIX.timestamp].map((suffix) => `${day}${suffix}`)
  const before = [[added[0]], [added[1]], added].map((left) =>
    sumsText(new Map([...others].filter(([of]) => !left.includes(of)))),
  )
  const written = files.get(name)?.toString('utf8')
  const isCutOff = written === undefined || (written !== sumsText(others) && before.includes(written))
  return isCutOff ? [day, new Map([...others, [name, Buffer.from(sumsText(others))]])] : found
}

/** Returns a valid close of the folder that belongs to this position. */
function keptClose(
  entry: Day | undefined,
  position: string,
  verifier: Verifier,
): Result<KeptClose | null, string> {
  if (entry === undefined) return ok(null)
  const [day, files] = entry
  const { close, problems } = checkDay(day, files, verifier)
  const [problem] = problems
  if (problem !== undefined)
    return err(
      `the close of ${day} is invalid (${problem}): restore its files, or install the named program; nothing is written until then`,
    )
  if (close !== null && close.document.position !== position)
    return err(
      `the folder holds the closes of ${close.document.position}, not of ${position}: give each position its own folder`,
    )
  return ok(close)
}
