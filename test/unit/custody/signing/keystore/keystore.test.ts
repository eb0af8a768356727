import { decryptKeystoreJson, encryptKeystoreJson } from 'ethers'
import { describe, expect, test } from 'vitest'
import { decryptKeystore, encryptKeystore } from '../../../../../src/custody/signing/keystore/keystore.ts'
import { KEY, MAKER, privateKey } from '../../../../support/signing-fixture.ts'

const LIGHT = { n: 4_096, r: 8, p: 1 }
const PASSWORD = 'testpassword'

/** The two test vectors of the Web3 Secret Storage definition; both hold the same key. */
const PUBLISHED_KEY = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const PUBLISHED_ADDRESS = '0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b'
const PBKDF2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262_144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}
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

const COSTLY = {
  ...SCRYPT,
  crypto: { ...SCRYPT.crypto, kdfparams: { ...SCRYPT.crypto.kdfparams, n: 2 ** 20 } },
}

/** A copy of a keystore with something else at a path. */
function changed(keystore: object, path: string, value: unknown): string {
  const copy = structuredClone(keystore) as Record<string, unknown>
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, copy)
  parent[last] = value
  return JSON.stringify(copy)
}

async function errorOf(text: string, password = PASSWORD): Promise<string> {
  const opened = await decryptKeystore(text, password)
  return opened.ok ? '' : opened.error
}

/** What ethers 6.17.0 made of the test key with the password `pässwörd ` at geth's default cost, which takes it long. */
const OF_ETHERS = {
  address: 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  id: '89cc7714-d337-4ed2-98eb-98b8df02ccac',
  version: 3,
  Crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '78d7e160c59f4135787e444f78070c6b' },
    ciphertext: 'b54f235a37861f0130de0167076e5c19a017220177a477c407ec54cc3694b9b6',
    kdf: 'scrypt',
    kdfparams: {
      salt: '3aa42b4bc395c3a2474f2cfc3ee8478d44b4910ba53af860b7d35ec35e91c2a3',
      n: 262_144,
      dklen: 32,
      p: 1,
      r: 8,
    },
    mac: '8d9123caa222379f569763c05b758712a612cab2b6ee5ebcd0c61e2087eff929',
  },
}

describe('a keystore file', () => {
  test('of the definition with pbkdf2 opens with its key', async () => {
    const opened = await decryptKeystore(JSON.stringify(PBKDF2), PASSWORD)
    if (!opened.ok) throw new Error(opened.error)
    expect(opened.value.address).toBe(PUBLISHED_ADDRESS)
    expect(opened.value.key.use((bytes) => Buffer.from(bytes).toString('hex'))).toBe(PUBLISHED_KEY)
  })

  test('with r of 1 and n of 2^16, whose key Node cannot derive, opens with its key', async () => {
    // Derived from the published vector by an independent scrypt in Python: the vector itself costs seconds.
    const { crypto } = SCRYPT
    const kdfparams = { ...crypto.kdfparams, n: 65_536, p: 1 }
    const ciphertext = 'e2b7617c65c4a8e9eea62e616a6f99231252ec16c82cccfed86d4aad932dcc8d'
    const mac = 'a450ecccb86679a395aef2497de1875e7cbaa7c1cb7bae551000aab07dcdeb39'
    const text = JSON.stringify({ ...SCRYPT, crypto: { ...crypto, kdfparams, ciphertext, mac } })
    const opened = await decryptKeystore(text, PASSWORD)
    if (!opened.ok) throw new Error(opened.error)
    expect(opened.value.address).toBe(PUBLISHED_ADDRESS)
    expect(opened.value.key.use((bytes) => Buffer.from(bytes).toString('hex'))).toBe(PUBLISHED_KEY)
  })

  test("of another program at geth's default cost opens", async () => {
    const opened = await decryptKeystore(JSON.stringify(OF_ETHERS), 'pässwörd ')
    expect(opened.ok && opened.value.address).toBe(MAKER)
  })

  test("of another program at geth's light cost opens", async () => {
    const scrypt = { N: 4_096, r: 8, p: 6 }
    const text = await encryptKeystoreJson({ address: MAKER, privateKey: KEY }, 'pässwörd ', { scrypt })
    const opened = await decryptKeystore(text, 'pässwörd ')
    expect(opened.ok && opened.value.address).toBe(MAKER)
  })

  test('of ours opens in another program, and never looks the same twice', async () => {
    const one = await encryptKeystore(privateKey(), PASSWORD, LIGHT)
    const two = await encryptKeystore(privateKey(), PASSWORD, LIGHT)
    expect((await decryptKeystoreJson(one, PASSWORD)).privateKey).toBe(KEY)
    const saltAndIv = (text: string) => {
      const { crypto } = JSON.parse(text) as typeof SCRYPT
      return [crypto.kdfparams.salt, crypto.cipherparams.iv, crypto.ciphertext]
    }
    for (const [at, part] of saltAndIv(one).entries()) expect(part).not.toBe(saltAndIv(two)[at])
  })

  test("is written at geth's cost unless told otherwise", async () => {
    const { crypto } = JSON.parse(await encryptKeystore(privateKey(), PASSWORD)) as typeof SCRYPT
    expect(crypto.kdfparams).toMatchObject({ n: 262_144, r: 8, p: 1 })
  })

  test('with a capital Crypto and an address with 0x opens too', async () => {
    const { crypto, ...rest } = JSON.parse(
      await encryptKeystore(privateKey(), PASSWORD, LIGHT),
    ) as typeof SCRYPT
    const opened = await decryptKeystore(
      JSON.stringify({ ...rest, Crypto: crypto, address: MAKER }),
      PASSWORD,
    )
    expect(opened.ok && opened.value.address).toBe(MAKER)
  })
})

