import { addressOfKey } from '../signing/address-of-key.ts'
import { writeKeystoreFile } from '../signing/keystore-file.ts'
import { encryptKeystore } from '../signing/keystore.ts'
import type { PrivateKey } from '../signing/private-key.ts'
import { readPassword } from '../signing/read-keystore.ts'
import { EXIT_CODE } from './exit-code.ts'
import type { KeysNewOptions } from './keys-new.ts'
import { fail, say } from './say.ts'
import { warnOnStderr } from './warn-on-stderr.ts'

/** Writes a key encrypted to a file that did not exist, says its address, and wipes the key. */
export async function saveNewKey(key: PrivateKey, options: KeysNewOptions): Promise<void> {
  try {
    const password = await readPassword(options.passwordFile, warnOnStderr)
    if (!password.ok) return fail(options, EXIT_CODE.usage, password.error)
    const address = addressOfKey(key)
    const written = await writeKeystoreFile(
      options.keystore,
      await encryptKeystore(key, password.value),
      'new',
    )
    if (!written.ok) return fail(options, EXIT_CODE.usage, written.error)
    say(
      options,
      `${address}\nIts key is in ${options.keystore}. Keep copies of the file and of the password apart from here.`,
      {
        address,
        keystore: options.keystore,
      },
    )
  } finally {
    key.wipe()
  }
}
