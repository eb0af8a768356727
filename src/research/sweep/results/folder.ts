import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { Manifest } from './identity.ts'
import { readParquetFile, UNFINISHED, writeParquetFile, writeWhole } from './parquet.ts'
import { RESULT_COLUMNS, resultOfRow } from './columns.ts'
import type { VariantResult } from '../variant-job.ts'

/** An earlier sweep of this folder. */
export type EarlierSweep = { readonly manifest: Manifest; readonly results: readonly VariantResult[] }

/** Folder of a sweep's results: `FOLDER/<id>/part-*.parquet`, with the reports in `FOLDER` itself. */
export type SweepFolder = {
  readonly path: string
  /** Results from before an interruption, by variant. */
  readonly done: ReadonlyMap<number, VariantResult>
  readonly earlier: readonly EarlierSweep[]
  /** Writes results to disk before it returns. */
  readonly store: (results: readonly VariantResult[]) => void
}

const MANIFEST = 'manifest.json'

/** Opens or creates the folder of a sweep. A folder with another sweep is refused unless `add` is set. The error names the next step. */
export async function openSweepFolder(
  path: string,
  manifest: Manifest,
  add: boolean,
): Promise<Result<SweepFolder, string>> {
  try {
    mkdirSync(path, { recursive: true })
    const held = heldSweeps(path)
    const mine = join(path, nameOf(manifest))
    const others = held.filter(({ id }) => id !== manifest.id)
    if (others.length > 0 && others.length === held.length && !add) return err(refusal(path))
    mkdirSync(mine, { recursive: true })
    writeWhole(join(mine, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
    removeUnfinished(mine)
    const done = new Map((await readParts(mine)).map((result) => [result.variant, result]))
    const earlier: EarlierSweep[] = []
    for (const other of others)
      earlier.push({ manifest: other, results: await readParts(join(path, nameOf(other))) })
    return ok({
      path,
      done,
      earlier,
      store: (results) =>
        writeParquetFile(join(mine, partName()), withVariants(results, manifest), RESULT_COLUMNS),
    })
  } catch (thrown) {
    return err(`--out ${path}: ${errorText(thrown)}`)
  }
}

/** Returns results of the same configurations on the same tape from other sweeps of the folder, as results of this sweep. */
export function alreadyRun(manifest: Manifest, earlier: readonly EarlierSweep[]): readonly VariantResult[] {
  const same = earlier.filter((other) => isSameSetting(other.manifest, manifest))
  const found = new Map<string, VariantResult>()
  for (const { manifest: other, results } of same)
    for (const result of results) found.set(other.configs[result.variant] ?? '', result)
  return manifest.configs.flatMap((config, variant) => {
    const result = found.get(config)
    return result === undefined ? [] : [{ ...result, variant }]
  })
}

function isSameSetting(one: Manifest, other: Manifest): boolean {
  const setting = ({ product, tape, window, fills, seed }: Manifest): string =>
    JSON.stringify([product, tape, window, fills, seed])
  return setting(one) === setting(other)
}

function nameOf({ id }: Manifest): string {
  return id.slice(0, 12)
}

/** Part names are unique, so two processes on one folder only repeat work. */
function partName(): string {
  return `part-${randomBytes(6).toString('hex')}.parquet`
}

function withVariants(results: readonly VariantResult[], { variants }: Manifest) {
  return results.flatMap((result) => {
    const variant = variants[result.variant]
    return variant === undefined ? [] : [{ variant, result }]
  })
}

function heldSweeps(path: string): readonly Manifest[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name, MANIFEST))
    .filter((file) => existsSync(file))
    .sort()
    .map(readManifest)
}

function readManifest(file: string): Manifest {
  let why = 'a field is missing'
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest> | null
    const isWhole =
      typeof read?.id === 'string' && Array.isArray(read.variants) && Array.isArray(read.configs)
    if (isWhole) return read as Manifest
  } catch (thrown) {
    why = errorText(thrown)
  }
  throw new Error(`${file} is damaged (${why}); remove its folder, and the variants of that sweep run again`)
}

function refusal(path: string): string {
  return (
    `${path} holds another sweep: another grid, configuration, tape or seed. ` +
    'Give another --out, or --add to keep both here and count the variants of both'
  )
}

/** Reads each variant once, in order, regardless of file names. */
async function readParts(folder: string): Promise<readonly VariantResult[]> {
  const parts = readdirSync(folder)
    .filter((name) => /^part-.*\.parquet$/.test(name))
    .sort()
  const results = new Map<number, VariantResult>()
  for (const name of parts) {
    try {
      for (const result of (await readParquetFile(join(folder, name))).map(resultOfRow))
        results.set(result.variant, result)
    } catch (thrown) {
      const why = errorText(thrown)
      throw new Error(
        `${join(folder, name)} cannot be read (${why}); remove it, and its variants run again`,
        { cause: thrown },
      )
    }
  }
  return [...results.values()].sort((a, b) => a.variant - b.variant)
}

/** Removes the files of killed processes; a recent file may still be in use. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(UNFINISHED))) {
    const { mtimeMs } = statSync(join(folder, name))
    if (Date.now() - mtimeMs > MINUTE_MS) unlinkSync(join(folder, name))
  }
}

const PART_RESULTS = 32
const PART_EVERY_MS: Ms = 5_000

/** Results not yet written to the folder. */
export type ResultCollector = ReturnType<typeof collectResults>

/** Collects results and writes a part after every 32 of them, or 5 s after the first unwritten one. */
export function collectResults(folder: SweepFolder) {
  const found = new Map(folder.done)
  let unwritten: VariantResult[] = []
  let timer: NodeJS.Timeout | null = null
  let broken: Error | null = null

  function write(): void {
    if (broken !== null) throw broken
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (unwritten.length === 0) return
    const part = unwritten
    unwritten = []
    folder.store(part)
  }

  /** No caller awaits a timer-driven write; the next call rethrows its error. */
  function writeByClock(): void {
    try {
      write()
    } catch (thrown) {
      broken = thrown instanceof Error ? thrown : new Error(String(thrown))
    }
  }

  return {
    /** Ignores a known variant. Throws if the folder cannot be written. */
    take(result: VariantResult): void {
      if (found.has(result.variant)) return
      found.set(result.variant, result)
      unwritten.push(result)
      if (unwritten.length >= PART_RESULTS) write()
      else timer ??= setTimeout(writeByClock, PART_EVERY_MS)
    },
    has: (variant: number): boolean => found.has(variant),
    count: (): number => found.size,
    /** All results, by variant. */
    all: (): readonly VariantResult[] => [...found.values()].sort((a, b) => a.variant - b.variant),
    /** Writes everything collected so far. Throws if the folder cannot be written. */
    end: write,
  }
}
