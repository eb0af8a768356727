import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tapeIdentity } from '../../../../src/research/sweep/results/identity.ts'
import { emptyFolder } from './fake-sweep.ts'

let folder = emptyFolder()
const at = (...path: readonly string[]) => join(folder.path, ...path)

beforeEach(() => {
  folder = emptyFolder()
  mkdirSync(at('tape', '2026-11-02'), { recursive: true })
  writeFileSync(at('tape', '2026-11-02', '0001.parquet'), 'one')
  writeFileSync(at('tape', '2026-11-02', '0002.parquet'), 'two')
})
afterEach(() => folder.remove())

async function identity(path: string): Promise<string> {
  const result = await tapeIdentity(path)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

describe('the identity of a tape', () => {
  test('is that of its content, wherever it lies and whatever lies beside it', async () => {
    const before = await identity(at('tape'))
    cpSync(at('tape'), at('copy'), { recursive: true })
    writeFileSync(at('copy', 'notes.txt'), 'not a tape')
    expect(await identity(at('copy'))).toBe(before)
  })

  test('changes with a byte, a file that is missing, and bytes that move from one file to the next', async () => {
    const found = new Set([await identity(at('tape'))])
    writeFileSync(at('tape', '2026-11-02', '0002.parquet'), 'twO')
    found.add(await identity(at('tape')))
    writeFileSync(at('tape', '2026-11-02', '0001.parquet'), 'onet')
    writeFileSync(at('tape', '2026-11-02', '0002.parquet'), 'wo')
    found.add(await identity(at('tape')))
    renameSync(at('tape', '2026-11-02', '0002.parquet'), at('elsewhere.parquet'))
    found.add(await identity(at('tape')))
    expect(found.size).toBe(4)
  })

  test('of a single file is the same under another name', async () => {
    writeFileSync(at('a.jsonl'), 'text')
    writeFileSync(at('b.jsonl'), 'text')
    expect(await identity(at('a.jsonl'))).toBe(await identity(at('b.jsonl')))
  })

  test('of a tape that is not there, or is empty, is an error with its path', async () => {
    expect(await tapeIdentity(at('none'))).toMatchObject({
      error: expect.stringMatching(/none: there/) as string,
    })
    mkdirSync(at('empty'))
    expect(await tapeIdentity(at('empty'))).toMatchObject({
      error: expect.stringMatching(/no \.parquet or \.jsonl/) as string,
    })
  })
})
