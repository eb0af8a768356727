import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { operate, reload } from '../../../../src/cli/operator/operate.ts'
import { sharedOperator } from '../../../../src/daemon/console/auth/credentials.ts'
import { runCommand } from '../../../support/run-command.ts'
import { ENV } from '../../../unit/daemon/config/config-fixture.ts'
import { consoleOf, position } from '../../../unit/daemon/console/console-fixture.ts'
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

test.each([
  [true, undefined, 'applied: halfSpreadBps'],
  [false, 3, 'not reloaded: halfSpreadBps is too small'],
])(
  'a reload prints the answer of the daemon and fails if it was refused (accepted: %s)',
  async (accepted, code, answer) => {
    const { port: desk } = position('desk-1')
    const given: unknown[] = []
    const command: typeof desk.command = async (one) => {
      given.push(one)
      return { accepted, answer }
    }
    const token = ENV.MIZANI_HTTP_TOKEN
    const { port } = await consoleOf({
      positions: [{ ...desk, command }],
      credentials: [sharedOperator(token)],
    })
    vi.stubEnv('MIZANI_OPERATOR_TOKEN', token)
    onTestFinished(() => void vi.unstubAllEnvs())
    const place = { url: `http://127.0.0.1:${port}`, reason: 'wider at night' }
    const { text, exitCode } = await runCommand(() => reload({ ...place, fromFile: true }))
    expect([exitCode, text]).toEqual([code, expect.stringContaining(answer)])
    expect(given).toEqual([expect.objectContaining({ name: 'reload', fromFile: true, changes: {} })])
  },
)

test('a reload without a daemon is refused', async () => {
  const { text, exitCode } = await runCommand(() => reload({ url: 'http://127.0.0.1:1', reason: 'odd' }))
  expect([exitCode, text]).toEqual([3, expect.stringContaining('no daemon runs')])
})
