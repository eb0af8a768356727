import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A full disk for the drilled daemon alone: a small file system in a separate mount namespace. */
const SIZE = '24m'
const PAGE = Buffer.alloc(65_536, 1)

/** Returns why this machine cannot give the daemon a separate disk; null = it can. */
export function whyNoSmallDisk(): string | null {
  if (process.platform !== 'linux') return 'a small disk for one process needs Linux'
  const tried = spawnSync('unshare', [...NAMESPACE, 'sh', '-c', 'mount -t tmpfs -o size=64k none /tmp'], {
    stdio: 'ignore',
    timeout: 5_000,
  })
  return tried.status === 0 ? null : 'this user may not mount a small file system (unshare of util-linux)'
}

/** Without root rights, the process becomes root of its own user namespace only. */
const NAMESPACE = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m']

/** Returns the command with `folder` on a small separate disk. */
export function onSmallDisk(
  command: readonly [string, ...string[]],
  folder: string,
): readonly [string, ...string[]] {
  const script = 'mount -t tmpfs -o "size=$1" none "$2" && shift 2 && exec "$@"'
  return ['unshare', ...NAMESPACE, 'sh', '-c', script, 'sh', SIZE, folder, ...command]
}

/** Fills the disk that the process has at `folder`. */
export function fillDisk(pid: number, folder: string): void {
  const descriptor = openSync(join(`/proc/${pid}/root`, folder, 'filler'), 'w')
  try {
    for (let page = PAGE; page.length > 0;) {
      try {
        writeSync(descriptor, page)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        // A disk without room for a large page may have room for a small one.
        page = page.subarray(0, page.length >> 1)
      }
    }
  } finally {
    closeSync(descriptor)
  }
}
