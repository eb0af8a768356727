import { join } from 'node:path'
import { ok, type Result } from '../../../base/result.ts'
import type { Verifier } from '../proof/verifier.ts'
import { checkIndex } from './check-index.ts'
import { type FolderReport, verifyFolder } from './verify-folder.ts'

export type VerifiedFolder = Omit<FolderReport, 'folders' | 'index'> & { readonly folder: string }

/** Verifies the closes of a folder, or of each folder in it and whether they fit together. */
export function verifyFolders(folder: string, verifier: Verifier): Result<readonly VerifiedFolder[], string> {
  const top = verifyFolder(folder, verifier)
  if (!top.ok) return top
  const { folders, index, ...own } = top.value
  if (own.days.length > 0 || (folders.length === 0 && index.size === 0)) return ok([{ ...own, folder }])
  const all: VerifiedFolder[] = []
  for (const name of folders) {
    const path = join(folder, name)
    const verified = verifyFolder(path, verifier)
    if (!verified.ok) return verified
    const { folders: _deeper, index: _none, ...report } = verified.value
    const problems = report.days.length > 0 ? report.problems : [...report.problems, 'it has no close']
    all.push({ ...report, problems, folder: path })
  }
  const missing = checkFleet(all)
  const each = all.map((one, at) => ({ ...one, problems: [...one.problems, ...(missing[at] ?? [])] }))
  const problems = [...own.problems, ...checkIndex(index, all, verifier)]
  return ok(problems.length === 0 ? each : [{ ...own, folder, problems }, ...each])
}

/**
 * Returns the missing closes of each folder, in the order of `reports`: every position that a close lists needs a close of
 * the same day. A missing close is reported once a day, for the first position that lists it.
 */
function checkFleet(
  reports: readonly Pick<FolderReport, 'position' | 'days'>[],
): readonly (readonly string[])[] {
  const closed = new Set(
    reports.flatMap(({ position, days }) => days.map(({ day }) => `${day} ${position ?? ''}`)),
  )
  const reported = new Set<string>()
  return reports.map(({ days }) =>
    days.flatMap(({ day, close }) =>
      (close?.document.fleet ?? []).flatMap((name) => {
        const key = `${day} ${name}`
        if (closed.has(key) || reported.has(key)) return []
        reported.add(key)
        return [`${day}: the close of ${name}, which was made with it, is missing`]
      }),
    ),
  )
}