describe('what is refused in one line', () => {
  test('a wrong password, an almost right one, and the same with a blank', async () => {
    const text = await encryptKeystore(privateKey(), PASSWORD, LIGHT)
    for (const wrong of ['x', 'testpasswore', 'testpassword '])
      expect(await errorOf(text, wrong)).toMatch(/^does not open/)
  })

  test('a cipher text or code with one bit changed', async () => {
    const keystore = JSON.parse(await encryptKeystore(privateKey(), PASSWORD, LIGHT)) as typeof SCRYPT
    for (const field of ['ciphertext', 'mac'] as const) {
      const { [field]: whole } = keystore.crypto
      const flipped = whole.slice(0, -1) + (Number.parseInt(whole.slice(-1), 16) ^ 1).toString(16)
      expect(await errorOf(changed(keystore, `crypto.${field}`, flipped))).toBe(
        'does not open with this password',
      )
    }
  })

  test('a file that says the address of another key', async () => {
    const keystore = JSON.parse(await encryptKeystore(privateKey(), PASSWORD, LIGHT)) as object
    const error = await errorOf(changed(keystore, 'address', '11'.repeat(20)))
    expect(error).toBe(
      `names the address 0x${'11'.repeat(20)}, but holds the key of ${MAKER}: it is the wrong file, or was changed`,
    )
  })

  test.each([
    ['nothing', '', 'is not JSON'],
    ['text', 'a password perhaps', 'is not JSON'],
    ['half a file', JSON.stringify(SCRYPT).slice(0, 200), 'is not JSON'],
    ['a list', '[]', 'is not a keystore'],
    ['null', 'null', 'is not a keystore'],
    ['version 1', JSON.stringify({ ...SCRYPT, version: 1 }), 'version 3'],
    ['no version', '{}', 'version 3'],
    ['no crypto', '{"version":3}', 'crypto'],
    ['another cipher', changed(SCRYPT, 'crypto.cipher', 'aes-256-cbc'), 'crypto.cipher'],
    ['another derivation', changed(SCRYPT, 'crypto.kdf', 'argon2'), 'crypto.kdf'],
    ['a short iv', changed(SCRYPT, 'crypto.cipherparams.iv', '00'), 'crypto.cipherparams.iv'],
    ['a short key', changed(SCRYPT, 'crypto.ciphertext', '00'.repeat(31)), 'crypto.ciphertext'],
    ['a code that is no hex', changed(SCRYPT, 'crypto.mac', 'zz'.repeat(32)), 'crypto.mac'],
    ['a code that is a number', changed(SCRYPT, 'crypto.mac', 7), 'crypto.mac'],
    ['an empty salt', changed(SCRYPT, 'crypto.kdfparams.salt', ''), 'crypto.kdfparams.salt'],
    ['another length', changed(SCRYPT, 'crypto.kdfparams.dklen', 64), 'crypto.kdfparams.dklen'],
    ['n of 2^21', changed(SCRYPT, 'crypto.kdfparams.n', 2 ** 21), 'crypto.kdfparams.n'],
    ['n that is no power of two', changed(SCRYPT, 'crypto.kdfparams.n', 262_143), 'not a power of two'],
    ['n of 1', changed(SCRYPT, 'crypto.kdfparams.n', 1), 'not a power of two'],
    ['n below zero', changed(SCRYPT, 'crypto.kdfparams.n', -2), 'crypto.kdfparams.n'],
    ['n as text', changed(SCRYPT, 'crypto.kdfparams.n', '262144'), 'crypto.kdfparams.n'],
    ['an r that eats memory', changed(SCRYPT, 'crypto.kdfparams.r', 64), 'more memory or time'],
    ['a p that eats time', changed(COSTLY, 'crypto.kdfparams.p', 64), 'more memory or time'],
    ['too many rounds', changed(PBKDF2, 'crypto.kdfparams.c', 10_000_001), 'crypto.kdfparams.c'],
    ['another hash', changed(PBKDF2, 'crypto.kdfparams.prf', 'hmac-sha1'), 'crypto.kdfparams.prf'],
    ['an address of 19 bytes', changed(SCRYPT, 'address', '11'.repeat(19)), 'address'],
  ])('%s', async (_what, text, says) => {
    const error = await errorOf(text)
    expect(error).toContain(says)
    expect(error).not.toContain('\n')
  })
})
