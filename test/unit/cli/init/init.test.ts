import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { QUESTIONS } from '../../../../src/cli/init/ask.ts'
import { init } from '../../../../src/cli/init/init.ts'
import { parseConfig } from '../../../../src/daemon/config/load/parse-config.ts'
import { captured } from '../../../support/captured.ts'

let root: string
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'mizani-init-'))))
afterEach(() => rmSync(root, { recursive: true, force: true }))

const read = (name: string) => readFileSync(join(root, name), 'utf8')

describe('mizani init', () => {
  test.each([
    [{ yes: true }, { mode: 'live', clock: 'virtual' }],
    [
      { venue: 'https://venue.example', key: './my key #1: "a"' },
      { mode: 'dry-run', clock: 'real' },
    ],
  ])('writes a configuration that is valid as it is: %j', async (given, { mode, clock }) => {
    expect((await captured(() => init(root, given))).exitCode).toBe(0)
    const parsed = parseConfig(join(root, 'mizani.yaml'), {})
    const { file } = parsed.ok ? parsed.value : { file: parsed.error as never }
    expect(file).toMatchObject({ mode, venue: { clock }, strategy: { use: './strategies/trend.ts' } })
    expect(existsSync(join(root, 'strategies/trend.test.ts'))).toBe(true)
  })

  test('overwrites nothing, and completes a package.json', async () => {
    writeFileSync(join(root, 'tsconfig.json'), '{}')
    writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"mine"},"dependencies":{"mizani":"1"}}')
    const { out } = await captured(() => init(root, { yes: true, json: true }))
    expect(JSON.parse(out)).toMatchObject({ kept: ['tsconfig.json'] })
    expect(read('tsconfig.json')).toBe('{}')
    expect(JSON.parse(read('package.json'))).toMatchObject({
      scripts: { test: 'mine' },
      imports: { '#kit': 'mizani' },
      dependencies: { mizani: '1' },
    })
    const config = read('mizani.yaml')
    const again = await captured(() => init(root, { yes: true, halfSpreadBps: 20 }))
    expect([again.exitCode, again.err]).toEqual([2, expect.stringContaining('nothing was written')])
    expect(read('mizani.yaml')).toBe(config)
  })

  test('names the key from the folder of the configuration, and keeps it out of git', async () => {
    await captured(() => init(root, { yes: true, key: join(relative('.', root), 'mm.key') }))
    expect(read('mizani.yaml')).toContain('apiKey: !file "./mm.key"')
    expect(read('.gitignore')).toBe('node_modules\ndata\n/mm.key\n')
  })

  test.each([
    ['./mm.key', '../mm.key'],
    ['/run/secrets/mm.key', '/run/secrets/mm.key'],
  ])('names the key %s outside of the folder as %s', async (key, named) => {
    const above = process.cwd()
    try {
      process.chdir(root)
      await captured(() => init('desk', { yes: true, key }))
    } finally {
      process.chdir(above)
    }
    expect(read('desk/mizani.yaml')).toContain(`apiKey: !file "${named}"`)
    expect(read('desk/.gitignore')).toBe('node_modules\ndata\n')
  })

  test('writes nothing beside a package.json that is not an object', async () => {
    writeFileSync(join(root, 'package.json'), '[')
    expect((await captured(() => init(root, { yes: true }))).exitCode).toBe(2)
    expect(readdirSync(root)).toEqual(['package.json'])
  })

  test.each([
    ['name', '../a'],
    ['venue', 'http://venue.example'],
    ['venue', 'https://user:secret@venue.example'],
    ['key', 'mm_live_0123'],
    ['halfSpreadBps', '9'],
    ['target', ''],
    ['corridor', '2900-2300'],
  ] as const)('refuses the %s %j', (name, given) => {
    expect(() => QUESTIONS[name].parse(given)).toThrow(InvalidArgumentError)
  })
})
