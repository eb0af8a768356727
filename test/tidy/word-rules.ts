import { exportsOf } from './shape-rules.ts'
import type { SourceFile, Violation } from './source-file.ts'

/** Words of this project's past and what is written today: one word for one thing. */
export const RETIRED: Readonly<Record<string, string>> = {
  agenda: 'scheduler',
  belief: 'status',
  believed: 'status',
  clash: 'conflict',
  completeness: 'reconciliation',
  cure: 'remedy',
  desk: 'provider, service, reader or clients',
  doings: 'driver',
  doom: 'requestCancel',
  doomed: 'cancelRequested',
  headroom: 'slack',
  heard: 'received',
  lane: 'budget',
  lesson: 'rejectionPolicy',
  librarian: 'cache',
  machinery: 'services',
  noticer: 'noticeMapper',
  overpromised: 'overcommitted',
  owed: 'outstanding',
  promisable: 'available',
  pump: 'reconcile',
  reins: 'controls',
  shelf: 'registry',
  stance: 'approved target',
  trail: 'recorder',
  turn: 'transition',
  unplanned: 'onDemand',
  unseen: 'unavailable or unread',
  verdict: 'status',
  voice: 'outputFormat',
}

/** No exported name is made of a retired word. */
export function checkWords(file: SourceFile): readonly Violation[] {
  return exportsOf(file.program).flatMap((name) => {
    const retired = wordsOf(name).find((word) => Object.hasOwn(RETIRED, word))
    if (retired === undefined) return []
    return [
      { path: file.path, line: 1, message: `${name}: '${retired}' is retired, write ${RETIRED[retired]}` },
    ]
  })
}

/** `noteOverPromised` and `NOTE_OVER_PROMISED` are note, over, promised. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/)
}
