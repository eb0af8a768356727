import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result } from '../../base/result.ts'
import { drillsFile, keptResultText, readKept } from '../../store/kept-drills.ts'
import { backUpStore, keepBackups, readBackup, restoreStore } from '../../store/backup.ts'
import { backUpPostgres, restorePostgres } from '../../store/copy/back-up-postgres.ts'
import { placeText } from '../../store/place.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'
import { writeTextAtomically } from '../output/write-file.ts'
import { tryRestore } from '../../store/try-restore.ts'

type BackupOptions = OutputFormat & {
  readonly config: string
  readonly out: string
  readonly keep?: number
  readonly drill?: boolean
}

/** Copies the store of a position, removes backups beyond the retention, and with `--drill` restores the copy separately. */
export async function backup(options: BackupOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true })
  if (config === null) return
  const { name } = config.core
  const { place, path } = config.store
  const into = join(options.out, name)
  const made =
    typeof place === 'string'
      ? backUpStore(place, name, into, Date.now())
      : await backUpPostgres(place, name, into, Date.now())
  if (!made.ok) return fail(options, EXIT_CODE.failed, made.error)
  const { folder, manifest } = made.value
  const drilled = options.drill === true ? await tryRestore(made.value) : null
  const noted = drilled === null ? ok(undefined) : await keepDrill(path, drilled.ok)
  if (drilled?.ok === false) {
    const why = `the backup ${folder} was made, and cannot be restored: ${drilled.error}`
    return fail(options, EXIT_CODE.failed, why)
  }
  // Removes older backups only once the new one exists and is valid.
  const removed = options.keep === undefined ? [] : keepBackups(into, name, options.keep)
  const lines = [
    `${name}: backup of events ${manifest.firstSeq} to ${manifest.lastSeq} in ${folder}`,
    ...(drilled === null ? [] : [`restored into a temporary folder and read: ${drilled.value}`]),
    ...removed.map((old) => `removed ${old}`),
  ]
  print(options, lines.join('\n'), { folder, ...manifest, drilled: drilled?.value ?? null, removed })
  if (!noted.ok) fail({}, EXIT_CODE.failed, noted.error)
}

/** Adds the outcome to the drills next to the store, where `mizani controls` reads it. */
async function keepDrill(store: string, passed: boolean): Promise<Result<void, string>> {
  const kept = readKept(store)
  if (!kept.ok) return kept
  // With a store in PostgreSQL, no daemon may have run on this machine.
  mkdirSync(store, { recursive: true, mode: 0o700 })
  const at = new Date().toISOString()
  const drill = { name: 'restore', at, passed, noticeMs: null, safeMs: null, costUsd: null }
  return writeTextAtomically(drillsFile(store), keptResultText([...kept.value, drill]))
}

type RestoreOptions = OutputFormat & { readonly config: string; readonly from: string }

/** Restores a backup to the configured store, which must not exist yet. */
export async function restore(options: RestoreOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true })
  if (config === null) return
  const { name } = config.core
  const read = readBackup(options.from)
  if (!read.ok) return fail(options, EXIT_CODE.failed, read.error)
  const { manifest } = read.value
  if (manifest.position !== name)
    return fail(
      options,
      EXIT_CODE.failed,
      `the backup is of ${manifest.position}, and the configuration of ${name}`,
    )
  const { place } = config.store
  const restored =
    typeof place === 'string' ? restoreStore(read.value, place) : await restorePostgres(read.value, place)
  if (!restored.ok) return fail(options, EXIT_CODE.failed, restored.error)
  print(
    options,
    `${name}: restored to event ${manifest.lastSeq}, of ${manifest.at}. Before a live start read "Restoring" in docs/going-live.md`,
    { store: placeText(place), ...manifest },
  )
}
