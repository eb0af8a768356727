import type { FolderReport } from './verify-folder.ts'

/**
 * What is missing in each folder of a fleet, in the order of `reports`: each close lists the positions that were closed with it,
 * and each of them has a close of that day. A position is reported once a day, where it is listed first.
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
