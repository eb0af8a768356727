import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operate } from '../../../../src/cli/operator/operate.ts'
import { runCommand } from '../../../support/run-command.ts'
import { freshFolder } from '../../../unit/store/store-fixture.ts'

test.each([
  ['cut off', 'name: a\nquote: { bps'],
  ['binary', Buffer.from([0, 255, 254, 1])],
  ['empty', ''],
])('a halt with a file that is %s names the ways that need no file', async (_what, content) => {
  const folder = freshFolder()
  const file = join(folder, 'a.yaml')
  writeFileSync(file, content)
  const { text, exitCode } = await runCommand(() =>
    operate({ name: 'halt' }, { config: file, reason: 'odd' }),
  )
  expect(exitCode).toBe(2)
  for (const way of ['--store FOLDER', '--url URL', 'MIZANI_OPERATOR_TOKEN']) expect(text).toContain(way)
})

test('a halt with a folder in place of a file, or without one, names them too', async () => {
  for (const file of [freshFolder(), '/nowhere/a.yaml']) {
    const { text, exitCode } = await runCommand(() =>
      operate({ name: 'halt' }, { config: file, reason: 'odd' }),
    )
    expect([exitCode, text]).toEqual([2, expect.stringContaining('--store FOLDER')])
  }
})
