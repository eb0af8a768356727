import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  loadFleet,
  type LoadedFleet,
  type LoadFleetOptions,
} from '../../../../../src/daemon/config/fleet/load-fleet.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { expectRefusals, folderWith, STRATEGIES } from '../config-fixture.ts'

const DEFAULTS = `fleet: { limits: { maxLossUsd: '5000', maxDeployedUsd: 1250000.5 } }
venue: { baseUrl: "https://venue.example" }
strategy: { use: plain, params: { halfSpreadBps: 70 } }
risk: { priceCorridor: { min: '2300', max: '2900' } }
http: { port: 9500 }
`
const ENV = { KEY_1: 'mm_test_1', KEY_2: 'mm_test_2', KEY_3: 'mm_test_3' }

function position(name: string, key: string, more = ''): string {
  return `name: ${name}\nvenue: { apiKey: !env ${key} }\n${more}`
}

function folderOf(files: Readonly<Record<string, string>>): string {
  return folderWith({ 'defaults.yaml': DEFAULTS, ...files })
}

const OPTIONS = { strategiesFolder: STRATEGIES, probeLimitMs: null }

async function loaded(folder: string, options: Partial<LoadFleetOptions> = {}): Promise<LoadedFleet> {
  const fleet = await loadFleet(folder, ENV, { ...OPTIONS, ...options })
  if (!fleet.ok) throw new Error(fleet.error.map(({ message }) => message).join('\n'))
  return fleet.value
}

/** The name of each position, or the first problem of its file. */
function shown({ files }: LoadedFleet): readonly string[] {
  return files.map(({ file, loaded: one }) => {
    if (one.ok) return `${basename(file)} ${one.value.core.name}`
    const [problem] = one.error
    return `${basename(file)}:${problem?.line}:${problem?.column} ${problem?.path}: ${problem?.message}`
  })
}

function configsOf({ files }: LoadedFleet): readonly LoadedConfig[] {
  return files.flatMap(({ loaded: one }) => (one.ok ? [one.value] : []))
}

test('every yaml file but the defaults is a position with its own store, and editors’ files are ignored', async () => {
  const fleet = await loaded(
    folderOf({
      'b.yaml': position('two', 'KEY_2'),
      'a.yaml': position('one', 'KEY_1'),
      '.a.yaml.swp': 'x',
      '#a.yaml#': 'x',
      'a.yaml~': 'x',
      'notes.txt': 'x',
    }),
  )
  expect(shown(fleet)).toEqual(['a.yaml one', 'b.yaml two'])
  expect(configsOf(fleet).map(({ store }) => store.path)).toEqual(['data/one', 'data/two'])
  expect(fleet.settings.limits).toEqual({
    maxLossUsd: 5_000_000_000n,
    maxOutstandingUsd: null,
    maxDeployedUsd: 1_250_000_500_000n,
  })
  expect(fleet.process).toMatchObject({ http: { port: 9500 }, log: { level: 'info', file: null } })
})

test('a file that is broken or contradicts another is one position less, with its place, and the others are loaded', async () => {
  const [one, two, three] = [position('one', 'KEY_1'), position('two', 'KEY_2'), position('three', 'KEY_3')]
  const own = 'http: { port: 9600 }\n'
  const found = await expectRefusals<Readonly<Record<string, string>>>(
    'fleet',
    {
      'broken files': {
        'a.yaml': one,
        'b.yaml': `${two}risk: { maxMidStepBps: wide }\n`,
        'c.yaml': 'name: [',
        'd.yml': position('four', 'KEY_3'),
        'e.yaml': position('five', 'NOT_SET'),
      },
      'two files with one name': { 'a.yaml': one, 'b.yaml': position('one', 'KEY_2'), 'c.yaml': three },
      'two files with one key': { 'a.yaml': one, 'b.yaml': position('two', 'KEY_1'), 'c.yaml': three },
      'a server or a log of its own': {
        'a.yaml': `${one}http: { port: 9500 }\n`,
        'b.yaml': `${two}http: { port: 9501 }\n`,
        'c.yaml': `${three}log: { level: debug }\n`,
      },
      'a server in every file but one, and none in the defaults': {
        'defaults.yaml': DEFAULTS.replace('http: { port: 9500 }\n', ''),
        'a.yaml': one + own,
        'b.yaml': two + own,
        'c.yaml': three,
      },
      'another guard than the others, or none': {
        'a.yaml': `${one}guard: null\n`,
        'b.yaml': two,
        'c.yaml': `${three}guard: { port: 4000 }\n`,
      },
    },
    async (files) => shown(await loaded(folderOf(files))),
  )
  expect(found).not.toContain('mm_test')
})

test('equal blocks in every file are one server, though the defaults have none', async () => {
  const own = 'http: { port: 9600 }\n'
  const fleet = await loaded(
    folderOf({
      'defaults.yaml': DEFAULTS.replace('http: { port: 9500 }\n', ''),
      'a.yaml': position('one', 'KEY_1', own),
      'b.yaml': position('two', 'KEY_2', own),
    }),
  )
  expect(fleet.process.http.port).toBe(9600)
  expect(shown(fleet)).toEqual(['a.yaml one', 'b.yaml two'])
})

