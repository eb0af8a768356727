import { existsSync, readdirSync, statSync } from 'node:fs'
import { extname, isAbsolute, join, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { didYouMean } from '../source/nearest-name.ts'

/** Sources in a checkout, compiled files in the image. */
const ENDINGS = ['.ts', '.js', '.mjs'] as const

/**
 * Returns the absolute path of a strategy. A bare word is a name in `folder`; anything with a slash, a leading dot or
 * a code extension is a path relative to `baseFolder`. The error lists the available names.
 */
export function findStrategy(use: string, folder: string, baseFolder: string): Result<string, string> {
  if (use.includes('\0')) return err('not a path; expected a name in strategies/ or a path')
  if (isPath(use)) {
    const path = isAbsolute(use) ? use : resolve(baseFolder, use)
    if (!isFile(path)) return err(`file ${use} does not exist; use a path relative to the configuration file`)
    if (endingOf(path) === undefined)
      return err('not a strategy file; its name must end with .ts, .js or .mjs')
    return ok(path)
  }
  for (const ending of ENDINGS) {
    const path = resolve(folder, `${use}${ending}`)
    if (isFile(path)) return ok(path)
  }
  return err(unknownName(use, namesIn(folder)))
}

function isPath(use: string): boolean {
  return use.startsWith('.') || use.includes('/') || use.includes('\\') || endingOf(use) !== undefined
}

function endingOf(path: string): string | undefined {
  return ENDINGS.find((ending) => extname(path) === ending)
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function namesIn(folder: string): readonly string[] {
  if (!existsSync(join(folder, '.'))) return []
  const names = readdirSync(folder)
    .filter((file) => endingOf(file) !== undefined && !file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -extname(file).length))
  return [...new Set(names)].sort()
}

function unknownName(use: string, names: readonly string[]): string {
  const there = names.length === 0 ? 'none exist in the strategies folder' : `there are ${names.join(', ')}`
  return `no strategy of this name${didYouMean(use, names)}; ${there}; a path to a file is accepted too`
}
