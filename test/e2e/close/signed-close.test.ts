import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { verifySignature } from '../../../src/research/close/proof/signature.ts'
import { verifyClose } from '../../../src/cli/close/verify-close.ts'
import {
  closed,
  FIRST,
  NOW,
  position,
  recordStore,
  SECOND,
  whyNot,
} from '../../unit/cli/close/recorded-position.ts'
import { captured } from '../../support/captured.ts'
import { needs } from '../../support/needs.ts'
import { freshFolder } from '../../unit/research/close/close-fixture.ts'
import { openAuthority, serveAuthority } from './authority.ts'
import { newKey } from './keys.ts'

beforeAll(recordStore)
afterEach(() => {
  process.exitCode = 0
  vi.unstubAllEnvs()
})

describe.skipIf(needs('ssh-keygen'))('with a key', () => {
  function keyWithSigners() {
    const { path, publicKey } = newKey()
    const signers = join(freshFolder(), 'signers')
    writeFileSync(signers, `amina ${publicKey}\n`)
    return { path, signers }
  }

  test('a close is signed, also one that was not signed before, and verify-close names who signed', async () => {
    const at = position()
    const { path: key, signers } = keyWithSigners()
    await closed(at, FIRST)
    await closed(at, SECOND, { key })
    expect(await captured(() => verifyClose(at.out, { signers }))).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining(`${FIRST}.json is not signed`) as string,
    })
    expect(await closed(at, FIRST, { key })).toMatchObject({
      ok: true,
      value: { isNew: true, isSigned: true },
    })
    const { text, exitCode } = await captured(() => verifyClose(at.out, { signers }))
    expect([exitCode, text.split('\n')[0]]).toEqual([0, expect.stringMatching(/signed by amina \(SHA256:/)])
    expect((await captured(() => verifyClose(at.out, {}))).text).toContain('unchecked: --signers')
  })

  test('that is encrypted ssh-keygen signs, with the passphrase that it asks for', async () => {
    const { path } = newKey('-t ed25519', { passphrase: 'a passphrase' })
    const helper = join(freshFolder(), 'askpass')
    writeFileSync(helper, '#!/bin/sh\necho a passphrase\n', { mode: 0o700 })
    vi.stubEnv('SSH_ASKPASS', helper).stubEnv('SSH_ASKPASS_REQUIRE', 'force').stubEnv('DISPLAY', ':0')
    const at = position()
    expect(await closed(at, FIRST, { key: path })).toMatchObject({ ok: true, value: { isSigned: true } })
    writeFileSync(helper, '#!/bin/sh\necho another\n', { mode: 0o700 })
    expect(await whyNot(at, SECOND, { key: path })).toContain('incorrect passphrase')
    expect(readdirSync(at.out).some((name) => name.startsWith(SECOND))).toBe(false)
  })

  test('that an agent holds ssh-keygen signs, by the public half that is named', async () => {
    const { path, signers } = keyWithSigners()
    const socket = join(freshFolder(), 'agent')
    const started = execFileSync('ssh-agent', ['-a', socket, '-s'], { encoding: 'utf8' })
    const pid = Number(/SSH_AGENT_PID=(\d+)/.exec(started)?.[1])
    onTestFinished(() => void process.kill(pid))
    vi.stubEnv('SSH_AUTH_SOCK', socket)
    execFileSync('ssh-add', ['-q', path])
    rmSync(path)
    const at = position()
    expect(await closed(at, FIRST, { key: `${path}.pub` })).toMatchObject({
      ok: true,
      value: { isSigned: true },
    })
    expect(await captured(() => verifyClose(at.out, { signers }))).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('signed by amina') as string,
    })
    execFileSync('ssh-add', ['-q', '-D'])
    expect(await whyNot(at, SECOND, { key: `${path}.pub` })).toMatch(/did not sign \(ssh-keygen: /)
  })
})

