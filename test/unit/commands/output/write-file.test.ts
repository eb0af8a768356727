import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { writeTextAtomically } from '../../../../src/commands/output/write-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-whole-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a file is replaced as a whole, and a device, a pipe or a folder stays what it is', async () => {
  const [file, pipe] = [join(folder, 'a'), join(folder, 'pipe')]
  writeFileSync(file, 'before')
  execFileSync('mkfifo', [pipe])
  expect(await writeTextAtomically(file, 'after')).toEqual({ ok: true, value: undefined })
  expect(readFileSync(file, 'utf8')).toBe('after')
  for (const other of [pipe, folder])
    expect(await writeTextAtomically(other, 'x')).toMatchObject({
      ok: false,
      error: expect.stringContaining('not a regular file'),
    })
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})
