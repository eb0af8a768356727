import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from '../../files/replace-file.ts'

/** What a review keeps beside the journal, so that a restart continues from it. */
export type KeptFile<Kept> = {
  /** Null where none exists, or it is damaged or of another version: a review makes it again. */
  readonly read: () => Kept | null
  /** Whether there is one, damaged or not. */
  readonly exists: () => boolean
  /** Whole, or as it was. Rejects with the error of the file system. */
  readonly write: (kept: Kept) => Promise<void>
}

/** What a schema of zod is for this file. */
type Reader<Kept> = {
  readonly safeParse: (
    json: unknown,
  ) => { readonly success: true; readonly data: Kept } | { readonly success: false }
}

export function keptFile<Kept>(path: string, schema: Reader<Kept>): KeptFile<Kept> {
  return {
    read() {
      try {
        const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
        return parsed.success ? parsed.data : null
      } catch {
        return null
      }
    },
    exists: () => existsSync(path),
    write: (kept) => replaceFile(path, JSON.stringify(kept)),
  }
}
