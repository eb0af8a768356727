import { err, ok, type Result } from '../base/result.ts'
import { readSecretFile } from './keystore-file.ts'
import { decryptKeystore, type OpenedKeystore } from './keystore.ts'

export type KeystorePlace = { readonly file: string; readonly passwordFile: string }

/**
 * Opens a keystore file with the password in another one. One try; the error is one line that names the
 * file. `warn` gets a line for each file that others may read.
 */
export async function readKeystore(
  { file, passwordFile }: KeystorePlace,
  warn: (line: string) => void,
): Promise<Result<OpenedKeystore, string>> {
  const keystore = await readSecretFile(file)
  if (!keystore.ok) return keystore
  if (keystore.value.warning !== null) warn(keystore.value.warning)
  const password = await readPassword(passwordFile, warn)
  if (!password.ok) return password
  const opened = await decryptKeystore(keystore.value.text, password.value)
  return opened.ok ? opened : err(`${file} ${opened.error}`)
}

/** The first line of a file, without its line end. An empty password is refused. */
export async function readPassword(
  path: string,
  warn: (line: string) => void,
): Promise<Result<string, string>> {
  const read = await readSecretFile(path)
  if (!read.ok) return read
  if (read.value.warning !== null) warn(read.value.warning)
  const [password = ''] = read.value.text.split(/\r?\n/, 1)
  return password === '' ? err(`${path} has no password in its first line`) : ok(password)
}
