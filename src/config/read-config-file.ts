import { readFileSync, statSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'

const MAX_BYTES = 1_000_000

/** The text of a configuration file without a byte order mark, or a sentence that says why not. */
export function readConfigFile(file: string): Result<string, string> {
  try {
    const size = statSync(file).size
    if (size > MAX_BYTES)
      return err(`${size} bytes; a configuration file of at most ${MAX_BYTES} bytes would be right`)
    const bytes = readFileSync(file)
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? 'unreadable'
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return err('not UTF-8 text; save the file as UTF-8')
    if (code === 'ENOENT') return err('there is no such file; give the path of a configuration file')
    if (code === 'EISDIR') return err('this is a folder; give the path of a configuration file')
    return err(`cannot be read (${code}); give the path of a readable configuration file`)
  }
}
