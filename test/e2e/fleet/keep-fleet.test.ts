import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadFleet } from '../../../src/daemon/config/fleet/load-fleet.ts'
import type { LoadedConfig } from '../../../src/daemon/config/load/loaded-config.ts'
import { createFleetKeeper, REMOVE_AFTER_MS } from '../../../src/daemon/runtime/fleet/keep-fleet.ts'
import { folderWith, STRATEGIES } from '../../unit/daemon/config/config-fixture.ts'

const DEFAULTS = `fleet: {}
venue: { baseUrl: "https://venue.example" }
strategy: { use: plain, params: { halfSpreadBps: 70 } }
risk: { priceCorridor: { min: '2300', max: '2900' } }
`
const ENV = { KEY_1: 'mm_test_1', KEY_2: 'mm_test_2', KEY_3: 'mm_test_3' }

function position(name: string, key: number, more = ''): string {
  return `name: ${name}\nvenue: { apiKey: !env KEY_${key} }\n${more}`
}

/** A fleet in a folder of its own over a host that only writes down what it is asked for. */
async function keptFleet(files: Readonly<Record<string, string>>) {
  const folder = folderWith({ 'defaults.yaml': DEFAULTS, ...files })
  const calls: string[] = []
  const refuses = { add: null as string | null, reload: null as string | null }
  let now = 1_000_000
  const options = { strategiesFolder: STRATEGIES, probeLimitMs: 20_000 }
  const first = await loadFleet(folder, ENV, options)
  if (!first.ok) throw new Error(JSON.stringify(first.error))
  const keeper = createFleetKeeper({
    first: first.value,
    load: (more) => loadFleet(folder, ENV, { ...options, ...more }),
    host: {
      add(config: LoadedConfig) {
        calls.push(`add ${config.core.name}`)
        return Promise.resolve(refuses.add === null ? null : { exitCode: 4, message: refuses.add })
      },
      remove(name: string) {
        calls.push(`remove ${name}`)
        return Promise.resolve(`${name}: left`)
      },
      reload(name?: string, accepted?: LoadedConfig) {
        calls.push(`reload ${name} to ${JSON.stringify(accepted?.core.strategy.params)}`)
        return Promise.resolve([{ accepted: refuses.reload === null, answer: refuses.reload ?? 'reloaded' }])
      },
    },
    onLog: () => undefined,
    now: () => now,
  })
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  const look = async (...changed: readonly string[]) => {
    await keeper.look(new Set(changed.map((file) => join(folder, file))))
    return calls.splice(0)
  }
  const problems = () =>
    keeper.problems().map(({ about, name, text }) => `${about} ${name}: ${text.split('\n')[0]}`)
  return { folder, keeper, write, look, problems, refuses, calls, later: (ms: number) => void (now += ms) }
}

const TWO = { 'a.yaml': position('one', 1), 'b.yaml': position('two', 2) }

