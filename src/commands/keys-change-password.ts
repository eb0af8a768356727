import { err, type Result } from '../base/result.ts'
import type { PrivateKey } from '../signing/private-key.ts'
import { decryptKeystore, encryptKeystore } from '../signing/keystore.ts'
import { writeKeystoreFile } from '../signing/keystore-file.ts'
import { readKeystore, readPassword } from '../signing/read-keystore.ts'
import { EXIT_CODE } from './exit-code.ts'
import type { KeysNewOptions } from './keys-new.ts'
import { fail, say } from './say.ts'
import { warnOnStderr } from './warn-on-stderr.ts'

export type KeysChangePasswordOptions = KeysNewOptions & { readonly newPasswordFile: string }

/** Encrypts the key of a keystore file with another password; the old file stays intact until that is done. */
export async function keysChangePassword(options: KeysChangePasswordOptions): Promise<void> {
  const { keystore: file, passwordFile, newPasswordFile } = options
  const opened = await readKeystore({ file, passwordFile }, warnOnStderr)
  if (!opened.ok) return fail(options, EXIT_CODE.usage, opened.error)
  const { key, address } = opened.value
  try {
    const password = await readPassword(newPasswordFile, warnOnStderr)
    if (!password.ok) return fail(options, EXIT_CODE.usage, password.error)
    const written = await replace(file, key, password.value)
    if (!written.ok) return fail(options, EXIT_CODE.failed, `${written.error}; the old password still holds`)
    say(options, `${address} now opens with the password in ${newPasswordFile}`, { address, keystore: file })
  } finally {
    key.wipe()
  }
}

async function replace(file: string, key: PrivateKey, password: string): Promise<Result<void, string>> {
  const text = await encryptKeystore(key, password)
  // The only copy of a key is about to be replaced: it is opened once before anything depends on it.
  const proof = await decryptKeystore(text, password)
  if (!proof.ok) return err(`the new keystore ${proof.error}`)
  proof.value.key.wipe()
  return writeKeystoreFile(file, text, 'replace')
}
