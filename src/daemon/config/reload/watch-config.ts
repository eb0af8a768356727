import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync, watch, type FSWatcher } from 'node:fs'
import { dirname } from 'node:path'
import { runAfter, runEvery } from '../../../base/threads/timing.ts'

type WatchConfigOptions = {
  /** How long files must be quiet before a change counts, because editors write in several steps. Default 200. */
  readonly debounceMs?: number
  /** Network mounts and full inotify tables send no events, so files are also compared at this interval. Default 5000. */
  readonly pollIntervalMs?: number
}

export type ConfigWatch = {
  /** Compares immediately and returns the files changed since the last comparison; `onChange` is not called for them. */
  readonly compareNow: () => readonly string[]
  /** Stops; `onChange` is never called again. */
  readonly close: () => void
}

/** A neighbouring file that is written continuously, such as a log, must not postpone the comparison indefinitely. */
const MAX_WAITS = 5

/**
 * Calls `onChange` with files whose content changed, or that appeared or disappeared. Watches folders and compares contents: a file
 * replaced by a rename or behind swapped symlinks (a mounted ConfigMap) is detected, and a file that is merely touched is not. Pass a
 * function as `files` if the list changes; it is called at each comparison. Never keeps the process alive.
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
  /** Repeat after every comparison: a symlink may now point into another folder, which may have changed since. */
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

/** Returns files whose content differs, or that appeared or disappeared. */
function differing(before: ReadonlyMap<string, Known>, now: ReadonlyMap<string, Known>): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter(
    (file) => before.get(file)?.content !== now.get(file)?.content,
  )
}

/** Returns false for a folder that cannot be watched; the periodic comparison retries it. */
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

/** The known content of a file; it is read again only if its stamp differs. */
type Known = { readonly stamp: string; readonly content: string }

const RECENT = 'recent'
const SETTLED_MS = 1_000

function readAll(files: readonly string[], before: ReadonlyMap<string, Known>): ReadonlyMap<string, Known> {
  return new Map(files.map((file) => [file, readFile(file, before.get(file))]))
}

/** Returns a hash of the content; 'absent' = unreadable, which is a regular state. */
function readFile(file: string, before: Known | undefined): Known {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    // File system clocks have coarse ticks: a second write within one tick leaves the same stamp.
    const isSettled = Date.now() - Number(ctimeNs / 1_000_000n) > SETTLED_MS
    const stamp = isSettled ? `${ino} ${size} ${mtimeNs} ${ctimeNs}` : RECENT
    if (before?.stamp === stamp && isSettled) return before
    return { stamp, content: createHash('sha256').update(readFileSync(file)).digest('hex') }
  } catch {
    return { stamp: 'absent', content: 'absent' }
  }
}
