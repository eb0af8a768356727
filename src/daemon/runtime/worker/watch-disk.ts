import { statfs } from 'node:fs/promises'
import { MINUTE_MS } from '../../../base/time.ts'
import { runEvery } from '../../../base/threads/timing.ts'
import type { PositionNotice } from '../../../core/alerts/position-notices.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { liftedNotice, type Notice, positionNotice } from '../../notify/notice.ts'
import type { Log } from '../../telemetry/log/log.ts'

type DiskWatchParts = {
  readonly config: Pick<LoadedConfig, 'store' | 'record'>
  readonly notify: (notice: Notice) => void
  readonly log: Pick<Log, 'warn' | 'info'>
  /** For tests. */
  readonly free?: typeof freeBytes
}

/** As in the rule MizaniDiskNearlyFull of Prometheus. */
export const LEAST_FREE_BYTES = 500e6
/** A disk has to recover by this factor, so that the notice does not come and go. */
const RECOVERED = 1.2
const CODE: PositionNotice = 'disk-low'

/** Notifies before the disk of the store or of the tape is full. Returns the function that stops the watch. */
export function watchDisk({ config, notify, log, free = freeBytes }: DiskWatchParts): () => void {
  const folders = { store: config.store.path, tape: config.record.path }
  let isReported = false

  async function look(): Promise<void> {
    const short: string[] = []
    for (const [what, path] of Object.entries(folders)) {
      const left = path === null ? null : await free(path)
      if (left !== null && left < LEAST_FREE_BYTES * (isReported ? RECOVERED : 1))
        short.push(`${Math.floor(left / 1e6)} MB are left for the ${what} in ${path}`)
    }
    if (short.length > 0 === isReported) return
    isReported = short.length > 0
    const text = isReported ? short.join('; ') : 'the disk has room again'
    log[isReported ? 'warn' : 'info']({ event: 'alert', code: CODE }, text)
    notify(isReported ? positionNotice(CODE, text) : liftedNotice(Date.now(), CODE, text))
  }

  void look()
  const timer = runEvery(look, MINUTE_MS).unref()
  return () => clearInterval(timer)
}

/** Returns the room that this user has on the file system of a folder; null = not known. */
export async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    return null
  }
}
