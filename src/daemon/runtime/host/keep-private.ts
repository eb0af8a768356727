import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'

/** What group and others may do. */
const OTHERS = 0o077

/**
 * Takes what the group and others may do away from the stores, tapes and logs of these positions: files that an
 * earlier version, a copy or a backup left readable. Gives a sentence for each path that was open. What belongs to
 * someone else is only reported. Never opens a file: the lock of a database belongs to who has it open.
 */
export function keepPrivate(configs: readonly LoadedConfig[]): readonly string[] {
  return configs.flatMap(({ store, record, log }) => [
    ...mend(store.path),
    ...(record.path === null ? [] : mend(record.path)),
    ...(log.file === null ? [] : mend(log.file)),
  ])
}

function mend(path: string): readonly string[] {
  const found = statOf(path)
  // A link leads out of what is ours, a device such as /dev/null is everybody's.
  if (found === null || (!found.isFile() && !found.isDirectory())) return []
  const inside = found.isDirectory() ? within(path) : []
  const mode = found.mode & 0o7777
  if ((mode & OTHERS) === 0) return inside
  const open = `${path} was open to others of this machine (mode ${mode.toString(8).padStart(4, '0')})`
  try {
    chmodSync(path, mode & ~OTHERS)
    return [...inside, `${open}; it is closed now`]
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return [...inside, `${open} and cannot be closed (${code}); \`chmod go-rwx\` as its owner`]
  }
}

function within(folder: string): readonly string[] {
  let names: readonly string[] = []
  try {
    names = readdirSync(folder)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return [`${folder} cannot be looked into (${code}): whether others can read what is in it is not known`]
  }
  return names.flatMap((name) => mend(join(folder, name)))
}

function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}
