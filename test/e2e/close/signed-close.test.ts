import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { publicBlob } from '../../../src/close/sign/public-key.ts'
import { signMessage } from '../../../src/close/sign/ssh-signature.ts'
import { verifyFolder } from '../../../src/close/verify/verify-folder.ts'
import { closePosition } from '../../../src/commands/close/close-position.ts'
import { verifyClose } from '../../../src/commands/close/verify-close.ts'
import {
  closed,
  FIRST,
  NOW,
  position,
  recordStore,
  SECOND,
  whyNot,
} from '../../unit/commands/close/recorded-position.ts'
import { captured } from '../../support/captured.ts'
import { needs } from '../../support/needs.ts'
import { EVIDENCE, freshFolder, KEY } from '../../unit/close/close-fixture.ts'
import { openAuthority, serveAuthority } from './authority.ts'

beforeAll(recordStore)
afterEach(() => {
  process.exitCode = 0
  vi.unstubAllEnvs()
})

describe.skipIf(needs('ssh-keygen'))('with a key', () => {
  function newKey(): { readonly path: string; readonly signers: string } {
    const folder = freshFolder()
    const path = join(folder, 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', path])
    const signers = join(folder, 'signers')
    writeFileSync(signers, `amina ${readFileSync(`${path}.pub`, 'utf8')}`)
    return { path, signers }
  }

  test('a close is signed, also one that was not signed before, and verify-close names who signed', async () => {
    const at = position()
    const { path: key, signers } = newKey()
    await closed(at, FIRST)
    await closed(at, SECOND, { key })
    expect(await captured(() => verifyClose(at.out, { signers }))).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining(`${FIRST} is not signed`) as string,
    })
    expect(await closed(at, FIRST, { key })).toMatchObject({
      ok: true,
      value: { isNew: true, isSigned: true },
    })
    const { text, exitCode } = await captured(() => verifyClose(at.out, { signers }))
    expect([exitCode, text.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/final; signed by amina \(SHA256:/),
    ])
    expect((await captured(() => verifyClose(at.out, {}))).text).toContain('unchecked: --signers')
  })

  test('that is encrypted ssh-keygen signs, with the passphrase that it asks for', async () => {
    const folder = freshFolder()
    const [path, helper] = [join(folder, 'key'), join(folder, 'askpass')]
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'a passphrase', '-C', '', '-f', path])
    writeFileSync(helper, '#!/bin/sh\necho a passphrase\n', { mode: 0o700 })
    vi.stubEnv('SSH_ASKPASS', helper).stubEnv('SSH_ASKPASS_REQUIRE', 'force').stubEnv('DISPLAY', ':0')
    const at = position()
    expect(await closed(at, FIRST, { key: path })).toMatchObject({ ok: true, value: { isSigned: true } })
    writeFileSync(helper, '#!/bin/sh\necho another\n', { mode: 0o700 })
    expect(await whyNot(at, SECOND, { key: path })).toContain('key is encrypted')
    expect(readdirSync(at.out).some((name) => name.startsWith(SECOND))).toBe(false)
  })

  test('that an agent holds ssh-keygen signs, by the public half that is named', async () => {
    const { path, signers } = newKey()
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
    expect(await whyNot(at, SECOND, { key: `${path}.pub` })).toContain('did not sign')
  })
})

describe.skipIf(needs('openssl'))('with a time-stamping authority', () => {
  test('a close gets its time-stamp, also later and beside a signature, and no bit of it can be altered', async () => {
    const authority = openAuthority()
    let isAway = true
    const timestamp = await serveAuthority((query) =>
      isAway ? { status: 503, body: '' } : { status: 200, body: authority.answer(query) },
    )
    const at = position('desk-1', { timestamp })
    const signer = (message: Uint8Array) => signMessage(KEY, message)
    const closing = { day: FIRST, out: at.out, signer, evidence: EVIDENCE, fleet: null }
    const signed = () => closePosition(at.loaded, closing, NOW)
    const missing = { timestampProblem: 'the time-stamping authority answered with status 503' }
    expect(await signed()).toMatchObject({
      ok: true,
      value: { isSigned: true, ...missing },
    })
    const [document, signature] = [`${FIRST}.json`, `${FIRST}.json.sig`].map((name) =>
      readFileSync(join(at.out, name)),
    )
    isAway = false
    const added = await signed()
    expect(added).toMatchObject({ ok: true, value: { isNew: true, isSigned: true, timestampProblem: null } })
    expect(readFileSync(join(at.out, `${FIRST}.json`))).toEqual(document)
    expect(readFileSync(join(at.out, `${FIRST}.json.sig`))).toEqual(signature)
    expect(await signed()).toMatchObject({ ok: true, value: { isNew: false } })
    const { text, exitCode } = await captured(() => verifyClose(at.out, {}))
    expect([exitCode, text]).toEqual([0, expect.stringMatching(/; time-stamped \d{4}-.*Z, check it with/)])

    const stamp = join(at.out, `${FIRST}.json.tsr`)
    const bytes = readFileSync(stamp)
    for (let place = 0; place < bytes.length; place += 61) {
      const altered = Buffer.from(bytes)
      altered[place] = (altered[place] ?? 0) ^ (1 << (place % 8))
      writeFileSync(stamp, altered)
      const verified = verifyFolder(at.out, null)
      expect([place, verified.ok && verified.value.problems.length > 0]).toEqual([place, true])
    }
    writeFileSync(stamp, bytes)

    // What the authority saw decides, and not the time that the signer wrote into the close.
    const name = `amina ssh-ed25519 ${(publicBlob(KEY) ?? Buffer.alloc(0)).toString('base64')}`
    const signers = (line: string) => {
      const file = join(freshFolder(), 'signers')
      writeFileSync(file, line)
      return captured(() => verifyClose(at.out, { signers: file }))
    }
    const stampedAt = Date.parse(/time-stamped (\S+Z)/.exec(text)?.[1] ?? '')
    const moment = (t: number) => `${new Date(t).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`
    const within = (from: number, to: number) =>
      name.replace(' ssh-', ` valid-after="${moment(from)}",valid-before="${moment(to)}" ssh-`)
    expect(await signers(within(stampedAt - 1_000, stampedAt + 1_000))).toMatchObject({ exitCode: 0 })
    expect(await signers(within(NOW - 1_000, NOW + 1_000))).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('or not for this purpose or time') as string,
    })
  })
})
