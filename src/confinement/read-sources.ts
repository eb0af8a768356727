import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'

/** `name` is relative to the strategy's folder, so that a hash does not depend on where a checkout lies. */
export type Source = { readonly file: string; readonly name: string; readonly text: string }

const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g
const MAX_FILES = 100

/** The file and, transitively, the files that it imports by relative path, in order of name. */
export function readSources(file: string): Result<readonly Source[], string> {
  const seen = new Map<string, Source>()
  const open = [file]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    if (seen.size >= MAX_FILES)
      return err(`it imports more than ${MAX_FILES} files; a strategy is one file that imports '#kit'`)
    try {
      const text = readFileSync(next, 'utf8')
      seen.set(next, { file: next, name: relative(dirname(file), next), text })
      for (const match of text.matchAll(RELATIVE_IMPORT)) open.push(resolve(dirname(next), match[2] ?? ''))
    } catch (thrown) {
      const code = (thrown as { code?: string }).code ?? 'unreadable'
      return err(
        `${relative(dirname(file), next)} cannot be read (${code}); repair the import or the file's rights`,
      )
    }
  }
  return ok([...seen.values()].sort((a, b) => (a.name < b.name ? -1 : 1)))
}
