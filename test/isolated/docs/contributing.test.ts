import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram } from '../../../src/cli/program.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const PAGE = read('docs/contributing.md')

/** Placeholders that a recipe tells its reader to replace. */
const PLACEHOLDER = /NAME|FOLDER|src\/a\/b|unit\/a\/b/

test('every folder, file and script that docs/contributing.md names is there', () => {
  const named = [...PAGE.matchAll(/`((?:src|test|scripts|bench|strategies)\/[\w./-]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !PLACEHOLDER.test(path))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const run = [...PAGE.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name)
  expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  const node = [...PAGE.matchAll(/`node (?:--[\w-]+ )?([\w./-]+)/g)].map(([, file = '']) => file)
  expect(node.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

test('an endpoint of the venue is one file that the record of endpoints names, as docs/contributing.md says', () => {
  const record = read('src/venue/endpoints.ts')
  const shared = ['body.ts', 'endpoint.ts', 'token-registry.ts']
  const endpoints = readdirSync(join(ROOT, 'src/venue/lp')).filter((file) => !shared.includes(file))
  expect(endpoints.length).toBeGreaterThan(10)
  expect(endpoints.filter((file) => !record.includes(`'./lp/${file}'`))).toEqual([])
})

test('a command is registered in the register.ts of its folder, as docs/contributing.md says', async () => {
  const program = await buildProgram()
  const registers = readdirSync(join(ROOT, 'src/cli'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/register.ts'))
    .map((file) => read(`src/cli/${file}`))
  const missing = program.commands.filter(
    (command) => !registers.some((text) => new RegExp(`\\b${command.name()}\\b`).test(text)),
  )
  expect(missing.map((command) => command.name())).toEqual([])
})
