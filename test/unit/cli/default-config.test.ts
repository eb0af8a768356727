import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../../../src/cli/program.ts'
import { runCommand } from '../../support/run-command.ts'

/** Works in an empty folder whose configuration is broken, so that a command reports the file that it reads. */
function enterFolder(): void {
  const before = process.cwd()
  const folder = mkdtempSync(join(tmpdir(), 'mizani-default-'))
  writeFileSync(join(folder, 'mizani.yaml'), 'nane: x\n')
  process.chdir(folder)
  onTestFinished(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  })
}

const mizani = (...words: string[]) => runCommand(() => runProgram(['node', 'mizani', ...words]))

test('a command that requires a configuration reads ./mizani.yaml by default, and --config before or after the command replaces it', async () => {
  enterFolder()
  for (const words of [['replay'], ['status']])
    expect((await mizani(...words)).text).toMatch(/^\.\/mizani\.yaml:1/m)
  for (const words of [
    ['replay', '--config', 'other.yaml'],
    ['--config', 'other.yaml', 'replay'],
    ['--config=other.yaml', 'status'],
  ])
    expect((await mizani(...words)).text).toMatch(/^other\.yaml:1:1/m)
})

test('a command with another way to find its position, or an optional configuration, does not read ./mizani.yaml', async () => {
  enterFolder()
  const [byStore, byFleet, calibration] = [
    await mizani('status', '--store', 'nowhere'),
    await mizani('ack', '--fleet', 'nowhere'),
    await mizani('calibrate', '--tape', 'nowhere'),
  ]
  expect([byStore, byFleet, calibration].map(({ text }) => text.includes('mizani.yaml'))).toEqual([
    false,
    false,
    false,
  ])
})

test('the runbook takes the configuration that other commands of a message need', async () => {
  enterFolder()
  const { text } = await mizani('runbook', 'store', '--config', 'mizani.yaml')
  expect(text).toMatch(/store[^]*The journal cannot be written/)
})
