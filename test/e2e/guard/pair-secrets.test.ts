import { execFileSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { databaseProblem } from '../../../src/base/outgoing.ts'
import { composeFile } from '../../support/compose-file.ts'
import { needs } from '../../support/needs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const compose = composeFile('mizani-pair').parse(
  parse(readFileSync(join(root, 'compose.pair.yaml'), 'utf8'), { merge: true }),
)

test.skipIf(needs('openssl'))(
  'make-secrets.sh pair makes every secret of the pair except the key of the venue, once',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'mizani-pair-'))
    mkdirSync(join(folder, 'deploy'))
    copyFileSync(join(root, 'deploy/make-secrets.sh'), join(folder, 'deploy/make-secrets.sh'))
    const run = () =>
      execFileSync('sh', [join(folder, 'deploy/make-secrets.sh'), 'pair'], { encoding: 'utf8' })
    const secrets = join(folder, 'deploy/secrets')
    const contents = () =>
      readdirSync(secrets)
        .sort()
        .map((name) => [name, readFileSync(join(secrets, name), 'utf8')])
    run()
    const first = Object.fromEntries(contents()) as Record<string, string>
    const needed = Object.keys(compose.secrets).filter((name) => name !== 'mm_key')
    expect(Object.keys(first)).toEqual(expect.arrayContaining(needed))
    const plain = `postgres://mizani:${first['postgres_password']}@postgres/mizani`
    const url = first['store_url']?.trim() ?? ''
    expect(url).toBe(`${plain}?sslmode=verify-full&sslrootcert=/run/secrets/postgres_cert`)
    expect(databaseProblem(url, false, {})).toBeNull()
    for (const name of ['guard', 'postgres']) {
      const certificate = new X509Certificate(first[`${name}_cert`] ?? '')
      expect(certificate.checkHost(name)).toBe(name)
      expect(certificate.checkPrivateKey(createPrivateKey(first[`${name}_key`] ?? ''))).toBe(true)
      expect(statSync(join(secrets, `${name}_key`)).mode & 0o777).toBe(0o644)
    }
    // As version 0.2.0 made it.
    writeFileSync(join(secrets, 'store_url'), `${plain}\n`)
    run()
    expect(Object.fromEntries(contents())).toEqual(first)
  },
)
