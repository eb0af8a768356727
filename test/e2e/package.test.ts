import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mizani-package-'))
const inFolder = { cwd: folder, maxBuffer: 2 ** 26 }

// Installing the dependencies takes minutes on a busy machine.
beforeAll(async () => {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT })
  const [archive = ''] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', archive], inFolder)
}, 900_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }), 600_000)

/** Every PATH with an own Node of the machine: as `npm test` runs, and without the Node that npm puts first. */
const PATHS = [...new Set([process.env['PATH'] ?? '', withoutPackages(process.env['PATH'] ?? '')])]

function withoutPackages(path: string): string {
  const folders = path.split(delimiter).filter((one) => !one.includes('node_modules'))
  return folders.some((one) => existsSync(join(one, 'node'))) ? folders.join(delimiter) : path
}

test('the installed package reports its version by npx and by its command, on each Node of the machine', async () => {
  for (const PATH of PATHS) {
    const env = { ...process.env, PATH }
    const answers = [
      await run('npx', ['mizani', '--version'], { ...inFolder, env }),
      await run('./node_modules/.bin/mizani', ['--version'], { ...inFolder, env }),
    ]
    expect(answers.map(({ stdout }) => stdout)).toEqual([`${manifest.version}\n`, `${manifest.version}\n`])
  }
})

test('the installed package has the systemd unit, which docs/containers.md copies', () => {
  const page = readFileSync(join(ROOT, 'docs/containers.md'), 'utf8')
  const [, unit = ''] = /^cp \/opt\/mizani\/(\S+)/m.exec(page) ?? []
  expect(readFileSync(join(folder, unit), 'utf8')).toContain(
    'ExecStart=/opt/mizani/node_modules/.bin/mizani run',
  )
})

test('the installed package has what its declarations import, and nothing that its bundle contains', () => {
  const types = join(folder, 'node_modules/mizani/dist/types')
  const named = readdirSync(types, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .flatMap((path) => [
      ...readFileSync(join(types, path), 'utf8').matchAll(/(?:from |import\()['"]([a-z@][^'"]*)/g),
    ])
    .flatMap(([, name = '']) => (name.startsWith('node:') ? [] : [name]))
  expect(named).toContain('zod')
  const needed = [...new Set([...named, 'esbuild'])]
  const isInstalled = (name: string) => existsSync(join(folder, 'node_modules', name))
  expect(needed.filter((name) => !isInstalled(name))).toEqual([])
  expect(['viem', 'fastify'].filter(isInstalled)).toEqual([])
})

test('the installed package runs a backtest of its example week', async () => {
  const window = ['--from', '2026-09-08T00:00:00Z', '--to', '2026-09-08T06:00:00Z']
  const config = ['--config', 'node_modules/mizani/config/backtest.yaml']
  const { stdout } = await run('npx', ['mizani', 'backtest', ...config, '--json', ...window], inFolder)
  expect(JSON.parse(stdout)).toMatchObject({ identityResidual: { tzs: '0', usd: '0' } })
})

test('the example of the library runs two backtests with the installed package', async () => {
  copyFileSync(join(ROOT, 'examples/library/two-spreads.mjs'), join(folder, 'two-spreads.mjs'))
  const { stdout } = await run('npx', ['node', 'two-spreads.mjs'], inFolder)
  expect(stdout).toMatch(/halfSpreadBps: 40,[^]*halfSpreadBps: 60,/)
})

test('a folder of `mizani init` tests its strategies, and a backtest names the line of a misspelt field', async () => {
  await run('npx', ['mizani', 'init', '.', '--yes'], inFolder)
  await run('npx', ['mizani', 'strategy', 'new', 'carry'], inFolder)
  // What `npm install` would fetch for the editor.
  for (const tool of ['typescript', '@typescript', '@types', 'undici-types'])
    if (!existsSync(join(folder, 'node_modules', tool)))
      symlinkSync(join(ROOT, 'node_modules', tool), join(folder, 'node_modules', tool))
  expect((await run('npx', ['node', '--test'], inFolder)).stdout).toMatch(/^# fail 0$|^ℹ fail 0$/m)
  const file = join(folder, 'strategies/trend.ts')
  const window = ['--from', '2026-09-08T00:00:00Z', '--to', '2026-09-08T06:00:00Z']
  const backtest = ['mizani', 'backtest', '--tape', 'node_modules/mizani/examples/week', ...window]
  const right = await run('npx', backtest, inFolder)
  expect(right.stderr).not.toContain('warning')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(
      'inventory: { imbalance }',
      'inventry: { imbalance } = { imbalance: 0 }',
    ),
  )
  const misspelt = await run('npx', backtest, inFolder)
  expect(misspelt.stderr).toMatch(/^warning: strategies\/trend\.ts\(\d+,\d+\): error TS2339: .*inventry/m)
})
