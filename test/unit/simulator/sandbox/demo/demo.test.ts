import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  const { stdout } = await promisify(execFile)(process.execPath, [launcher], { cwd })
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: expect.stringMatching(/ended with exit code 3.*\nthe port is taken\n.*mizani sandbox/) as string,
  })
})

test('a demo in a folder that cannot be written starts no venue and names the folder', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'mizani-demo-'))
  writeFileSync(join(cwd, 'data'), 'a file in its place')
  const script = `const { prepareDemo } = await import(${JSON.stringify(DEMO)})
console.log(JSON.stringify(await prepareDemo({ scenario: 'normal', seed: 1 })))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
  })
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: expect.stringMatching(/cannot write in .*demo: .*; start it in a folder/) as string,
  })
})

test('a second demo leaves the running one alone, even if it wants a fresh market', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'mizani-demo-'))
  await using venue = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(venue, 'listening')
  mkdirSync(join(cwd, 'data', 'demo'), { recursive: true })
  const user = { pid: process.pid, console: 'http://127.0.0.1:9464' }
  const url = `http://127.0.0.1:${(venue.address() as AddressInfo).port}`
  // As pid of the venue, a signal would end this test.
  const remembered = { url, chainUrl: null, pid: process.pid, kind: 'measured', folder: cwd, user }
  writeFileSync(join(cwd, 'data', 'demo', 'venue.json'), JSON.stringify(remembered))
  const script = `const { prepareDemo } = await import(${JSON.stringify(DEMO)})
console.log(JSON.stringify(await prepareDemo({ scenario: 'normal', seed: 1, fresh: true })))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
  })
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: expect.stringContaining('a demo already runs: its console is http://127.0.0.1:9464') as string,
  })
})
