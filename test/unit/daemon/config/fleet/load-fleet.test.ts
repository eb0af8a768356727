import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  loadFleet,
  type LoadedFleet,
  type LoadFleetOptions,
} from '../../../../../src/daemon/config/fleet/load-fleet.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { folderWith, STRATEGIES } from '../config-fixture.ts'

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

test('a broken file is one position less, with the place of what is wrong, and the others are loaded', async () => {
  const fleet = await loaded(
    folderOf({
      'a.yaml': position('one', 'KEY_1'),
      'b.yaml': position('two', 'KEY_2', 'risk: { maxMidStepBps: wide }\n'),
      'c.yaml': 'name: [',
      'd.yml': position('four', 'KEY_3'),
      'e.yaml': position('five', 'NOT_SET'),
    }),
  )
  expect(shown(fleet)).toEqual([
    'a.yaml one',
    expect.stringMatching(/^b\.yaml:3:24 risk\.maxMidStepBps: /),
    expect.stringMatching(/^c\.yaml:1:\d+ \(file\): /),
    'd.yml:1:1 (file): a fleet reads files that end in .yaml; rename it',
    expect.stringMatching(/^e\.yaml:2:23 venue\.apiKey: .* NOT_SET/),
  ])
})

test.each([
  ['name', position('one', 'KEY_1'), position('one', 'KEY_2'), '1:7 name: two configurations are named one;'],
  [
    'key',
    position('one', 'KEY_1'),
    position('two', 'KEY_1'),
    '2:23 venue.apiKey: two configurations trade with one key at https://venue.example;',
  ],
])('two files with one %s are both refused, each naming the other', async (_what, one, other, place) => {
  const fleet = await loaded(
    folderOf({ 'a.yaml': one, 'b.yaml': other, 'c.yaml': position('three', 'KEY_3') }),
  )
  const [a = '', b = '', c] = shown(fleet)
  expect(a.startsWith(`a.yaml:${place}`)).toBe(true)
  expect(a.endsWith('(the same in b.yaml)')).toBe(true)
  expect(b.startsWith(`b.yaml:${place}`)).toBe(true)
  expect(b.endsWith('(the same in a.yaml)')).toBe(true)
  expect(`${a}${b}`).not.toContain('mm_test')
  expect(c).toBe('c.yaml three')
})

test('what runs keeps its name and its key: a second file that claims them is refused alone', async () => {
  const folder = folderOf({ 'b.yaml': position('one', 'KEY_1') })
  const before = await loaded(folder)
  const running = { configs: configsOf(before), process: before.process }
  writeFileSync(join(folder, 'a.yaml'), position('one', 'KEY_1'))
  const [a, b] = shown(await loaded(folder, { running }))
  expect(a).toMatch(/^a\.yaml:1:7 name: .* b\.yaml\)$/)
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

test('a position with a server or a log of its own is refused and named', async () => {
  const fleet = await loaded(
    folderOf({
      'a.yaml': position('one', 'KEY_1', 'http: { port: 9500 }\n'),
      'b.yaml': position('two', 'KEY_2', 'http: { port: 9501 }\n'),
      'c.yaml': position('three', 'KEY_3', 'log: { level: debug }\n'),
    }),
  )
  expect(shown(fleet)).toEqual([
    'a.yaml one',
    expect.stringMatching(/^b\.yaml:3:7 http: .* defaults\.yaml; /),
    expect.stringMatching(/^c\.yaml:3:6 log: .* (a|defaults)\.yaml; /),
  ])
})

test('equal blocks in every file are one server, though the defaults have none', async () => {
  const own = 'http: { port: 9600 }\n'
  const fleet = await loaded(
    folderWith({
      'defaults.yaml': DEFAULTS.replace('http: { port: 9500 }\n', ''),
      'a.yaml': position('one', 'KEY_1', own),
      'b.yaml': position('two', 'KEY_2', own),
      'c.yaml': position('three', 'KEY_3'),
    }),
  )
  expect(fleet.process.http.port).toBe(9600)
  expect(shown(fleet).slice(0, 2)).toEqual(['a.yaml one', 'b.yaml two'])
  expect(shown(fleet)[2]).toMatch(/^c\.yaml:1:1 http: .* a\.yaml; /)
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
  expect(shown(await loaded(folder))).toEqual([
    'a.yaml one',
    expect.stringMatching(/^b\.yaml:1:1 .* folder/),
    expect.stringMatching(/^c\.yaml:1:1 .* no such file/),
    expect.stringMatching(/^d\.yaml:1:1 \(file\): not UTF-8 text/),
    expect.stringMatching(/^e\.yaml:1:1 .* is empty/),
    expect.stringMatching(/^f\.yaml:1:1 \(file\): 1000001 bytes/),
  ])
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

test('a position that would need another guard than the others is refused, and one that wants none is not', async () => {
  const fleet = await loaded(
    folderOf({
      'a.yaml': position('one', 'KEY_1', 'guard: null\n'),
      'b.yaml': position('two', 'KEY_2'),
      'c.yaml': position('three', 'KEY_3', 'guard: { port: 4000 }\n'),
    }),
  )
  expect(shown(fleet)).toEqual([
    'a.yaml one',
    'b.yaml two',
    expect.stringMatching(/^c\.yaml:3:\d+ guard\.port: .* b\.yaml; /),
  ])
})
