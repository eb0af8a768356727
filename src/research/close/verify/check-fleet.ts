import type { FolderReport } from './verify-folder.ts'

/**
 * Returns the missing closes of each folder, in the order of `reports`: every position that a close lists needs a close of
 * the same day. A missing close is reported once a day, for the first position that lists it.
 */
export function checkFleet(
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
