import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { type Backup, backUpStore, restoreSigner, restoreStore } from '../backup.ts'
import type { PostgresPlace } from '../place.ts'
import { copyOut } from './copy-out.ts'
import { copyStore, type CopyOptions } from './copy-store.ts'

/**
 * `backUpStore` for a position in PostgreSQL: writes the same folder, which opens as a store without PostgreSQL.
 * Temporarily needs room for two copies in `into`.
 */
export async function backUpPostgres(
  place: PostgresPlace,
  position: string,
  into: string,
  now: Ms,
): Promise<Result<Backup, string>> {
  let apart: string
  try {
    mkdirSync(into, { recursive: true, mode: 0o700 })
    apart = mkdtempSync(join(into, '.unfinished-'))
  } catch (error) {
    return err(
      `no backup was made in ${into} (${errorText(error)}): name a folder that has room and that you may write`,
    )
  }
  try {
    const copied = await copyOut(place, apart)
    return copied.ok
      ? backUpStore(apart, position, into, now, place.folder)
      : err(`no backup was made in ${into}: ${copied.error.message}`)
  } finally {
    rmSync(apart, { recursive: true, force: true })
  }
}

/**
 * Restores a backup to a position that does not exist in PostgreSQL. Never overwrites a position, and never runs next
 * to a daemon that holds it.
 */
export async function restorePostgres(
  backup: Pick<Backup, 'folder'>,
  place: PostgresPlace,
  options: CopyOptions = {},
): Promise<Result<void, string>> {
  // Works on a copy, because opening a store may migrate its tables and the backup must stay unchanged.
  const apart = mkdtempSync(join(tmpdir(), 'mizani-restore-'))
  try {
    const restored = restoreStore(backup, apart)
    if (!restored.ok) return restored
    const copied = await copyStore(apart, place, options)
    if (!copied.ok) return err(copied.error.message)
    restoreSigner(backup, place.folder)
    return ok(undefined)
  } catch (error) {
    return err(`the backup ${backup.folder} was not restored (${errorText(error)})`)
  } finally {
    rmSync(apart, { recursive: true, force: true })
  }
}
