import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { err, errorText, ok, type Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import { openReader } from './open-reader.ts'
import { storeFiles, strandedLog } from './store-files.ts'
import { readLockState } from './store-lock.ts'

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const manifestSchema = z.strictObject({
  format: z.literal('mizani-backup/1'),
  position: z.string(),
  at: z.iso.datetime(),
  /** Numbers of the first kept event and the last event. */
  firstSeq: z.int(),
  lastSeq: z.int(),
  sha256: digest,
  /** The signer's file of self-custody, with its counters; absent = no such file existed. */
  signer: z.strictObject({ sha256: digest }).optional(),
})
type BackupManifest = z.infer<typeof manifestSchema>
export type Backup = { readonly folder: string; readonly manifest: BackupManifest }

const MANIFEST = 'backup.json'
const BUSY_TIMEOUT_MS = 5_000

/**
 * Backs up a store, consistent at one moment even while a daemon writes, into a new folder in `into` named by the time.
 * Then copies the signer's file in `signerIn`, so that its counters are not behind the store. Writes the manifest last:
 * a folder without one is not a backup. The error contains the remedy.
 */
export function backUpStore(
  store: string,
  position: string,
  into: string,
  now: Ms,
  signerIn: string = store,
): Result<Backup, string> {
  const { database } = storeFiles(store)
  const reader = openReader(store)
  if (!reader.ok) return err(reader.error.message)
  reader.value.close()
  const at = new Date(now).toISOString()
  const folder = join(into, at.replaceAll(':', '-'))
  if (existsSync(folder)) return err(`${folder} already exists: try again in a moment`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const copy = storeFiles(folder)
    copyDatabase(database, copy.database)
    const { signer } = storeFiles(signerIn)
    const hasSigner = existsSync(signer)
    if (hasSigner) copyDatabase(signer, copy.signer)
    const seqs = seqsOf(folder)
    if (!seqs.ok) return seqs
    const manifest: BackupManifest = {
      format: 'mizani-backup/1',
      position,
      at,
      ...seqs.value,
      sha256: digestOf(copy.database),
      ...(hasSigner ? { signer: { sha256: digestOf(copy.signer) } } : {}),
    }
    const unfinished = join(folder, `${MANIFEST}.part`)
    writeFileSync(unfinished, `${JSON.stringify(manifest)}\n`, { flush: true })
    renameSync(unfinished, join(folder, MANIFEST))
    return ok({ folder, manifest })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    return err(
      `no backup was made in ${into} (${errorText(error)}): name a folder that has room and that you may write`,
    )
  }
}

/** Returns a backup whose database is unchanged to the last byte and opens as a store. */
export function readBackup(folder: string): Result<Backup, string> {
  try {
    const parsed = manifestSchema.safeParse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')))
    if (!parsed.success) return err(`${folder} is not a backup of this version`)
    const { database, signer } = storeFiles(folder)
    const { sha256, signer: signed } = parsed.data
    if (digestOf(database) !== sha256 || (signed !== undefined && digestOf(signer) !== signed.sha256))
      return err(`the backup ${folder} was changed after it was written: use another one`)
    const seqs = seqsOf(folder)
    if (!seqs.ok) return seqs
    return ok({ folder, manifest: parsed.data })
  } catch (error) {
    return err(`${folder} is not a backup (${errorText(error)}): name a folder that \`mizani backup\` wrote`)
  }
}

/**
 * Restores a backup where no store exists. Never overwrites a store or an existing signer's file, and never runs next
 * to a running daemon.
 */
export function restoreStore({ folder }: Pick<Backup, 'folder'>, store: string): Result<void, string> {
  const files = storeFiles(store)
  const lock = readLockState(store)
  if (!lock.ok) return err(lock.error.message)
  if (lock.value.held) return err(`the store ${store} is held by a daemon: stop it first`)
  if (existsSync(files.database))
    return err(
      `there is a store in ${store}: move the folder away and keep it. It may contain fills and signed orders that the backup does not`,
    )
  const stranded = strandedLog(store)
  if (stranded !== null) return err(stranded)
  try {
    mkdirSync(store, { recursive: true, mode: 0o700 })
    restoreSigner({ folder }, store)
    putCopy(storeFiles(folder).database, files.database)
    return ok(undefined)
  } catch (error) {
    return err(
      `${store} cannot be written (${errorText(error)}): check store.path, its owner and its free space`,
    )
  }
}

/** Restores a backup's signer's file if none exists, because an existing file has newer counters. Throws. */
export function restoreSigner({ folder }: Pick<Backup, 'folder'>, store: string): void {
  const [from, to] = [storeFiles(folder).signer, storeFiles(store).signer]
  if (existsSync(from) && !existsSync(to)) putCopy(from, to)
}

/** Copies the database, consistent at one moment even while another process writes to it. */
function copyDatabase(from: string, to: string): void {
  const db = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    db.prepare('VACUUM INTO ?').run(to)
  } finally {
    db.close()
  }
}

function putCopy(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}.part`
  copyFileSync(from, unfinished)
  renameSync(unfinished, to)
}

/** Removes a position's oldest backups beyond `keep`, and returns their folders. Other folders stay. */
export function keepBackups(into: string, position: string, keep: number): readonly string[] {
  const own = readdirSync(into, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d{4}-\d\d-\d\dT[\d.-]+Z$/.test(entry.name))
    .map(({ name }) => join(into, name))
    .filter((folder) => positionOf(folder) === position)
    .toSorted()
  const old = own.slice(0, Math.max(0, own.length - keep))
  for (const folder of old) rmSync(folder, { recursive: true })
  return old
}

function positionOf(folder: string): string | null {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'))).position
  } catch {
    // Another folder or an unfinished backup stays.
    return null
  }
}

function seqsOf(folder: string): Result<Pick<BackupManifest, 'firstSeq' | 'lastSeq'>, string> {
  const reader = openReader(folder)
  if (!reader.ok) return err(reader.error.message)
  try {
    return ok({ firstSeq: reader.value.firstSeq(), lastSeq: reader.value.lastSeq() })
  } finally {
    reader.value.close()
  }
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
