import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync, watch, type FSWatcher } from 'node:fs'
import { dirname } from 'node:path'
import { runAfter, runEvery } from '../../../base/threads/timing.ts'

type WatchConfigOptions = {
  /** Quiet for this long before a change counts: editors write in several steps. Default 200. */
  readonly debounceMs?: number
  /** Network mounts and full inotify tables send no notice, so files are compared this often too. Default 5000. */
  readonly pollIntervalMs?: number
}

export type ConfigWatch = {
  /** Compares at once: what has changed since the last comparison, of which `onChange` is then not notified. */
  readonly compareNow: () => readonly string[]
  /** Stops; `onChange` is never called again. */
  readonly close: () => void
}

/** A neighbour that is written all the time (a log) must not put the comparison off indefinitely. */
const MAX_WAITS = 5

/**
 * Calls `onChange` with the files whose content changed (or that came or went). Folders are watched and
 * contents compared, so a file that is replaced by a rename, or that lies behind swapped symlinks (a mounted
 * ConfigMap), is seen, and one that is merely touched is not. `files` is a function where files come and go: it is
 * called at each comparison. Never keeps the process alive.
 */
export function watchConfig(
  files: readonly string[] | (() => readonly string[]),
  onChange: (changed: readonly string[]) => void,
  options: WatchConfigOptions = {},
): ConfigWatch {
  const listed = typeof files === 'function' ? files : () => files
  let known = readAll(listed(), new Map())
  const watchers = new Map<string, FSWatcher>()
  const debounceMs = options.debounceMs ?? 200
  let waitingSince = 0
  let timer: NodeJS.Timeout | null = null
  let closed = false

  const compareNow = (): readonly string[] => {
    const now = readAll(listed(), known)
    watchFolders(now.keys())
    const changed = differing(known, now)
    known = now
    return changed
  }
  const compare = () => {
    timer = null
    if (closed) return
    const changed = compareNow()
    if (changed.length > 0) onChange(changed)
  }
  const soon = () => {
    if (closed) return
    if (timer === null) waitingSince = performance.now()
    else if (performance.now() - waitingSince > MAX_WAITS * debounceMs) return
    else clearTimeout(timer)
    timer = runAfter(compare, debounceMs).unref()
  }
  /** Again after every comparison: a symlink may point into another folder now, where something may have changed since. */
  const watchFolders = (paths: Iterable<string>) => {
    const wanted = new Set([...paths].flatMap(foldersOf))
    for (const [folder, watcher] of watchers) {
      if (!wanted.has(folder)) forget(watchers, folder, watcher)
    }
    for (const folder of wanted) {
      if (!watchers.has(folder) && watchFolder(watchers, folder, soon)) soon()
    }
  }

  watchFolders(known.keys())
  const poll = runEvery(() => {
    if (timer === null) compare()
  }, options.pollIntervalMs ?? 5_000).unref()
  return {
    compareNow,
    close: () => {
      closed = true
      clearInterval(poll)
      if (timer !== null) clearTimeout(timer)
      for (const [folder, watcher] of watchers) forget(watchers, folder, watcher)
    },
  }
}

/** Files whose content is another one, or that came or went. */
function differing(before: ReadonlyMap<string, Known>, now: ReadonlyMap<string, Known>): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter(
    (file) => before.get(file)?.content !== now.get(file)?.content,
  )
}

/** False for a folder that cannot be watched; the comparison by time tries it again. */
function watchFolder(watchers: Map<string, FSWatcher>, folder: string, onEvent: () => void): boolean {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent)
    watcher.on('error', () => forget(watchers, folder, watcher))
    watchers.set(folder, watcher)
    return true
  } catch {
    return false
  }
}

function forget(watchers: Map<string, FSWatcher>, folder: string, watcher: FSWatcher): void {
  watcher.close()
  watchers.delete(folder)
}

function foldersOf(file: string): readonly string[] {
  try {
    return [dirname(file), dirname(realpathSync(file))]
  } catch {
    return [dirname(file)]
  }
}

/** What a file held: its content is read again only where its stamp is another one. */
type Known = { readonly stamp: string; readonly content: string }

const RECENT = 'recent'
const SETTLED_MS = 1_000

function readAll(files: readonly string[], before: ReadonlyMap<string, Known>): ReadonlyMap<string, Known> {
  return new Map(files.map((file) => [file, readFile(file, before.get(file))]))
}

/** A hash of the content; 'absent' for what cannot be read, which is a state like any other. */
function readFile(file: string, before: Known | undefined): Known {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    // The clock of a file system has coarse ticks: within one of them a second write leaves the same stamp.
    const isSettled = Date.now() - Number(ctimeNs / 1_000_000n) > SETTLED_MS
    const stamp = isSettled ? `${ino} ${size} ${mtimeNs} ${ctimeNs}` : RECENT
    if (before?.stamp === stamp && isSettled) return before
    return { stamp, content: createHash('sha256').update(readFileSync(file)).digest('hex') }
  } catch {
    return { stamp: 'absent', content: 'absent' }
  }
}
