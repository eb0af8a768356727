import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A disk that is full for the drilled daemon alone: a small file system in a mount namespace of its own. */
const SIZE = '24m'
const PAGE = Buffer.alloc(65_536, 1)

/** Why this machine cannot give the daemon a disk of its own; null = it can. */
export function whyNoSmallDisk(): string | null {
  if (process.platform !== 'linux') return 'a small disk for one process needs Linux'
  const tried = spawnSync('unshare', [...NAMESPACE, 'sh', '-c', 'mount -t tmpfs -o size=64k none /tmp'], {
    stdio: 'ignore',
    timeout: 5_000,
  })
  return tried.status === 0 ? null : 'this user may not mount a small file system (unshare of util-linux)'
}

/** Without rights of its own the process becomes the administrator of its namespace, and of nothing else. */
const NAMESPACE = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m']

/** The command with `folder` on a small disk of its own. */
export function onSmallDisk(
  command: readonly [string, ...string[]],
  folder: string,
): readonly [string, ...string[]] {
  const script = 'mount -t tmpfs -o "size=$1" none "$2" && shift 2 && exec "$@"'
  return ['unshare', ...NAMESPACE, 'sh', '-c', script, 'sh', SIZE, folder, ...command]
}

/** Takes all the room on the disk that the process has at `folder`. */
export function fillDisk(pid: number, folder: string): void {
  const descriptor = openSync(join(`/proc/${pid}/root`, folder, 'filler'), 'w')
  try {
    for (let page = PAGE; page.length > 0;) {
      try {
        writeSync(descriptor, page)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        // What no longer holds a large page holds a small one.
        page = page.subarray(0, page.length >> 1)
      }
    }
  } finally {
    closeSync(descriptor)
  }
}
