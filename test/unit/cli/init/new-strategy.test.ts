import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildProgram } from '../../../../src/cli/program.ts'
import { newStrategy } from '../../../../src/cli/init/init.ts'
import { captured } from '../../../support/captured.ts'

const SRC = join(import.meta.dirname, '../../../../src')

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'new-strategy-'))
  folder = join(root, 'strategies')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('mizani strategy new', () => {
  test('writes a strategy and a test of it that passes', async () => {
    const { out, exitCode } = await captured(() => newStrategy('trend', { folder, json: true }))
    const written = [join(folder, 'trend.ts'), join(folder, 'trend.test.ts')]
    expect({ exitCode, answer: JSON.parse(out) }).toEqual({ exitCode: 0, answer: { written } })
    // The packages of the folder that `mizani init` makes, from this checkout.
    const places = {
      "'#kit'": join(SRC, 'core/strategy/kit.ts'),
      "'mizani'": join(SRC, 'daemon/config/strategy/try-strategy.ts'),
    }
    for (const file of readdirSync(folder)) {
      let text = readFileSync(join(folder, file), 'utf8')
      for (const [name, place] of Object.entries(places))
        text = text.replace(name, `'${pathToFileURL(place).href}'`)
      writeFileSync(join(folder, file), text)
    }
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
    const ran = spawnSync(process.execPath, ['--test', join(folder, 'trend.test.ts')], { encoding: 'utf8' })
    expect({ status: ran.status, out: ran.stdout }).toEqual({
      status: 0,
      out: expect.stringMatching(/pass 2\n/),
    })
  })

  test.each(['mine.ts', 'mine.test.ts'])('writes nothing if %s exists', async (present) => {
    await captured(() => newStrategy('mine', { folder }))
    rmSync(join(folder, present === 'mine.ts' ? 'mine.test.ts' : 'mine.ts'))
    writeFileSync(join(folder, present), 'my work')
    const { exitCode, err } = await captured(() => newStrategy('mine', { folder }))
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining(present) })
    expect(readdirSync(folder)).toEqual([present])
    expect(readFileSync(join(folder, present), 'utf8')).toBe('my work')
  })

  test.each(['Trend', '../trend', 'a b', '9lives', ''])('refuses the name %j', async (name) => {
    const program = await buildProgram('strategy')
    const strategy = program.commands.find((command) => command.name() === 'strategy')!
    for (const command of [strategy, ...strategy.commands]) command.exitOverride()
    const run = () => strategy.parseAsync(['new', name, '--folder', folder], { from: 'user' })
    await captured(() => expect(run()).rejects.toMatchObject({ code: 'commander.invalidArgument' }))
  })
})
