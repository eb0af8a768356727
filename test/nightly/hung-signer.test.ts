import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { verifySignature } from '../../src/research/close/proof/signature.ts'
import { freshFolder } from '../unit/research/close/close-fixture.ts'

afterEach(() => void vi.unstubAllEnvs())

test('a program that neither answers nor obeys SIGTERM is ended after a minute, though its own child holds its output', () => {
  const [programs, scratch] = [freshFolder(), freshFolder()]
  const file = join(programs, 'ssh-keygen')
  const child = join(programs, 'child')
  writeFileSync(file, `#!/bin/bash\ntrap '' TERM\nsleep 600 &\necho $! >${child}\nwait\n`)
  chmodSync(file, 0o755)
  vi.stubEnv('PATH', `${programs}:/usr/bin:/bin`).stubEnv('TMPDIR', scratch)
  onTestFinished(() => void process.kill(Number(readFileSync(child, 'utf8'))))
  const began = performance.now()
  const verified = verifySignature(Buffer.from('{}'), Buffer.from(''), 0, null)
  expect(verified).toEqual({ ok: false, error: 'ssh-keygen did not end within 60 s' })
  expect(performance.now() - began).toBeLessThan(90_000)
  expect(readdirSync(scratch)).toEqual([])
})
