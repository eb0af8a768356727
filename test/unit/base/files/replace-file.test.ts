import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { replaceFile, replaceFileSync } from '../../../../src/base/files/replace-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-files-'))

let count = 0
const newFile = () => join(folder, `${(count += 1)}.json`)

describe.each([
  ['awaited', replaceFile],
  ['at once', async (path: string, text: string) => replaceFileSync(path, text)],
])('a file that is replaced, %s', (_how, replace) => {
  test('is made where none exists, holds the new text alone, and is for its owner only', async () => {
    const path = newFile()
    await replace(path, 'the first and longer text')
    await replace(path, 'second')
    expect(readFileSync(path, 'utf8')).toBe('second')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(existsSync(`${path}.part`)).toBe(false)
  })

  test('is not hurt by what a process that died had begun beside it', async () => {
    const path = newFile()
    writeFileSync(`${path}.part`, 'half of a much longer text that no one ended')
    await replace(path, 'whole')
    expect(readFileSync(path, 'utf8')).toBe('whole')
  })

  test('stays as it was where the new one cannot be put in its place, which is reported with the error of the system', async () => {
    const path = newFile()
    mkdirSync(path)
    writeFileSync(join(path, 'kept'), 'old')
    await expect(replace(path, 'new')).rejects.toMatchObject({ code: expect.stringMatching(/^E/) })
    expect(readFileSync(join(path, 'kept'), 'utf8')).toBe('old')
    const nowhere = join(folder, 'no-such-folder', 'file.json')
    await expect(replace(nowhere, 'new')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('a reader of a file that is replaced again and again finds one whole text', async () => {
  const path = newFile()
  const texts = ['a', 'b'].map((letter) => letter.repeat(200_000))
  await replaceFile(path, texts[0] ?? '')
  const writing = { isOver: false }
  const written = (async () => {
    for (let round = 0; round < 20; round++) await replaceFile(path, texts[round % 2] ?? '')
    writing.isOver = true
  })()
  let seen = 0
  while (!writing.isOver) {
    expect(texts).toContain(readFileSync(path, 'utf8'))
    seen += 1
    await new Promise(setImmediate)
  }
  await written
  expect(seen).toBeGreaterThan(1)
})
