import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { TEST_ACCOUNTS } from '../sandbox/chain/test-accounts.ts'
import { encryptKeystore } from '../signing/keystore.ts'
import { writeKeystoreFile } from '../signing/keystore-file.ts'
import { PrivateKey } from '../signing/private-key.ts'

export const TEST_KEY_FILES = { keystore: 'maker.json', password: 'maker.password' } as const

/** The published test key as a keystore in this folder, with a password of its own; nothing where it is there. */
export async function writeTestKey(folder: string): Promise<Result<void, string>> {
  if (existsSync(join(folder, TEST_KEY_FILES.keystore))) return ok(undefined)
  const key = PrivateKey.parse(TEST_ACCOUNTS.maker.key)
  if (!key.ok) return err(key.error)
  const password = randomBytes(16).toString('hex')
  writeFileSync(join(folder, TEST_KEY_FILES.password), `${password}\n`, { mode: 0o600 })
  const text = await encryptKeystore(key.value, password)
  key.value.wipe()
  return writeKeystoreFile(join(folder, TEST_KEY_FILES.keystore), text, 'new')
}
