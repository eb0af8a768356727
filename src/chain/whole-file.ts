import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'

/** Replaces a file, for its owner alone: whole or not at all, and on disk when this resolves: file, name and folder. */
export async function replaceFile(path: string, text: string): Promise<Result<void, string>> {
  const unfinished = `${path}.part`
  try {
    const file = await open(unfinished, 'w', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
    const folder = await open(dirname(path), 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
    return ok(undefined)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(`${path} cannot be written (${code ?? message})`)
  }
}
