import { stat } from 'node:fs/promises'

/**
 * Whether there is something that is no file: a device, a pipe, a folder. Whole files are written beside their
 * place and moved over it, which would put a file where the device was.
 */
export async function isOtherThanFile(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isFile()
  } catch {
    return false
  }
}
