import { createHash, type Hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ok, type Result } from '../../base/result.ts'
import { readSources, type Source } from './bundle-strategy.ts'

/** The sources of a script. Its name is that of the entry. */
export type ScriptOrigin = {
  readonly kind: 'kit' | 'strategy' | 'process'
  readonly entry: string
  readonly sources: readonly Source[]
}

const IS_CHECKOUT = import.meta.url.endsWith('.ts')
const FOLDER = at('../../../node_modules/.cache/mizani/scripts')
/** In a bundle: the folder of the bundled strategies' prebuilt scripts. */
const SHIPPED = at('./scripts')

/**
 * Returns the script that `make` bundles, or the copy that an earlier start of this checkout bundled from the same
 * sources with the same bundler: bundling zod takes longer than the rest of a start, and the bundler is a separate
 * process. The copy contains its checksum; a file that does not match is rebuilt. Errors are not kept. A bundle
 * contains the scripts of the shipped strategies and stores no others, because the files of an image are read-only.
 */
export async function rememberedScript(
  origin: ScriptOrigin,
  make: () => Promise<Result<string, string>>,
  folder = FOLDER,
): Promise<Result<string, string>> {
  if (!IS_CHECKOUT) {
    const shipped = read(join(SHIPPED, shippedName(origin)))
    return shipped === null ? make() : ok(shipped)
  }
  const file = join(folder, nameInCheckout(origin))
  const remembered = read(file)
  if (remembered !== null) return ok(remembered)
  const script = await make()
  if (script.ok) keep(folder, file, script.value)
  return script
}

/**
 * Like `rememberedScript`, but returns the file of the copy, which a process of its own runs. Null = none can be kept. For a checkout.
 */
export async function rememberedFile(
  origin: ScriptOrigin,
  make: () => Promise<Result<string, string>>,
  folder = FOLDER,
): Promise<string | null> {
  await rememberedScript(origin, make, folder)
  const file = join(folder, nameInCheckout(origin))
  return read(file) === null ? null : file
}

/** For the build: writes the script into the folder `scripts` of the bundle in `out`, where the bundle looks for it. */
export function shipScript(out: string, origin: ScriptOrigin, script: string): void {
  const folder = join(out, 'scripts')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, shippedName(origin)), withChecksum(script))
}

/** Returns the name of a script made from these sources alone: a bundle always uses the same bundler. */
function shippedName({ kind, entry, sources }: ScriptOrigin): string {
  return nameOf(kind, createHash('sha256').update(`${entry}\0`), sources)
}

/** Returns a hash of everything that determines the script: sources, bundler options and versions. */
function nameInCheckout({ kind, entry, sources }: ScriptOrigin): string {
  const own = readSources(at('./bundle-strategy.ts'))
  if (!own.ok) throw new Error(`the sources of the bundler's options cannot be read: ${own.error}`)
  const hash = createHash('sha256').update(`${process.version}\0${entry}\0`)
  for (const name of ['esbuild', 'zod', 'ses', 'decimal.js'])
    hash.update(readFileSync(at(`../../../node_modules/${name}/package.json`)))
  return nameOf(kind, hash, [...own.value, ...sources])
}

function nameOf(kind: ScriptOrigin['kind'], hash: Hash, sources: readonly Source[]): string {
  for (const { name, text } of sources) hash.update(`${name}\0${text.length}\0`).update(text)
  return `${kind}-${hash.digest('hex').slice(0, 32)}.${kind === 'process' ? 'mjs' : 'js'}`
}

/** The first line, a comment, is the checksum of the rest. */
function read(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8')
    const script = text.slice(text.indexOf('\n') + 1)
    return text === withChecksum(script) ? script : null
  } catch (thrown) {
    if ((thrown as { code?: string }).code === undefined) throw thrown
    return null
  }
}

/** Writes atomically, because another process may start at the same time. */
function keep(folder: string, file: string, script: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    const part = `${file}.${process.pid}.${performance.now()}`
    writeFileSync(part, withChecksum(script))
    renameSync(part, file)
  } catch (thrown) {
    if (!UNWRITABLE.includes((thrown as { code?: string }).code ?? '')) throw thrown
  }
}

/** The checkout belongs to another user, or its disk is full or read-only: the next start bundles again. */
const UNWRITABLE: readonly string[] = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST']

function withChecksum(script: string): string {
  return `// ${createHash('sha256').update(script).digest('hex')}\n${script}`
}

function at(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
