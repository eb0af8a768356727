import { lstatSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTextAtomically } from '../../../../src/cli/output/write-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-whole-'))

test('a file is replaced as a whole, and a socket or a folder stays what it is', async () => {
  const [file, socket] = [join(folder, 'a'), join(folder, 'socket')]
  writeFileSync(file, 'before')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  expect(await writeTextAtomically(file, 'after')).toEqual({ ok: true, value: undefined })
  expect(readFileSync(file, 'utf8')).toBe('after')
  for (const other of [socket, folder])
    expect(await writeTextAtomically(other, 'x')).toMatchObject({
      ok: false,
      error: expect.stringContaining('a regular file'),
    })
  expect(lstatSync(socket).isSocket()).toBe(true)
  await new Promise((resolve) => server.close(resolve))
})
