import { text } from 'node:stream/consumers'
import { err, ok, type Result } from '../base/result.ts'
import { readSecretFile } from '../signing/keystore-file.ts'
import { PrivateKey } from '../signing/private-key.ts'
import { EXIT_CODE } from './exit-code.ts'
import type { KeysNewOptions } from './keys-new.ts'
import { saveNewKey } from './save-new-key.ts'
import { fail } from './say.ts'
import { warnOnStderr } from './warn-on-stderr.ts'

export type KeysImportOptions = KeysNewOptions & { readonly keyFile: string }

/** Writes a key that exists already, encrypted. */
export async function keysImport(options: KeysImportOptions): Promise<void> {
  const key = await readKey(options.keyFile)
  if (!key.ok) return fail(options, EXIT_CODE.usage, key.error)
  await saveNewKey(key.value, options)
}

async function readKey(file: string): Promise<Result<PrivateKey, string>> {
  if (file === '-') {
    const key = PrivateKey.parse(await text(process.stdin))
    return key.ok ? key : err(`stdin: ${key.error}`)
  }
  const read = await readSecretFile(file)
  if (!read.ok) return read
  if (read.value.warning !== null) warnOnStderr(read.value.warning)
  const key = PrivateKey.parse(read.value.text)
  return key.ok ? ok(key.value) : err(`${file}: ${key.error}`)
}