test('what runs keeps its name and its key: a second file that claims them is refused alone', async () => {
  const folder = folderOf({ 'b.yaml': position('one', 'KEY_1') })
  const before = await loaded(folder)
  const running = { configs: configsOf(before), process: before.process }
  writeFileSync(join(folder, 'a.yaml'), position('one', 'KEY_1'))
  const [a, b] = shown(await loaded(folder, { running }))
  expect(a).toMatch(/^a\.yaml:1:7 .* b\.yaml\)$/)
  expect(b).toBe('b.yaml one')
  // Its file is broken or gone: it runs on, and so does its claim.
  for (const change of [
    () => writeFileSync(join(folder, 'b.yaml'), '['),
    () => rmSync(join(folder, 'b.yaml')),
  ]) {
    change()
    expect(shown(await loaded(folder, { running }))[0]).toMatch(/^a\.yaml:1:7 name: /)
  }
  expect(shown(await loaded(folder))).toEqual(['a.yaml one'])
})

test.each([
  ['no folder', '/nowhere/at/all', /cannot be read as a folder \(ENOENT\)/],
  ['no defaults', folderWith({ 'a.yaml': position('one', 'KEY_1') }), /no such file/],
  [
    'defaults without a fleet block',
    folderWith({ 'defaults.yaml': 'risk: {}\n' }),
    /no fleet block, which makes its folder a fleet; add `fleet: \{\}`/,
  ],
  [
    'broken defaults',
    folderWith({ 'defaults.yaml': 'fleet: { limits: { maxLoss: 1 } }' }),
    /unknown key; did you mean/,
  ],
  [
    'a secret that is missing',
    folderWith({ 'defaults.yaml': 'fleet: {}\nhttp: { token: !env NOPE }' }),
    /NOPE is not set/,
  ],
])('%s is the problem of the whole fleet', async (_what, folder, message) => {
  const fleet = await loadFleet(folder, ENV, OPTIONS)
  expect(fleet.ok ? [] : fleet.error.map((problem) => problem.message)).toEqual([
    expect.stringMatching(message),
  ])
})

test('the server of a running fleet cannot change: the defaults that change it are refused whole', async () => {
  const folder = folderOf({ 'a.yaml': position('one', 'KEY_1') })
  const { process } = await loaded(folder)
  writeFileSync(join(folder, 'defaults.yaml'), DEFAULTS.replace('9500', '9501'))
  const fleet = await loadFleet(folder, ENV, { ...OPTIONS, running: { configs: [], process } })
  expect(fleet.ok ? [] : fleet.error).toMatchObject([
    { line: 5, path: 'http', message: expect.stringContaining('http cannot change') },
  ])
})

test('a strategy that throws is the problem of one file, and none to a command that needs no strategy', async () => {
  const folder = folderOf({
    'a.yaml': position('one', 'KEY_1'),
    'b.yaml': position('two', 'KEY_2', 'strategy: { use: ./broken.ts }\n'),
  })
  writeFileSync(join(folder, 'broken.ts'), "throw new Error('not today')")
  expect(shown(await loaded(folder, { probeLimitMs: 60_000 }))).toEqual([
    'a.yaml one',
    expect.stringContaining('not today'),
  ])
  expect(shown(await loaded(folder))).toEqual(['a.yaml one', 'b.yaml two'])
})

test('a mounted ConfigMap is a fleet, and what cannot be read in a folder is the problem of one file', async () => {
  const folder = folderOf({})
  rmSync(join(folder, 'defaults.yaml'))
  mkdirSync(join(folder, '..2026_01_05'))
  symlinkSync('..2026_01_05', join(folder, '..data'))
  const mounted = { 'defaults.yaml': DEFAULTS, 'a.yaml': position('one', 'KEY_1') }
  for (const [name, text] of Object.entries(mounted)) {
    writeFileSync(join(folder, '..2026_01_05', name), text)
    symlinkSync(join('..data', name), join(folder, name))
  }
  mkdirSync(join(folder, 'b.yaml'))
  symlinkSync('nowhere', join(folder, 'c.yaml'))
  writeFileSync(join(folder, 'd.yaml'), Buffer.from([0xff, 0xfe, 0x00]))
  writeFileSync(join(folder, 'e.yaml'), '')
  writeFileSync(join(folder, 'f.yaml'), 'x'.repeat(1_000_001))
  await expectRefusals('fleet-folder', { 'a mounted ConfigMap': folder }, async () =>
    shown(await loaded(folder)).map((line) => line.replaceAll(folder, 'FOLDER')),
  )
})

test('a fleet may have no position yet', async () => {
  expect((await loaded(folderOf({}))).files).toEqual([])
})

test('only what changed is loaded again: the rest is the same object as before', async () => {
  const folder = folderOf({ 'a.yaml': position('one', 'KEY_1'), 'b.yaml': position('two', 'KEY_2') })
  const fleet = await loaded(folder)
  const file = join(folder, 'b.yaml')
  writeFileSync(file, position('two', 'KEY_3'))
  const again = await loaded(folder, { before: { fleet, changed: new Set([file]) } })
  const [before, after] = [configsOf(fleet), configsOf(again)]
  expect(after[0]).toBe(before[0])
  expect(after[1]?.apiKey.reveal()).toBe('mm_test_3')
  writeFileSync(join(folder, 'defaults.yaml'), DEFAULTS.replace('70', '80'))
  const all = configsOf(await loaded(folder, { before: { fleet: again, changed: new Set() } }))
  expect(all.map(({ core }) => core.strategy.params)).toEqual([{ halfSpreadBps: 80 }, { halfSpreadBps: 80 }])
})
