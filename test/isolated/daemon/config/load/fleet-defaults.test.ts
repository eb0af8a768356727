import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { acceptedTexts } from '../../../../../src/daemon/config/load/parse-config.ts'
import { rmSync, writeFileSync } from 'node:fs'
import { ENV, expectRefusals, folderWith, STRATEGIES } from '../../../../unit/daemon/config/config-fixture.ts'

const DEFAULTS = `fleet: {}
venue: { baseUrl: "https://venue.example" }
strategy: { use: plain, params: { halfSpreadBps: 70 } }
risk: { maxMidStepBps: 120, maxLossTzs: '1000' }
store: { path: /var/lib/mizani, keepJournalDays: 9 }
`
const OWN = `name: west-1
venue: { apiKey: !env MIZANI_API_KEY }
`

function fleetWith(own: string, defaults = DEFAULTS): string {
  return join(folderWith({ 'west.yaml': own, 'defaults.yaml': defaults }), 'west.yaml')
}

function read(file: string, options: object = {}) {
  return loadConfig(file, ENV, { strategiesFolder: STRATEGIES, ...options })
}

async function accepted(file: string, options: object = {}): Promise<LoadedConfig> {
  const loaded = await read(file, options)
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  return loaded.value
}

async function placesOf(own: string, defaults: string): Promise<readonly string[]> {
  const loaded = await read(fleetWith(own, defaults))
  if (loaded.ok) throw new Error('the configuration was accepted')
  return loaded.error.map(
    ({ file, line, column, path, message }) =>
      `${file.split('/').at(-1)}:${line}:${column} ${path}: ${message}`,
  )
}

test('a file beside defaults with a fleet block has what it leaves out from there, and its store under its name', async () => {
  const file = fleetWith(`${OWN}risk: { maxLossTzs: null }\n`)
  const config = await accepted(file)
  expect(config.venue.baseUrl).toBe('https://venue.example')
  expect(config.core.strategy.params).toEqual({ halfSpreadBps: 70 })
  expect(config.core.risk).toMatchObject({ maxMidStepBps: 120, maxLossTzs: null })
  expect(config.store).toEqual({
    path: '/var/lib/mizani/west-1',
    keepJournalDays: 9,
    place: '/var/lib/mizani/west-1',
    terms: null,
  })
  const defaults = join(file, '..', 'defaults.yaml')
  expect(config.sources).toMatchObject({ file, defaults })
  expect(config.watchFiles.slice(0, 2)).toEqual([file, defaults])
})

test('defaults without a fleet block are no defaults of the files beside them', async () => {
  const own = `${OWN}strategy: { use: plain }\n`.replace('apiKey', 'baseUrl: "https://other.example", apiKey')
  const config = await accepted(fleetWith(own, DEFAULTS.replace('fleet: {}', '')))
  expect(config.venue.baseUrl).toBe('https://other.example')
  expect(config.store.path).toBe('./data')
  expect(config.sources.defaults).toBeNull()
})

test('a problem is shown in the file where the value stands', () =>
  expectRefusals<readonly [own: string, defaults: string]>(
    'fleet-defaults',
    {
      'in the file': [`${OWN}risk: { maxMidStepsBps: 1 }\n`, DEFAULTS],
      'in the defaults': [OWN, DEFAULTS.replace('maxMidStepBps: 120', 'maxMidStepBps: wide')],
      'unknown in the defaults': [OWN, DEFAULTS.replace('maxMidStepBps', 'maxMidSteps')],
      'in the fleet block': [OWN, DEFAULTS.replace('fleet: {}', 'fleet: { limits: { maxLossTzs: 1 } }')],
      'in a limit of the fleet': [
        OWN,
        DEFAULTS.replace('fleet: {}', 'fleet: { limits: { maxLossUsd: -1 } }'),
      ],
      'as a name in the defaults': [OWN, `name: all\n${DEFAULTS}`],
      'missing in both': [OWN.replace('name: west-1\n', ''), DEFAULTS],
      'of the strategy, whose parameters stand in the defaults': [
        OWN,
        DEFAULTS.replace('halfSpreadBps: 70', 'halfSpredBps: 70'),
      ],
      'between the two': [
        `${OWN}withdraw: { enabled: true }\n`,
        `${DEFAULTS}withdraw: { maxPerDay: { USDC: 1 } }\n`,
      ],
      'as a fleet block of a position': [`${OWN}fleet: {}\n`, DEFAULTS],
      'a secret of the defaults that is missing': [OWN, `${DEFAULTS}http: { token: !env NOT_SET }\n`],
    },
    ([own, defaults]) => placesOf(own, defaults),
  ))

test('the accepted texts give the same configuration after both files were broken or removed', async () => {
  const file = fleetWith(OWN)
  const before = await accepted(file)
  const texts = acceptedTexts(before.sources)
  writeFileSync(file, 'name: [')
  rmSync(join(file, '..', 'defaults.yaml'))
  expect((await read(file)).ok).toBe(false)
  const again = await accepted(file, { texts })
  expect(again.core).toEqual(before.core)
  expect(again.store).toEqual(before.store)
  expect(again.sources.defaults).toBe(before.sources.defaults)
})

test('the texts of a configuration are never printed with it', async () => {
  const config = await accepted(fleetWith(`${OWN}# a comment with hunter2 in it\n`))
  expect(JSON.stringify(config.sources)).not.toContain('hunter2')
  expect(acceptedTexts(config.sources).file).toContain('hunter2')
})