describe.skipIf(needs('openssl') || needs('ssh-keygen'))('with a time-stamping authority', () => {
  const moment = (t: number) => `${new Date(t).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`

  test('a close gets its time-stamp, also later and beside a signature, and its key has to be allowed at that time', async () => {
    const authority = openAuthority()
    const { path: key, publicKey } = newKey()
    let isAway = true
    const timestamp = await serveAuthority((query) =>
      isAway ? { status: 503, body: '' } : { status: 200, body: authority.answer(query) },
    )
    const at = position('desk-1', { timestamp })
    const missing = { timestampProblem: 'the time-stamping authority answered with status 503' }
    expect(await closed(at, FIRST, { key })).toMatchObject({
      ok: true,
      value: { isSigned: true, ...missing },
    })
    const certificates = join(authority.folder, 'ca.pem')
    expect(await captured(() => verifyClose(at.out, { authority: certificates }))).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining(`${FIRST}.json has no time-stamp`) as string,
    })
    const [document, signature] = [`${FIRST}.json`, `${FIRST}.json.sig`].map((name) =>
      readFileSync(join(at.out, name)),
    )
    isAway = false
    expect(await closed(at, FIRST, { key })).toMatchObject({
      ok: true,
      value: { isNew: true, isSigned: true, timestampProblem: null },
    })
    expect(readFileSync(join(at.out, `${FIRST}.json`))).toEqual(document)
    expect(readFileSync(join(at.out, `${FIRST}.json.sig`))).toEqual(signature)
    expect(await closed(at, FIRST, { key })).toMatchObject({ ok: true, value: { isNew: false } })
    const unchecked = await captured(() => verifyClose(at.out, {}))
    expect([unchecked.exitCode, unchecked.text]).toEqual([
      0,
      expect.stringMatching(/; time-stamped \d{4}-.*Z, unchecked: --authority/),
    ])

    // What the authority saw decides, and not the time that the signer wrote into the close.
    const stampedAt = Date.parse(/time-stamped (\S+Z)/.exec(unchecked.text)?.[1] ?? '')
    const verified = (from: number, to: number) => {
      const signers = join(freshFolder(), 'signers')
      writeFileSync(
        signers,
        `amina valid-after="${moment(from)}",valid-before="${moment(to)}" ${publicKey}\n`,
      )
      return captured(() => verifyClose(at.out, { signers, authority: certificates }))
    }
    expect(await verified(stampedAt - 1_000, stampedAt + 1_000)).toMatchObject({
      exitCode: 0,
      text: expect.stringMatching(/signed by amina .*; time-stamped \S+Z, verified\n/) as string,
    })
    expect(await verified(NOW - 1_000, NOW + 1_000)).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('key has expired') as string,
    })
  })

  test('an expired key is not revived by a time-stamp that no trusted authority made', async () => {
    const [trusted, own] = [openAuthority(), openAuthority()]
    const { path: key, publicKey } = newKey()
    const timestamp = await serveAuthority((query) => ({ status: 200, body: own.answer(query) }))
    const at = position('desk-1', { timestamp })
    // The signer's own authority sees the close today; the close names a time at which the key had expired.
    expect(await closed(at, FIRST, { key })).toMatchObject({ ok: true, value: { timestampProblem: null } })
    const signers = join(freshFolder(), 'signers')
    const verified = (options: { readonly authority?: string }) =>
      captured(() => verifyClose(at.out, { signers, ...options }))
    const today = `valid-after="${moment(Date.now() - 3_600_000)}",valid-before="${moment(Date.now() + 3_600_000)}"`
    writeFileSync(signers, `amina ${today} ${publicKey}\n`)
    expect(await verified({})).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('not yet valid') as string,
    })
    const { text, exitCode } = await verified({ authority: join(trusted.folder, 'ca.pem') })
    expect(exitCode).toBe(1)
    expect(text).toContain(`${FIRST}.json.tsr does not hold: openssl: `)
    expect(text).toContain('not yet valid')
    expect(await verified({ authority: join(own.folder, 'ca.pem') })).toMatchObject({ exitCode: 0 })
  })
})

describe.skipIf(needs('openssl') || needs('ssh-keygen'))(
  'the closes of 0.2.0, which its own code signed',
  () => {
    const golden = join(import.meta.dirname, '../../golden/0.2.0/closes')
    const signers = join(golden, 'allowed_signers')

    test('verify with their signers, and with the certificate of their authority where each has a time-stamp', async () => {
      const { text, exitCode } = await captured(() => verifyClose(join(golden, 'fleet'), { signers }))
      expect([exitCode, [...text.matchAll(/final; signed by (\S+)/g)].map(([, name]) => name)]).toEqual([
        0,
        ['ed25519@desk.example', 'ecdsa-256@desk.example', 'rsa-2048@desk.example'],
      ])
      const authority = join(golden, 'authority.pem')
      const stamped = await captured(() => verifyClose(join(golden, 'fleet'), { signers, authority }))
      expect(stamped.text.match(/time-stamped \S+Z, verified/g)).toHaveLength(2)
      expect(stamped.text.split('DO NOT HOLD\n')[1]).toBe('2026-11-21: 2026-11-21.json has no time-stamp\n')
    })

    test.each(['ecdsa-384', 'ecdsa-521'])('hold with a signature by a key of kind %s', (kind) => {
      const message = readFileSync(join(golden, 'fleet/desk-1/2026-11-20.json'))
      const armour = readFileSync(join(golden, 'signatures', `${kind}.sig`))
      expect(verifySignature(message, armour, NOW, readFileSync(signers))).toMatchObject({
        value: { signer: `${kind}@desk.example` },
      })
    })
  },
)

test.skipIf(needs('ssh-keygen'))(
  'the close of a position with a treasury, recorded before the restructuring, verifies',
  async () => {
    const golden = join(import.meta.dirname, '../../golden/0.3.0-before')
    const { text, exitCode } = await captured(() =>
      verifyClose(join(golden, 'closes'), { signers: join(golden, 'allowed_signers') }),
    )
    expect([exitCode, text.split('\n')[0]]).toEqual([
      0,
      expect.stringContaining('final; signed by operator@desk.example'),
    ])
  },
)
