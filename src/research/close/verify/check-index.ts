import { parseIndex } from '../folder/fleet-index.ts'
import { INDEX } from '../folder/names.ts'
import { checkSignature, type Verifier } from '../proof/verifier.ts'
import type { FolderReport } from './verify-folder.ts'

/**
 * Returns the index's entries that the folders lack, one sentence each: a position without closes, and closes missing
 * at either end. Checks nothing without an index.
 */
export function checkIndex(
  files: ReadonlyMap<string, Buffer>,
  reports: readonly Pick<FolderReport, 'position' | 'days'>[],
  verifier: Verifier,
): readonly string[] {
  const bytes = files.get(INDEX.document)
  if (bytes === undefined) return files.size === 0 ? [] : [`${INDEX.document} is missing`]
  const index = parseIndex(bytes)
  if (!index.ok) return [index.error]
  const missing = index.value.positions.flatMap(({ position, first, last }) => {
    const days = reports.filter((one) => one.position === position).flatMap((one) => one.days)
    if (days.length === 0) return [`the closes of ${position}, from ${first} on, are missing`]
    const hasFirst = days.some(({ day }) => day === first)
    const hasLast =
      last === null || days.some(({ day, close }) => day === last.day && close?.sha256 === last.sha256)
    return [
      ...(hasFirst ? [] : [`the close of ${position} of ${first}, its first one, is missing`]),
      ...(hasLast
        ? []
        : [
            `the close of ${position} of ${last?.day} is missing, or not the one that ${INDEX.document} names`,
          ]),
    ]
  })
  // An index does not state when it was signed, so its key must be allowed now.
  return [...checkSignature(files, INDEX.document, Date.now(), verifier).problems, ...missing]
}
