import { Secp256k1 } from 'ox'
import { PrivateKey } from '../signing/private-key.ts'
import { EXIT_CODE } from './exit-code.ts'
import { fail, type Voice } from './say.ts'
import { saveNewKey } from './save-new-key.ts'

export type KeysNewOptions = Voice & { readonly keystore: string; readonly passwordFile: string }

/** Makes a key from the system's randomness and writes it encrypted. */
export async function keysNew(options: KeysNewOptions): Promise<void> {
  const key = PrivateKey.of(Secp256k1.randomPrivateKey({ as: 'Bytes' }))
  if (!key.ok) return fail(options, EXIT_CODE.failed, key.error)
  await saveNewKey(key.value, options)
}
