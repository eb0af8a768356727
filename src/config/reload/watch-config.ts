import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, watch, type FSWatcher } from 'node:fs'
import { dirname } from 'node:path'

export type WatchConfigOptions = {
  /** Quiet for this long before a change counts: editors write in several steps. Default 200. */
  readonly debounceMs?: number
  /** Network mounts and full inotify tables send no notice, so files are compared this often too. Default 5000. */
  readonly pollIntervalMs?: number
}

export type ConfigWatch = {
  /** Stops; `onChange` is never called again. */
  readonly close: () => void
}

/** A neighbour that is written all the time (a log) must not put the comparison off for ever. */
const MAX_WAITS = 5

/**
 * Calls `onChange` with the files whose content changed (or that came or went). Folders are watched and
 * contents compared, so a file that is replaced by a rename, or that lies behind swapped symlinks (a mounted
 * ConfigMap), is seen, and one that is merely touched is not. Never keeps the process alive.
 */
export function watchConfig(
  files: readonly string[],
  onChange: (changed: readonly string[]) => void,
  options: WatchConfigOptions = {},
): ConfigWatch {
  let known = new Map(files.map((file) => [file, contentOf(file)]))
  const watchers = new Map<string, FSWatcher>()
  const debounceMs = options.debounceMs ?? 200
  let waitingSince = 0
  let timer: NodeJS.Timeout | null = null
  let closed = false

  const compare = () => {
    timer = null
    if (closed) return
    watchFolders()
    const now = new Map(files.map((file) => [file, contentOf(file)]))
    const changed = files.filter((file) => now.get(file) !== known.get(file))
    known = now
    if (changed.length > 0) onChange(changed)
  }
  const soon = () => {
    if (closed) return
    if (timer === null) waitingSince = performance.now()
    else if (performance.now() - waitingSince > MAX_WAITS * debounceMs) return
    else clearTimeout(timer)
    timer = setTimeout(compare, debounceMs).unref()
  }
  /** Again after every change: a symlink may point into another folder now. */
  const watchFolders = () => {
    const wanted = new Set(files.flatMap(foldersOf))
    for (const [folder, watcher] of watchers) {
      if (!wanted.has(folder)) forget(watchers, folder, watcher)
    }
    for (const folder of wanted) {
      if (!watchers.has(folder)) watchFolder(watchers, folder, soon)
    }
  }

  watchFolders()
  const poll = setInterval(() => {
    if (timer === null) compare()
  }, options.pollIntervalMs ?? 5_000).unref()
  return {
    close: () => {
      closed = true
      clearInterval(poll)
      if (timer !== null) clearTimeout(timer)
      for (const [folder, watcher] of watchers) forget(watchers, folder, watcher)
    },
  }
}

/** A folder that cannot be watched, or no longer, is left to the comparison by time, which tries again. */
function watchFolder(watchers: Map<string, FSWatcher>, folder: string, onEvent: () => void): void {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent)
    watcher.on('error', () => forget(watchers, folder, watcher))
    watchers.set(folder, watcher)
  } catch {
    watchers.delete(folder)
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

/** A hash of the content; 'absent' for what cannot be read, which is a state like any other. */
function contentOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    return 'absent'
  }
}
