import { err, ok, type Result } from '../../base/result.ts'
import { nextDay } from '../document/day-span.ts'
import type { KeptClose } from '../verify/check-chain.ts'
import { checkDay, type DayFiles } from '../verify/check-day.ts'
import { SUFFIX } from './names.ts'
import type { CloseFolder } from './read-folder.ts'

/** Where a day stands among the closes of a folder. */
export type PlaceOfDay = {
  /** The close that it follows; null = it is the first one. */
  readonly previous: KeptClose | null
  /** The close of the day itself that is there; null = none. */
  readonly existing: { readonly close: KeptClose; readonly files: DayFiles } | null
  /** All days of the folder with this one, in order. */
  readonly days: readonly string[]
}

/** Finds a day's place; the error says why it has none and which day to close first. */
export function placeOfDay(
  { days }: Pick<CloseFolder, 'days'>,
  position: string,
  day: string,
): Result<PlaceOfDay, string> {
  // Without its sums a day was not finished: it is written again.
  const closed = [...days].filter(([of, files]) => files.has(`${of}${SUFFIX.sums}`))
  const [existing, later] = [closed.find(([of]) => of === day), closed.find(([of]) => of > day)]
  const own = keptClose(existing, position)
  const before = keptClose(
    closed.findLast(([of]) => of < day),
    position,
  )
  if (!own.ok) return own
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
    existing: own.value === null || existing === undefined ? null : { close: own.value, files: existing[1] },
    days: [...new Set([...days.keys(), day])].toSorted(),
  })
}

/** A close of the folder that holds and is of this position. */
function keptClose(
  entry: readonly [day: string, files: DayFiles] | undefined,
  position: string,
): Result<KeptClose | null, string> {
  if (entry === undefined) return ok(null)
  const [day, files] = entry
  const { close, problems } = checkDay(day, files, null)
  const [problem] = problems
  if (problem !== undefined)
    return err(
      `the close of ${day} does not hold (${problem}): restore its files; nothing is written until then`,
    )
  if (close !== null && close.document.position !== position)
    return err(
      `the folder holds the closes of ${close.document.position}, not of ${position}: give each position a folder of its own`,
    )
  return ok(close)
}
