import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFile } from '../../../src/daemon/feeds/open-file.ts'

test('a feed reports a pipe that no process writes to as no file, and does not wait for a writer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-feeds-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = openFile({ kind: 'file', file: pipe, path: null, timePath: null })
  expect(await reader.read()).toEqual({ ok: false, error: expect.stringContaining('no file') as string })
})
