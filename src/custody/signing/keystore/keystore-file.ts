import { randomBytes } from 'node:crypto'
import { link, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode, err, ok, type Result } from '../../../base/result.ts'
import { decryptKeystore, type OpenedKeystore } from './keystore.ts'

/** The contents of a secret file. */
type SecretText = {
  readonly text: string
  /** A one-line warning if anyone but the owner may read it; null otherwise. */
  readonly warning: string | null
}

const MOST_BYTES = 65_536

/** Reads a keystore, password or key file. The error names the file and never quotes it. */
export async function readSecretFile(path: string): Promise<Result<SecretText, string>> {
  try {
    const { mode, size } = await stat(path)
    if (size > MOST_BYTES) return err(`${path} is bigger than any key or password file`)
    const text = textOf(await readFile(path))
    if (text === null) return err(`${path} is not UTF-8 text`)
    const openTo = mode & 0o007 ? 'everybody' : mode & 0o070 ? 'its group' : null
    return ok({
      text,
      warning: openTo === null ? null : `${path} is open to ${openTo}; run chmod 600 on it`,
    })
  } catch (error) {
    return err(`${path} cannot be read (${errorCode(error)})`)
  }
}

/** Returns null for invalid UTF-8: replacement characters would make different passwords equal. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Writes a keystore that only its owner may read, atomically. A new keystore never overwrites a file; a replacement
 * leaves the old file intact until the new one is on disk.
 */
export async function writeKeystoreFile(
  path: string,
  text: string,
  how: 'new' | 'replace',
): Promise<Result<void, string>> {
  let unfinished: string | null = null
  try {
    // Follows a link to its file.
    const target = how === 'replace' ? await realpath(path) : path
    unfinished = `${target}.${randomBytes(4).toString('hex')}.part`
    await writeSynced(unfinished, text)
    if (how === 'replace') await rename(unfinished, target)
    else await link(unfinished, target)
    await syncFolder(dirname(target))
    return ok(undefined)
  } catch (error) {
    const code = errorCode(error)
    return err(
      code === 'EEXIST'
        ? `${path} exists already; nothing was changed`
        : `${path} cannot be written (${code})`,
    )
  } finally {
    if (unfinished !== null) await rm(unfinished, { force: true })
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

type KeystorePlace = { readonly file: string; readonly passwordFile: string }

/**
 * Opens a keystore with the password in another file, in one attempt; the error is one line that names the file. `warn`
 * receives a line for each file that others may read.
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

/** Returns the first line of a file without its line end. An empty password is an error. */
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
