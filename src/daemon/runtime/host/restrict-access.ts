import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'

/** The permission bits of group and others. */
const OTHERS = 0o077

/**
 * Removes the permissions of group and others from the stores, tapes and logs of these positions: an earlier version, a copy or a backup
 * may have left them readable. Returns a sentence for each path that was open. Files of other owners are only reported. Never opens a file:
 * opening and closing a database file would drop this process's locks on it.
 */
export function restrictAccess(configs: readonly LoadedConfig[]): readonly string[] {
  return configs.flatMap(({ store, record, log }) => [
    ...restrict(store.path),
    ...(record.path === null ? [] : restrict(record.path)),
    ...(log.file === null ? [] : restrict(log.file)),
  ])
}

function restrict(path: string): readonly string[] {
  let found: Stats
  try {
    found = lstatSync(path)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    // Not there yet, or below a file, which is reported when it is opened.
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    return [`${path} cannot be inspected (${code}): it is unknown whether others can read it`]
  }
  // Skip links, which lead out of our folders, and devices such as /dev/null, which everyone shares.
  if (!found.isFile() && !found.isDirectory()) return []
  const inside = found.isDirectory() ? within(path) : []
  const mode = found.mode & 0o7777
  if ((mode & OTHERS) === 0) return inside
  const open = `${path} was open to others of this machine (mode ${mode.toString(8).padStart(4, '0')})`
  try {
    chmodSync(path, mode & ~OTHERS)
    return [...inside, `${open}; its permissions are restricted now`]
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return [
      ...inside,
      `${open} and its permissions cannot be restricted (${code}); \`chmod go-rwx\` as its owner`,
    ]
  }
}

function within(folder: string): readonly string[] {
  let names: readonly string[] = []
  try {
    names = readdirSync(folder)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return [`${folder} cannot be inspected (${code}): it is unknown whether others can read its contents`]
  }
  return names.flatMap((name) => restrict(join(folder, name)))
}
