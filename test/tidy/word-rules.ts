import { exportsOf } from './shape-rules.ts'
import { type SourceFile, type Violation, walk } from './source-file.ts'

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
  obey: 'execute',
  overpromised: 'overcommitted',
  owed: 'outstanding',
  promisable: 'available',
  pump: 'reconcile',
  reins: 'controls',
  seat: 'handle',
  shelf: 'registry',
  stance: 'approved target',
  trail: 'recorder',
  turn: 'transition',
  unplanned: 'onDemand',
  unseen: 'unavailable or unread',
  verdict: 'status',
  voice: 'outputFormat',
}

/** Retired words that locals and stored fields still use. */
const LOCAL = new Set(['desk', 'heard', 'lane', 'owed', 'turn', 'unplanned', 'unseen', 'verdict', 'voice'])
/** Files that read old names. */
const READS_OLD_NAMES = /^src\/core\/(engine\/upcast|strategy\/refused-names)/

/** No file and no identifier is named with a retired word; `LOCAL` words are refused in exported names only. */
export function checkWords({ path, program }: SourceFile): readonly Violation[] {
  const exported = new Set(exportsOf(program))
  const names = new Set([...exported, ...path.slice(path.lastIndexOf('/') + 1).split(/[-.]/)])
  if (!READS_OLD_NAMES.test(path))
    walk(program, ({ type, name }) => {
      if (type.endsWith('Identifier') && typeof name === 'string') names.add(name)
    })
  return [...names].flatMap((name) => {
    const isRefused = (word: string) =>
      Object.hasOwn(RETIRED, word) && (exported.has(name) || !LOCAL.has(word))
    const retired = wordsOf(name).find(isRefused)
    if (retired === undefined) return []
    return [{ path, line: 1, message: `${name}: '${retired}' is retired, write ${RETIRED[retired]}` }]
  })
}

/** `noteOverPromised` and `NOTE_OVER_PROMISED` are note, over, promised. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/)
}
