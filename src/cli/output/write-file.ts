import { open, rename, rm, stat } from 'node:fs/promises'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { fail, type OutputFormat } from './print.ts'

/** Appends to the file that is being written. */
type Append = (text: string) => Promise<void>

/**
 * Writes a file completely or not at all: `fill` writes a temporary file next to the target, which is then renamed. The
 * error names the next step, or is that of `fill`.
 */
export async function writeFileAtomically<Value, Failure>(
  path: string,
  fill: (append: Append) => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure | string>> {
  if (await isNotRegularFile(path))
    return err(`${path} exists and is not a regular file; give the path of a file`)
  const unfinished = `${path}.${process.pid}.part`
  try {
    const file = await open(unfinished, 'wx')
    try {
      const filled = await fill((text) => file.writeFile(text))
      if (!filled.ok) return filled
      await file.sync()
      await rename(unfinished, path)
      return filled
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

/** Writes a text file atomically. */
export async function writeTextAtomically(path: string, text: string): Promise<Result<void, string>> {
  return writeFileAtomically(path, async (append) => {
    await append(text)
    return ok(undefined)
  })
}

/** Writes a text file if a path is given. Returns false after printing why it could not. */
export async function wroteOrExplained(
  voice: OutputFormat,
  path: string | undefined,
  text: string,
): Promise<boolean> {
  const written = path === undefined ? ok(undefined) : await writeTextAtomically(path, text)
  if (!written.ok) fail(voice, EXIT_CODE.failed, written.error)
  return written.ok
}

/** Returns whether the path is a device, a pipe or a folder: renaming a file onto it would replace it. */
async function isNotRegularFile(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isFile()
  } catch {
    return false
  }
}
