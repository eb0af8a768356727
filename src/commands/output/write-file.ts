import { open, rename, rm, stat } from 'node:fs/promises'
import { err, ok, type Result } from '../../base/result.ts'

/** Writes a file that is whole or not there. The error says what to do. */
export async function writeFileAtomically(path: string, text: string): Promise<Result<void, string>> {
  if (await isNotRegularFile(path)) return err(`${path} is there and is no file; give the path of a file`)
  const unfinished = `${path}.${process.pid}.part`
  try {
    const file = await open(unfinished, 'wx')
    try {
      await file.writeFile(text)
      await file.sync()
      await rename(unfinished, path)
      return ok(undefined)
    } finally {
      await file.close()
      await rm(unfinished, { force: true })
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(
      `${path} cannot be written (${code ?? message}); give a path in a folder that exists and has room`,
    )
  }
}

/**
 * Whether there is something that is no file: a device, a pipe, a folder. Whole files are written beside their
 * place and moved over it, which would put a file where the device was.
 */
export async function isNotRegularFile(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isFile()
  } catch {
    return false
  }
}
