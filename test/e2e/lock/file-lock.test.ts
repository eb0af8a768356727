import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { takeFileLock, withFileLock } from '../../../src/base/lock/file-lock.ts'
import { needs } from '../../support/needs.ts'

const CHILD = fileURLToPath(new URL('../../unit/base/lock/holding-child.ts', import.meta.url))

/** In a process namespace of its own the holder's number is the number of another process here, or of none. */
const OWN = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child']

test.skipIf(needs('unshare'))('a file lock holds against a process of another container', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'))
  const file = join(folder, 'contained')
  const child = spawn('unshare', [...OWN, process.execPath, CHILD, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  expect(String(said)).toBe('held by 1\n')
  expect(takeFileLock(file)).toEqual({ ok: false, error: 'held' })
  child.kill('SIGKILL')
  expect(await withFileLock(file, () => Promise.resolve('done'), 5_000)).toMatchObject({ ok: true })
})
