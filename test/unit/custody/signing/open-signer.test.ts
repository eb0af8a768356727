import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { err } from '../../../../src/base/result.ts'
import { encryptKeystore } from '../../../../src/custody/signing/keystore/keystore.ts'
import { openSigner, type SignerParts } from '../../../../src/custody/signing/open-signer.ts'
import {
  DOLLAR,
  KEY,
  MAKER,
  privateKey,
  signableOrder,
  signingWall,
} from '../../../support/signing-fixture.ts'

const warnings: string[] = []

function parts(change: Partial<SignerParts> = {}): SignerParts {
  warnings.length = 0
  return {
    wall: signingWall().wall,
    mode: 'live',
    maker: MAKER,
    warn: (line) => void warnings.push(line),
    ...change,
  }
}

async function keystorePlace(password = 'secret\n', mode = 0o600) {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-keys-'))
  const file = join(folder, 'maker.json')
  const passwordFile = join(folder, 'password')
  writeFileSync(file, await encryptKeystore(privateKey(), 'secret', { n: 4_096, r: 8, p: 1 }), { mode })
  writeFileSync(passwordFile, password, { mode })
  return { kind: 'keystore', file, passwordFile } as const
}

const environment = (key: string, allowInLive = false) =>
  ({ kind: 'env', key: { reveal: () => key }, allowInLive }) as const

describe('a signer from a keystore file', () => {
  test('signs, and warns of nothing', async () => {
    const opened = await openSigner(await keystorePlace(), parts())
    if (!opened.ok) throw new Error(opened.error)
    expect(opened.value.address).toBe(MAKER)
    expect(await opened.value.sign(signableOrder())).toMatchObject({ ok: true })
    expect(warnings).toEqual([])
  })

  test.each(['secret', 'secret\n', 'secret\r\n', 'secret\nand a remark\n'])(
    'has as password the first line of %j',
    async (text) => {
      expect(await openSigner(await keystorePlace(text), parts())).toMatchObject({ ok: true })
    },
  )

  test.each([
    ['an empty password', '', 'has no password in its first line'],
    ['a password in the second line', '\nsecret\n', 'has no password in its first line'],
    ['a blank too many', ' secret\n', 'does not open with this password'],
  ])('is not opened with %s', async (_what, text, says) => {
    const opened = await openSigner(await keystorePlace(text), parts())
    expect(opened.ok ? '' : opened.error).toContain(says)
    expect(opened.ok ? '' : opened.error).not.toContain('secret')
  })

  test('is not opened where a file is missing', async () => {
    const place = await keystorePlace()
    for (const wrong of [{ file: `${place.file}.x` }, { passwordFile: `${place.passwordFile}.x` }]) {
      const opened = await openSigner({ ...place, ...wrong }, parts())
      expect(opened.ok ? '' : opened.error).toMatch(/\.x cannot be read \(ENOENT\)$/)
    }
  })

  test('says which of its files others may read', async () => {
    const opened = await openSigner(await keystorePlace('secret', 0o644), parts())
    expect(opened.ok).toBe(true)
    expect(warnings).toEqual([
      expect.stringMatching(/maker\.json is open to .*; run chmod 600/),
      expect.stringMatching(/password .* chmod 600/),
    ])
    await openSigner(await keystorePlace('secret', 0o640), parts())
    expect(warnings).toEqual([expect.stringContaining('its group'), expect.stringContaining('its group')])
  })

  test('of another wallet than the configured one is not opened', async () => {
    const opened = await openSigner(await keystorePlace(), parts({ maker: DOLLAR }))
    expect(opened).toEqual({
      ok: false,
      error: `the signer's wallet is ${MAKER}, but the configuration has ${DOLLAR}`,
    })
    expect(await openSigner(await keystorePlace(), parts({ maker: null }))).toMatchObject({ ok: true })
  })

  test('says aloud when it has to sign without the fast engine', async () => {
    const opened = await openSigner(
      await keystorePlace(),
      parts({ loadEngine: () => Promise.resolve(err('the fast signing engine did not load (Error)')) }),
    )
    if (!opened.ok) throw new Error(opened.error)
    expect(warnings).toEqual([expect.stringMatching(/\(Error\); .*the reference/)])
    expect(await opened.value.sign(signableOrder())).toMatchObject({ ok: true })
  })
})

describe('a signer from the environment', () => {
  test('is refused in mode live, and the reason does not repeat the key', async () => {
    const opened = await openSigner(environment(KEY), parts())
    expect(opened.ok ? '' : opened.error).toContain('refused in mode live')
    expect(opened.ok ? '' : opened.error).not.toContain(KEY.slice(2, 12))
  })

  test('is not even asked for its key there', async () => {
    const key = { reveal: () => expect.fail('the key was revealed') }
    expect(await openSigner({ kind: 'env', key, allowInLive: false }, parts())).toMatchObject({ ok: false })
  })

  test('signs in a dry run, and live where that is allowed', async () => {
    expect(await openSigner(environment(KEY), parts({ mode: 'dry-run' }))).toMatchObject({ ok: true })
    expect(await openSigner(environment(KEY, true), parts())).toMatchObject({ ok: true })
  })

  test('that is no key is refused without repeating it', async () => {
    const opened = await openSigner(environment(`${KEY}ff`, true), parts())
    expect(opened).toEqual({
      ok: false,
      error: 'the key from the environment: a private key is 64 hex digits, with or without 0x before them',
    })
  })
})
