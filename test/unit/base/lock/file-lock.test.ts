import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { takeFileLock, withFileLock } from '../../../../src/base/lock/file-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'lock-'))
const CHILD = fileURLToPath(new URL('holding-child.ts', import.meta.url))
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Another process that has the lock; resolves with what it says first. */
async function holder(file: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [CHILD, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    child.once('exit', (code) => reject(new Error(`exit ${code}`)))
  })
  return { child, said }
}

describe('a lock on a file', () => {
  test('a file lock admits one at a time, and is free afterwards, also if the work fails', async () => {
    const file = join(folder, 'one')
    let inside = 0
    const work = async (turn: number) => {
      inside += 1
      expect(inside).toBe(1)
      await new Promise((resolve) => void setImmediate(resolve))
      inside -= 1
      return turn
    }
    const turns = [1, 2, 3, 4, 5]
    const done = await Promise.all(turns.map((turn) => withFileLock(file, () => work(turn))))
    expect(done).toEqual(turns.map((value) => ({ ok: true, value })))
    await expect(withFileLock(file, () => Promise.reject(new Error('work')))).rejects.toThrow('work')
    expect(await withFileLock(file, () => Promise.resolve('free'))).toEqual({ ok: true, value: 'free' })
  })

  test('a lock of another process is waited for, not longer than asked, and ends with that process', async () => {
    const file = join(folder, 'other')
    const { child, said } = await holder(file)
    expect(said).toBe(`held by ${child.pid}`)
    expect(takeFileLock(file)).toEqual({ ok: false, error: 'held' })
    const late = await withFileLock(file, () => Promise.resolve('done'), 60)
    expect(late).toEqual({ ok: false, error: `${file} is held by another process` })
    const waiting = withFileLock(file, () => Promise.resolve('done'))
    // It has looked once by now.
    child.kill('SIGKILL')
    expect(await waiting).toEqual({ ok: true, value: 'done' })
  })

  test('an error names the file if its folder is missing, or if it is no lock', async () => {
    const nowhere = join(folder, 'absent', 'lock')
    const other = join(folder, 'other-file')
    writeFileSync(other, 'not a database, and longer than a header of one: '.repeat(20))
    for (const file of [nowhere, other]) {
      const tried = await withFileLock(file, () => Promise.resolve('done'))
      expect(tried).toMatchObject({ ok: false })
      expect(tried.ok ? '' : tried.error).toMatch(new RegExp(`^${file} cannot be locked \\(`))
    }
  })
})