describe('the positions of a fleet', () => {
  test('start with a new file, reload with a changed one, and are left alone by what changes nothing', async () => {
    const { write, look, problems } = await keptFleet(TWO)
    expect(await look()).toEqual([])
    write('c.yaml', position('three', 3))
    expect(await look('c.yaml')).toEqual(['add three'])
    write('a.yaml', position('one', 1, 'strategy: { params: { halfSpreadBps: 80 } }\n'))
    expect(await look('a.yaml')).toEqual(['reload one to {"halfSpreadBps":80}'])
    expect(await look('a.yaml')).toEqual(['reload one to {"halfSpreadBps":80}'])
    expect(await look('c.yaml.swp')).toEqual([])
    expect(problems()).toEqual([])
  })

  test('start anew where a change is built in at the start, under the new name where it has one', async () => {
    const { write, look } = await keptFleet(TWO)
    write('a.yaml', position('one', 1, 'store: { keepJournalDays: 3 }\n'))
    expect(await look('a.yaml')).toEqual(['remove one', 'add one'])
    write('b.yaml', position('deux', 2))
    expect(await look('b.yaml')).toEqual(['remove two', 'add deux'])
  })

  test('all reload when the defaults change', async () => {
    const { write, look } = await keptFleet(TWO)
    write('defaults.yaml', DEFAULTS.replace('70', '75'))
    const calls = ['reload one to {"halfSpreadBps":75}', 'reload two to {"halfSpreadBps":75}']
    expect(await look('defaults.yaml')).toEqual(calls)
    expect(await look()).toEqual([])
  })

  test('are left alone by another limit of the fleet and by a comment in the defaults', async () => {
    const { write, look, keeper } = await keptFleet(TWO)
    write(
      'defaults.yaml',
      `# a comment\n${DEFAULTS.replace('fleet: {}', 'fleet: { limits: { maxLossUsd: 7 } }')}`,
    )
    expect(await look('defaults.yaml')).toEqual([])
    expect(keeper.fleet().settings.limits.maxLossUsd).toBe(7_000_000n)
  })

  test('go on as they were while their file is broken, and take the file when it is mended', async () => {
    const { write, look, problems, keeper } = await keptFleet(TWO)
    write('a.yaml', 'name: [')
    expect(await look('a.yaml')).toEqual([])
    expect(problems()).toEqual([expect.stringMatching(/^file one: .*a\.yaml:1:8 /)])
    expect(keeper.running()).toHaveLength(2)
    write('a.yaml', position('one', 1, 'strategy: { params: { halfSpreadBps: 90 } }\n'))
    expect(await look('a.yaml')).toEqual(['reload one to {"halfSpreadBps":90}'])
    expect(problems()).toEqual([])
  })

  test('leave only after their file has been away for some time, for a save takes it away for a moment', async () => {
    const { folder, look, later, write, keeper } = await keptFleet(TWO)
    rmSync(join(folder, 'a.yaml'))
    expect(await look('a.yaml')).toEqual([])
    write('a.yaml', position('one', 1))
    expect(await look('a.yaml')).toEqual(['reload one to {"halfSpreadBps":70}'])
    rmSync(join(folder, 'a.yaml'))
    expect(await look('a.yaml')).toEqual([])
    expect(keeper.isDue()).toBe(false)
    later(REMOVE_AFTER_MS)
    expect(keeper.isDue()).toBe(true)
    expect(await look()).toEqual(['remove one'])
    expect(keeper.running().map(({ core }) => core.name)).toEqual(['two'])
  })

  test('that moved to a file of another name are left, and start from the new file at once', async () => {
    const { folder, look, later, problems } = await keptFleet(TWO)
    renameSync(join(folder, 'a.yaml'), join(folder, 'z.yaml'))
    expect(await look('a.yaml', 'z.yaml')).toEqual([])
    expect(problems()).toEqual([expect.stringMatching(/^file z: .*z\.yaml:1:7 name: /)])
    later(REMOVE_AFTER_MS)
    expect(await look()).toEqual(['remove one', 'add one'])
    expect(problems()).toEqual([])
  })

  test.each([
    [
      'is missing',
      (folder: string) => renameSync(folder, `${folder}-away`),
      'folder',
      'cannot be read as a folder',
    ],
    [
      'is empty but for its defaults',
      (folder: string) => ['a.yaml', 'b.yaml'].forEach((file) => rmSync(join(folder, file))),
      'folder',
      'no longer has any positions; all 2 continue',
    ],
    [
      'was replaced by an empty one',
      (folder: string) => {
        renameSync(folder, `${folder}-away`)
        mkdirSync(folder)
      },
      'defaults',
      'there is no such file',
    ],
    [
      'has broken defaults',
      (folder: string) => writeFileSync(join(folder, 'defaults.yaml'), 'fleet: ['),
      'defaults',
      'defaults.yaml:1:9',
    ],
    [
      'has defaults with another server',
      (folder: string) => writeFileSync(join(folder, 'defaults.yaml'), `${DEFAULTS}http: { port: 1 }\n`),
      'defaults',
      'http cannot change while running',
    ],
  ])('all go on when their folder %s, however long that lasts', async (_what, change, about, text) => {
    const { folder, look, later, problems, keeper } = await keptFleet(TWO)
    change(folder)
    expect(await look('a.yaml', 'b.yaml', 'defaults.yaml')).toEqual([])
    later(100 * REMOVE_AFTER_MS)
    expect(await look()).toEqual([])
    expect(problems()).toEqual([expect.stringContaining(`${about} null: `)])
    expect(problems()[0]).toContain(text)
    expect(keeper.running()).toHaveLength(2)
  })

  test('keep what they have when a second file claims it, and the second file runs once it is free', async () => {
    const { folder, look, later, write, problems } = await keptFleet(TWO)
    write('0.yaml', position('three', 1))
    expect(await look('0.yaml')).toEqual([])
    expect(problems()).toEqual([
      expect.stringMatching(/^file 0: .*0\.yaml:2:\d+ venue\.apiKey: .*the same in a\.yaml/),
    ])
    rmSync(join(folder, 'a.yaml'))
    await look('a.yaml')
    later(REMOVE_AFTER_MS)
    expect(await look()).toEqual(['remove one', 'add three'])
  })

  test('that cannot start are tried again later and later, at once when asked to, and with a mended file', async () => {
    const { look, write, refuses, later, problems, keeper, calls } = await keptFleet(TWO)
    refuses.add = 'the venue refused the key'
    write('c.yaml', position('three', 3))
    expect(await look('c.yaml')).toEqual(['add three'])
    expect(problems()).toEqual([expect.stringMatching(/^file three: .*c\.yaml: .* refused the key$/)])
    expect(await look()).toEqual([])
    later(30_000)
    expect(keeper.isDue()).toBe(true)
    expect(await look()).toEqual(['add three'])
    later(30_000)
    expect(await look()).toEqual([])
    await keeper.look(null)
    expect(calls.splice(0).filter((call) => call.startsWith('add'))).toEqual(['add three'])
    refuses.add = null
    write('c.yaml', position('three', 3, 'strategy: { params: { halfSpreadBps: 80 } }\n'))
    expect(await look('c.yaml')).toEqual(['add three'])
    expect(problems()).toEqual([])
  })

  test('that ended for good are started again, and forgotten where their file is gone', async () => {
    const { folder, look, keeper, later, problems } = await keptFleet(TWO)
    keeper.ended('one', 'crashed again and again')
    expect(problems()).toEqual([expect.stringContaining('crashed again')])
    later(30_000)
    expect(await look()).toEqual(['add one'])
    keeper.ended('one', 'crashed again and again')
    rmSync(join(folder, 'a.yaml'))
    expect(await look('a.yaml')).toEqual(['remove one'])
    expect(problems()).toEqual([])
  })

  test('that refuse a reload keep what they had, and are asked again only with another file or on request', async () => {
    const { look, write, refuses, problems, calls, keeper } = await keptFleet(TWO)
    refuses.reload = 'venue.apiKey: the new key is of another account'
    write('a.yaml', position('one', 3))
    expect(await look('a.yaml')).toHaveLength(1)
    expect(problems()).toEqual([expect.stringMatching(/^file one: .*a\.yaml: venue\.apiKey: /)])
    expect(await look()).toEqual([])
    refuses.reload = null
    await keeper.look(null)
    expect(calls.splice(0)).toContain('reload one to {"halfSpreadBps":70}')
    expect(problems()).toEqual([])
  })
})
