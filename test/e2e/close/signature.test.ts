import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openCloseSigner, verifySignature } from '../../../src/research/close/proof/signature.ts'
import { needs } from '../../support/needs.ts'
import { freshFolder } from '../../unit/research/close/close-fixture.ts'
import { newKey, signedBy, whyUnsigned } from './keys.ts'

const MESSAGE = Buffer.from('{"a":"1"}')
const AT = Date.parse('2026-11-22T09:30:00Z')
let scratch: string

beforeEach(() => {
  scratch = freshFolder()
  vi.stubEnv('TMPDIR', scratch)
})
afterEach(() => {
  const left = readdirSync(scratch).filter((name) => name.startsWith('mizani-proof-'))
  if (left.length > 0) throw new Error(`temporary files are left: ${left.join(', ')}`)
  vi.unstubAllEnvs()
})

/** What this signers' file makes of a signature: who signed, or why no one may. */
function judged(armour: Uint8Array, signers: string, at = AT): string {
  const verified = verifySignature(MESSAGE, armour, at, Buffer.from(signers))
  if (!verified.ok) throw new Error(verified.error)
  return verified.value.signer ?? verified.value.refusal
}

describe.skipIf(needs('ssh-keygen'))('a signature', () => {
  test.each(['-t ed25519', '-t rsa -b 2048', '-t rsa -b 2048 -m PEM', '-t ecdsa -b 256', '-t ecdsa -b 521'])(
    'by a key of `ssh-keygen %s` verifies here and there, over these bytes only, and names the key',
    (of) => {
      const { path, publicKey } = newKey(of)
      const armour = signedBy(path, MESSAGE)
      const [, name] = execFileSync('ssh-keygen', ['-l', '-f', path], { encoding: 'utf8' }).split(' ')
      expect(verifySignature(MESSAGE, armour, AT, null)).toEqual({
        ok: true,
        value: { fingerprint: name, signer: null, refusal: '' },
      })
      expect(verifySignature(Buffer.from('{}'), armour, AT, null)).toMatchObject({ ok: false })
      const folder = freshFolder()
      const [signature, signers] = [join(folder, 'sig'), join(folder, 'signers')]
      writeFileSync(signature, armour)
      writeFileSync(signers, `amina namespaces="mizani-close" ${publicKey}`)
      const verify = ['-Y', 'verify', '-f', signers, '-I', 'amina', '-n', 'mizani-close', '-s', signature]
      expect(spawnSync('ssh-keygen', verify, { input: MESSAGE }).status).toBe(0)
    },
  )

  test('for another purpose, and text that is no signature, are refused in the words of ssh-keygen', () => {
    const { path } = newKey()
    const other = execFileSync('ssh-keygen', ['-Y', 'sign', '-n', 'git', '-f', path], {
      input: MESSAGE,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const refused = verifySignature(MESSAGE, other, AT, null)
    expect(refused.ok ? '' : refused.error).toContain('namespace does not')
    for (const text of ['', 'a page', String(other).slice(0, 90)])
      expect([text, verifySignature(MESSAGE, Buffer.from(text), AT, null).ok]).toEqual([text, false])
  })

  test('of a document that is longer than a pipe verifies, also where ssh-keygen reads nothing of it', () => {
    const { path, publicKey } = newKey()
    const long = Buffer.alloc(4_000_000, 'a')
    const verified = verifySignature(long, signedBy(path, long), AT, Buffer.from(`amina ${publicKey}`))
    expect(verified).toMatchObject({ ok: true, value: { signer: 'amina' } })
  })
})

describe.skipIf(needs('ssh-keygen'))('the lines of a signers’ file', () => {
  test('allow a key for its purposes and in its time, to the second', () => {
    const { path, publicKey } = newKey()
    const armour = signedBy(path, MESSAGE)
    const line = (options: string) =>
      judged(armour, `# the desk's auditors\n\namina ${options} ${publicKey}\n`)
    expect(line('')).toBe('amina')
    expect(line('namespaces="git,mizani-*"')).toBe('amina')
    for (const names of ['git', '*,!mizani-close', '!git', 'mizani.close'])
      expect([names, line(`namespaces="${names}"`)]).toEqual([names, expect.stringContaining('namespace')])
    expect(line('valid-after="20261122093000Z",valid-before="20261122093001Z"')).toBe('amina')
    expect(line('valid-before="20261122092959Z"')).toContain('key has expired')
    expect(line('valid-after="20261122093001Z"')).toContain('not yet valid')
    expect(line('valid-after="soon"')).toContain('valid-after')
    expect(judged(armour, `amina ${newKey().publicKey}`)).toContain('No principal matched')
    expect(judged(armour, '')).toContain('No principal matched')
  })

  test('are all read where the first one with the key is for another purpose', () => {
    const { path, publicKey } = newKey()
    const armour = signedBy(path, MESSAGE)
    const text = `amina namespaces="git" ${publicKey}\njoseph namespaces="mizani-close" ${publicKey}\n`
    expect(judged(armour, text)).toBe('joseph')
  })

  test('may name principals with a dash, blanks, patterns and exclusions', () => {
    const { path, publicKey } = newKey()
    const armour = signedBy(path, MESSAGE)
    for (const name of ['-O', '-hashalg=x', '*@desk.example', '$(id)'])
      expect(judged(armour, `${name} ${publicKey}`)).toBe(name)
    expect(judged(armour, `"grace of the desk" ${publicKey}`)).toBe('grace of the desk')
    expect(judged(armour, `!joseph,*@desk.example ${publicKey}`)).toBe('*@desk.example')
  })
})

describe.skipIf(needs('ssh-keygen'))('a key', () => {
  test('signs whatever the name of its file has in it', () => {
    for (const name of ['-f', '--', '-Y sign', '$(touch x)', 'a;b', 'a\'b"c', 'ключ', 'a\nb']) {
      const { path } = newKey('-t ed25519', { name: 'key' })
      const odd = join(path, '..', name)
      renameSync(path, odd)
      renameSync(`${path}.pub`, `${odd}.pub`)
      expect(verifySignature(MESSAGE, signedBy(odd, MESSAGE), AT, null)).toMatchObject({ ok: true })
      const before = process.cwd()
      process.chdir(join(path, '..'))
      expect(verifySignature(MESSAGE, signedBy(name, MESSAGE), AT, null)).toMatchObject({ ok: true })
      expect(readdirSync('.').toSorted()).toEqual([name, `${name}.pub`].toSorted())
      process.chdir(before)
    }
  })

  test('that is missing, is no key, is a short RSA key, or can be read by others signs nothing, and the message names the reason', () => {
    const file = join(freshFolder(), 'key')
    expect(openCloseSigner(file)).toMatchObject({
      ok: false,
      error: expect.stringContaining('No such file') as string,
    })
    writeFileSync(file, 'hello')
    expect(whyUnsigned(file)).toMatch(/^the key \S+ cannot sign \(ssh-keygen: .*public key file/)
    expect(whyUnsigned(newKey('-t rsa -b 1024').path)).toContain('needs 2048 bits')
    const { path } = newKey()
    chmodSync(path, 0o644)
    expect(whyUnsigned(path)).toContain('Permissions 0644')
  })
})

/** A folder that alone is searched for programs, with one that does this. */
function programs(script?: string): void {
  const folder = freshFolder()
  if (script !== undefined)
    writeFileSync(join(folder, 'ssh-keygen'), `#!/bin/bash\n${script}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', script === undefined ? folder : [folder, '/usr/bin', '/bin'].join(delimiter))
}

describe('ssh-keygen', () => {
  test('that is not installed is named with its Debian package, by a signature and by its verification', () => {
    programs()
    const missing = 'ssh-keygen is not installed: install the Debian package openssh-client'
    expect(whyUnsigned('key')).toContain(missing)
    expect(verifySignature(MESSAGE, MESSAGE, AT, null)).toEqual({ ok: false, error: missing })
    expect(verifySignature(MESSAGE, MESSAGE, AT, MESSAGE)).toEqual({ ok: false, error: missing })
  })

  test('that fails without words, is ended, or cannot be run is an error', () => {
    const why = () => {
      const verified = verifySignature(MESSAGE, MESSAGE, AT, null)
      return verified.ok ? '' : verified.error
    }
    programs('exit 7')
    expect(why()).toBe('ssh-keygen: exit code 7')
    programs('kill -9 $$')
    expect(why()).toBe('ssh-keygen: SIGKILL')
    const folder = freshFolder()
    mkdirSync(join(folder, 'ssh-keygen'))
    vi.stubEnv('PATH', folder)
    expect(why()).toBe('ssh-keygen cannot be run (EACCES)')
  })

  test('gets no variable of the daemon, and its files are in a folder that only this user can open', () => {
    vi.stubEnv('MIZANI_API_KEY', 'secret').stubEnv('SSH_AUTH_SOCK', '/nowhere').stubEnv('OPENSSL_CONF', '/x')
    const seen = join(freshFolder(), 'seen')
    programs(`{ env; stat -c 'mode %a' .; pwd; } >${seen}; exit 1`)
    verifySignature(MESSAGE, MESSAGE, AT, null)
    const lines = readFileSync(seen, 'utf8').split('\n')
    const names = lines.flatMap((line) => (line.includes('=') ? [line.split('=')[0] ?? ''] : []))
    // The last three are bash's own.
    expect(new Set(names)).toEqual(new Set(['LC_ALL', 'OPENSSL_CONF', 'PATH', 'PWD', 'SHLVL', '_']))
    expect(lines).toContain('mode 700')
    expect(lines.some((line) => line.startsWith(join(scratch, 'mizani-proof-')))).toBe(true)
    expect(statSync(scratch).isDirectory()).toBe(true)
  })

  test('is not started where no temporary file can be written, and the message names the folder', () => {
    vi.stubEnv('TMPDIR', join(scratch, 'none'))
    const verified = verifySignature(MESSAGE, MESSAGE, AT, null)
    expect(verified.ok ? '' : verified.error).toMatch(/\S+none cannot be used .*TMPDIR/)
  })
})
