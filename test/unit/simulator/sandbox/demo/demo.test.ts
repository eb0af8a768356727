import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const DEMO = new URL('../../../../../src/simulator/sandbox/demo/demo.ts', import.meta.url).href

test('a demo whose venue ends early fails at once with the last lines of the venue', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'mizani-demo-'))
  const launcher = join(cwd, 'launcher.mjs')
  writeFileSync(
    launcher,
    `if (process.argv[2] === 'sandbox') {
  console.error('the port is taken')
  process.exit(3)
}
const { prepareDemo } = await import(${JSON.stringify(DEMO)})
console.log(JSON.stringify(await prepareDemo({ scenario: 'usual', seed: 1 })))`,
  )
  // Less than the time that a venue gets to listen.
  const { stdout } = await promisify(execFile)(process.execPath, [launcher], { cwd, timeout: 12_000 })
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: expect.stringMatching(/ended with exit code 3.*\nthe port is taken\n.*mizani sandbox/) as string,
  })
})
