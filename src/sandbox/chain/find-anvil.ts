import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

/** Where anvil, the local chain, was looked for in vain. */
export class NoAnvil extends Error {
  override readonly name = 'NoAnvil'
}

const PACKAGE = '@foundry-rs/anvil-linux-amd64'

/** What is looked at; a test gives another one. */
export type AnvilPlaces = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The package's package.json, or null where it is not installed. */
  readonly packageFile: () => string | null
}

/** The anvil to run: $MIZANI_ANVIL, else the optional package's, else the one on PATH. Throws NoAnvil. */
export function findAnvil({ environment, packageFile }: AnvilPlaces = THIS_PROCESS): string {
  const named = environment['MIZANI_ANVIL']
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return named
    throw new NoAnvil(`MIZANI_ANVIL names ${named}, which is not a program`)
  }
  const manifest = packageFile()
  const candidates = [
    ...(manifest === null ? [] : [join(dirname(manifest), 'bin', 'anvil')]),
    ...(environment['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => (folder === '' ? '' : join(folder, 'anvil'))),
  ]
  const found = candidates.find((path) => path !== '' && isProgram(path))
  if (found !== undefined) return found
  throw new NoAnvil(
    `a local chain needs anvil, and there is none: on Linux x64 the optional package ${PACKAGE} has it ` +
      '(npm ci without --omit=optional); elsewhere install Foundry and put anvil on PATH, or name it in MIZANI_ANVIL',
  )
}

const THIS_PROCESS: AnvilPlaces = {
  environment: process.env,
  packageFile() {
    try {
      return createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)
    } catch {
      return null
    }
  },
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
