import type { FillModelName } from '../../../core/models/fill-models.ts'
import type { TapeWindow } from '../../../store/tape/model/batch.ts'
import { createHash } from 'node:crypto'
import type { Variant } from '../variant.ts'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'

/** Identity of a sweep on any machine: two sweeps with the same `id` have the same results. */
export type Manifest = {
  readonly version: 1
  /** sha-256 over all following fields. */
  readonly id: string
  /** The version that ran it: other code may decide differently. */
  readonly product: string
  /** sha-256 of each variant's configuration with its strategy and calibration: equal ones are one trial. */
  readonly configs: readonly string[]
  /** sha-256 of the tape's content. */
  readonly tape: string
  readonly window: JobSetting['window']
  readonly fills: JobSetting['fills']
  readonly seed: number
  readonly variants: readonly Variant[]
}

/** Parts of a manifest that each machine determines itself; they must match when a machine joins a sweep. */
export type Identity = Pick<Manifest, 'product' | 'configs' | 'tape'>

export function makeManifest(parts: Omit<Manifest, 'version' | 'id'>): Manifest {
  const { product, configs, tape, window, fills, seed, variants } = parts
  const named = { product, configs, tape, window, fills, seed, variants }
  return { version: 1, id: createHash('sha256').update(JSON.stringify(named)).digest('hex'), ...named }
}

/** Returns the parts in which the sweep differs from this machine, as text; null = equal. */
export function differenceOf(sweep: Identity, here: Identity): string | null {
  if (sweep.product !== here.product)
    return `it was begun by mizani ${sweep.product}, this is ${here.product}`
  if (sweep.configs.join() !== here.configs.join())
    return 'its configuration, strategy or calibration is not the same as here'
  if (sweep.tape !== here.tape) return 'its tape has not the same content as the one here'
  return null
}

const ENDINGS = /\.(parquet|jsonl)$/

/**
 * Returns the identity of a tape's content, independent of its location: sha-256 over the names and bytes of its files, in
 * the order of their names. For a single file the name is omitted.
 */
export async function tapeIdentity(path: string): Promise<Result<string, string>> {
  try {
    const isFolder = statSync(path).isDirectory()
    const files = isFolder ? filesUnder(path) : [path]
    if (files.length === 0) return err(`--tape ${path}: the folder has no .parquet or .jsonl file`)
    const hash = createHash('sha256')
    for (const file of files) {
      hash.update(`${isFolder ? relative(path, file).replaceAll('\\', '/') : ''}\0${statSync(file).size}\0`)
      for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }))
        hash.update(chunk as Buffer)
    }
    return ok(hash.digest('hex'))
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    return err(`--tape ${path}: ${code === 'ENOENT' ? 'there is no such file or folder' : message}`)
  }
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ENDINGS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Settings that all variants of a sweep share on one machine. */
export type JobSetting = {
  readonly configFile: string
  readonly tapePath: string
  readonly window: TapeWindow
  readonly fills: FillModelName
  readonly seed: number
  /** Accepts any number of skipped rows; does not affect existing results. */
  readonly allowSkipped?: boolean
}
