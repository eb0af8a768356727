import { expect, test } from 'vitest'
import { decryptKeystore } from '../../../src/custody/signing/keystore/keystore.ts'

/** A test vector of the Web3 Secret Storage definition, at a cost that takes seconds in script. */
const SCRYPT = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262_144,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}

test('a keystore file of the definition with scrypt opens with its key', async () => {
  const opened = await decryptKeystore(JSON.stringify(SCRYPT), 'testpassword')
  if (!opened.ok) throw new Error(opened.error)
  expect(opened.value.address).toBe('0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b')
  expect(opened.value.key.use((bytes) => Buffer.from(bytes).toString('hex'))).toBe(
    '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
  )
})
