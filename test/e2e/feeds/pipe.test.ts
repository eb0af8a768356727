import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFile } from '../../../src/daemon/feeds/open-file.ts'

test('a feed reports a pipe that no process writes to as no file, and does not wait for a writer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-feeds-'))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = openFile({ kind: 'file', file: pipe, path: null, timePath: null })
  expect(await reader.read()).toEqual({ ok: false, error: expect.stringContaining('not a file') as string })
})
