import { readSecretFile } from '../signing/keystore-file.ts'
import { parseKeystore } from '../signing/keystore-format.ts'
import { readKeystore } from '../signing/read-keystore.ts'
import { EXIT_CODE } from './exit-code.ts'
import { fail, say, type Voice } from './say.ts'
import { warnOnStderr } from './warn-on-stderr.ts'

export type KeysAddressOptions = Voice & {
  readonly keystore: string
  readonly passwordFile?: string | undefined
}

/** Says whose key a keystore file holds: proved with the password, or as the file says. */
export async function keysAddress(options: KeysAddressOptions): Promise<void> {
  const { keystore: file, passwordFile } = options
  if (passwordFile === undefined) return sayUnchecked(options)
  const opened = await readKeystore({ file, passwordFile }, warnOnStderr)
  if (!opened.ok) return fail(options, EXIT_CODE.usage, opened.error)
  opened.value.key.wipe()
  const { address } = opened.value
  say(options, address, { address, checked: true })
}

async function sayUnchecked(options: KeysAddressOptions): Promise<void> {
  const { keystore: file } = options
  const read = await readSecretFile(file)
  if (!read.ok) return fail(options, EXIT_CODE.usage, read.error)
  const parsed = parseKeystore(read.value.text)
  if (!parsed.ok) return fail(options, EXIT_CODE.usage, `${file} ${parsed.error}`)
  const { address } = parsed.value
  if (address === null)
    return fail(options, EXIT_CODE.usage, `${file} does not say its address; --password-file would tell`)
  say(options, `${address} (as the file says; unchecked without --password-file)`, {
    address,
    checked: false,
  })
}
