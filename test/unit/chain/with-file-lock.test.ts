import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { withFileLock } from '../../../src/chain/with-file-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a lock beside a file', () => {
  test('lets one at a time work, and is gone afterwards, also where the work fails', async () => {
    const path = join(folder, 'one')
    let inside = 0
    const work = async (turn: number) => {
      inside += 1
      expect(inside).toBe(1)
      await pause(5)
      inside -= 1
      return turn
    }
    const turns = [1, 2, 3, 4, 5]
    const done = await Promise.all(turns.map((turn) => withFileLock(path, () => work(turn))))
    expect(done).toEqual(turns.map((value) => ({ ok: true, value })))
    await expect(withFileLock(path, () => Promise.reject(new Error('work')))).rejects.toThrow('work')
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  test('of a process that is gone, of an earlier life with our number, of nobody, or of long ago is taken over', async () => {
    const path = join(folder, 'left')
    for (const holder of ['4194304:a', `${process.pid}:an-earlier-life`, '1:somebody', '']) {
      writeFileSync(`${path}.lock`, holder)
      if (holder.startsWith('1:')) utimesSync(`${path}.lock`, 1, 1)
      expect(await withFileLock(path, () => Promise.resolve('done'))).toEqual({ ok: true, value: 'done' })
    }
  })

  test('of a process that lives is waited for', async () => {
    const path = join(folder, 'alive')
    writeFileSync(`${path}.lock`, `${process.ppid}:parent`)
    const waiting = withFileLock(path, () => Promise.resolve('done'))
    await pause(100)
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(`${process.ppid}:parent`)
    rmSync(`${path}.lock`)
    expect(await waiting).toEqual({ ok: true, value: 'done' })
  })
})
