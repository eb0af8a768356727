import { err, ok, type Result } from '../base/result.ts'
import { replaceFile } from '../files/replace-file.ts'

/** `replaceFile`, for whoever goes on without it: what is said is what a person reads. */
export async function keepFile(path: string, text: string): Promise<Result<void, string>> {
  try {
    await replaceFile(path, text)
    return ok(undefined)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(`${path} cannot be written (${code ?? message})`)
  }
}
