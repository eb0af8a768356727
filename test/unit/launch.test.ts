import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Starts the launcher in a Node that believes to be another version on another platform. */
function launch(version: string, platform: string, arch: string) {
  const disguise = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
    Object.defineProperty(process, 'platform', { value: '${platform}' })
    Object.defineProperty(process, 'arch', { value: '${arch}' })`
  const run = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`, 'src/launch.mjs', 'start'],
    { encoding: 'utf8' },
  )
  return { status: run.status, stdout: run.stdout, stderr: run.stderr }
}

test('an old Node on a platform that npm ci serves is told about npm ci, in one line, with exit 2', () => {
  const run = launch('20.20.2', 'linux', 'x64')
  expect(run).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) as string })
  expect(run.stderr).toContain('this is Node 20.20.2')
  expect(run.stderr).toContain('`npm ci`, which brings Node 24 along')
  expect(run.stderr).toContain('`npm run mizani -- ...`')
})

test('an old Node anywhere else is told to install Node 24', () => {
  const run = launch('22.1.0', 'darwin', 'arm64')
  expect(run).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) as string })
  expect(run.stderr).toContain('install Node 24')
})
