import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleKit, bundlerVersion, readSources } from './bundle-strategy.ts'

const IS_CHECKOUT = import.meta.url.endsWith('.ts')

let made: Promise<string> | null = null

/** The script of the kit, which each compartment evaluates for itself: as it was built, or bundled in a checkout. */
export function kitScript(): Promise<string> {
  made ??= IS_CHECKOUT
    ? fromCheckout()
    : Promise.resolve(readFileSync(new URL('./kit-script.js', import.meta.url), 'utf8'))
  return made
}

/** Bundles the kit of a checkout. */
export async function buildKit(): Promise<string> {
  const script = await bundleKit(at('../strategy/kit.ts'))
  if (!script.ok) throw new Error(`the kit cannot be bundled: ${script.error}`)
  return script.value
}

/**
 * Bundling zod takes longer than all the rest of a start, so a checkout remembers the result beside its
 * packages, under a name that changes with everything that it is made from.
 */
async function fromCheckout(): Promise<string> {
  const folder = at('../../node_modules/.cache/mizani')
  const file = join(folder, `kit-${await keyOfKit()}.js`)
  const remembered = read(file)
  if (remembered !== null) return remembered
  const script = await buildKit()
  try {
    mkdirSync(folder, { recursive: true })
    // Whole or not at all, for a process that starts at the same time.
    const part = `${file}.${process.pid}.${performance.now()}`
    writeFileSync(part, script)
    renameSync(part, file)
  } catch (thrown) {
    if (!UNWRITABLE.includes((thrown as { code?: string }).code ?? '')) throw thrown
  }
  return script
}

/** A checkout of another user, or on a disk that is full or read-only: then the next start bundles it again. */
const UNWRITABLE: readonly string[] = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']

async function keyOfKit(): Promise<string> {
  const kit = readSources(at('../strategy/kit.ts'))
  const own = readSources(at('./bundle-strategy.ts'))
  if (!kit.ok || !own.ok) throw new Error('the sources of the kit cannot be read')
  const hash = createHash('sha256').update(await bundlerVersion())
  hash.update(readFileSync(at('../../node_modules/zod/package.json')))
  for (const { name, text } of [...kit.value, ...own.value])
    hash.update(`${name}\0${text.length}\0`).update(text)
  return hash.digest('hex').slice(0, 32)
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function at(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
