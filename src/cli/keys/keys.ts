import { Secp256k1 } from 'ox'
import { addressOfKey, PrivateKey } from '../../custody/signing/local/private-key.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, print, type OutputFormat, printWarning } from '../output/print.ts'
import { text } from 'node:stream/consumers'
import { err, ok, type Result } from '../../base/result.ts'
import {
  readKeystore,
  readPassword,
  readSecretFile,
  writeKeystoreFile,
} from '../../custody/signing/keystore/keystore-file.ts'
import { parseKeystore } from '../../custody/signing/keystore/keystore-format.ts'
import { decryptKeystore, encryptKeystore } from '../../custody/signing/keystore/keystore.ts'

type KeysNewOptions = OutputFormat & { readonly keystore: string; readonly passwordFile: string }

/** Creates a key from the system's randomness and stores it encrypted. */
export async function keysNew(options: KeysNewOptions): Promise<void> {
  const key = PrivateKey.of(Secp256k1.randomPrivateKey({ as: 'Bytes' }))
  if (!key.ok) return fail(options, EXIT_CODE.failed, key.error)
  await saveNewKey(key.value, options)
}

type KeysImportOptions = KeysNewOptions & { readonly keyFile: string }

/** Stores an existing key encrypted. */
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
  if (read.value.warning !== null) printWarning(read.value.warning)
  const key = PrivateKey.parse(read.value.text)
  return key.ok ? ok(key.value) : err(`${file}: ${key.error}`)
}

type KeysAddressOptions = OutputFormat & {
  readonly keystore: string
  readonly passwordFile?: string | undefined
}

/** Prints the address of the key in a keystore file: verified with the password, or as stated in the file. */
export async function keysAddress(options: KeysAddressOptions): Promise<void> {
  const { keystore: file, passwordFile } = options
  if (passwordFile === undefined) return sayUnchecked(options)
  const opened = await readKeystore({ file, passwordFile }, printWarning)
  if (!opened.ok) return fail(options, EXIT_CODE.usage, opened.error)
  opened.value.key.wipe()
  const { address } = opened.value
  print(options, address, { address, checked: true })
}

async function sayUnchecked(options: KeysAddressOptions): Promise<void> {
  const { keystore: file } = options
  const read = await readSecretFile(file)
  if (!read.ok) return fail(options, EXIT_CODE.usage, read.error)
  const parsed = parseKeystore(read.value.text)
  if (!parsed.ok) return fail(options, EXIT_CODE.usage, `${file} ${parsed.error}`)
  const { address } = parsed.value
  if (address === null)
    return fail(options, EXIT_CODE.usage, `${file} does not state its address; --password-file gives it`)
  print(options, `${address} (as the file states; not verified without --password-file)`, {
    address,
    checked: false,
  })
}

type KeysChangePasswordOptions = KeysNewOptions & { readonly newPasswordFile: string }

/** Encrypts the key of a keystore file with another password; the old file stays intact until then. */
export async function keysChangePassword(options: KeysChangePasswordOptions): Promise<void> {
  const { keystore: file, passwordFile, newPasswordFile } = options
  const opened = await readKeystore({ file, passwordFile }, printWarning)
  if (!opened.ok) return fail(options, EXIT_CODE.usage, opened.error)
  const { key, address } = opened.value
  try {
    const password = await readPassword(newPasswordFile, printWarning)
    if (!password.ok) return fail(options, EXIT_CODE.usage, password.error)
    const written = await replace(file, key, password.value)
    if (!written.ok) return fail(options, EXIT_CODE.failed, `${written.error}; the old password still holds`)
    print(options, `${address} now opens with the password in ${newPasswordFile}`, {
      address,
      keystore: file,
    })
  } finally {
    key.wipe()
  }
}

async function replace(file: string, key: PrivateKey, password: string): Promise<Result<void, string>> {
  const text = await encryptKeystore(key, password)
  // The only copy of a key is about to be replaced, so the new file is opened once before that.
  const proof = await decryptKeystore(text, password)
  if (!proof.ok) return err(`the new keystore ${proof.error}`)
  proof.value.key.wipe()
  return writeKeystoreFile(file, text, 'replace')
}

/** Encrypts a key into a new file, prints its address, and wipes the key. */
async function saveNewKey(key: PrivateKey, options: KeysNewOptions): Promise<void> {
  try {
    const password = await readPassword(options.passwordFile, printWarning)
    if (!password.ok) return fail(options, EXIT_CODE.usage, password.error)
    const address = addressOfKey(key)
    const written = await writeKeystoreFile(
      options.keystore,
      await encryptKeystore(key, password.value),
      'new',
    )
    if (!written.ok) return fail(options, EXIT_CODE.usage, written.error)
    print(
      options,
      `${address}\nIts key is in ${options.keystore}. Keep copies of the file and of the password elsewhere.`,
      {
        address,
        keystore: options.keystore,
      },
    )
  } finally {
    key.wipe()
  }
}
