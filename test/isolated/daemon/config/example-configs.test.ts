import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { loadFleet } from '../../../../src/daemon/config/fleet/load-fleet.ts'
import {
  configJsonSchema,
  fleetDefaultsJsonSchema,
  fleetPositionJsonSchema,
} from '../../../../src/daemon/config/schema/json-schema.ts'
import { scenarioJsonSchema } from '../../../../src/research/scenarios/scenario.ts'
import { tournamentJsonSchema, tournamentSchema } from '../../../../src/research/tournament/entrant.ts'
import { readScenarios, readYamlFile } from '../../../../src/research/jobs/read-scenarios.ts'
import { formatProblem } from '../../../../src/daemon/config/source/problem.ts'
import { loadConfig } from '../../../../src/daemon/config/load/load-config.ts'
import { neutralContext } from '../../../../src/daemon/config/strategy/try-strategy.ts'
import { askStrategy } from '../../../../src/core/strategy/ask-strategy.ts'
import { freshMemory } from '../../../../src/core/strategy/memory.ts'
import { load } from '../../../unit/daemon/config/config-fixture.ts'

const CONFIG = new URL('../../../../config', import.meta.url).pathname
const STRATEGIES = new URL('../../../../strategies', import.meta.url).pathname
const ENV = { MIZANI_API_KEY: 'k', MIZANI_HTTP_TOKEN: 't'.repeat(24), MIZANI_HTTP_READ_TOKEN: 'r'.repeat(24) }
const TOURNAMENT = 'tournament.yaml'
const files = readdirSync(CONFIG).filter((file) => file.endsWith('.yaml') && file !== TOURNAMENT)

/** The schema to which the first line of an example points editors. */
function schemaNamedIn(file: string): string | undefined {
  return /^# yaml-language-server: \$schema=(.*)\n/.exec(readFileSync(join(CONFIG, file), 'utf8'))?.[1]
}

test('the examples that the README names are there', () => {
  expect(files).toEqual(
    expect.arrayContaining(['live.example.yaml', 'sandbox.yaml', 'schedule.example.yaml']),
  )
})

test.each(files)('%s is accepted and points editors to the schema', async (file) => {
  const path = join(CONFIG, file)
  expect(schemaNamedIn(file)).toBe('./mizani.schema.json')
  const loaded = await loadConfig(path, ENV, { strategiesFolder: STRATEGIES })
  expect(loaded.ok ? [] : loaded.error.map(formatProblem)).toEqual([])
})

test('the tournament and every scenario are accepted and point editors to their schemas', () => {
  expect(schemaNamedIn(TOURNAMENT)).toBe('./tournament.schema.json')
  expect(readYamlFile(join(CONFIG, TOURNAMENT), tournamentSchema, 'strategies').ok).toBe(true)
  const scenarios = readdirSync(join(CONFIG, 'scenarios')).filter((name) => name.endsWith('.yaml'))
  for (const name of scenarios) expect(schemaNamedIn(`scenarios/${name}`)).toBe('../scenario.schema.json')
  for (const name of readdirSync(join(CONFIG, 'scenarios/adverse')))
    expect(schemaNamedIn(`scenarios/adverse/${name}`)).toBe('../../scenario.schema.json')
  const read = readScenarios('all', join(CONFIG, TOURNAMENT))
  expect(read.ok ? read.value.map(({ name }) => `${name}.yaml`).sort() : read.error).toEqual(scenarios.sort())
})

test.each([
  ['mizani.schema.json', configJsonSchema],
  ['fleet-defaults.schema.json', fleetDefaultsJsonSchema],
  ['fleet-position.schema.json', fleetPositionJsonSchema],
  ['tournament.schema.json', tournamentJsonSchema],
  ['scenario.schema.json', scenarioJsonSchema],
] as const)(
  'the committed %s is what the schema says today (scripts/config-schema.ts writes it)',
  (name, schema) => {
    const committed = readFileSync(join(CONFIG, name), 'utf8')
    expect(committed).toBe(`${JSON.stringify(schema(), null, 2)}\n`)
  },
)

test('the example of a fleet makes two positions, and its files point editors to their schemas', async () => {
  const folder = join(CONFIG, 'fleet')
  for (const name of readdirSync(folder)) {
    const kind = name === 'defaults.yaml' ? 'defaults' : 'position'
    expect(schemaNamedIn(`fleet/${name}`)).toBe(`../fleet-${kind}.schema.json`)
  }
  const env = { MIZANI_API_KEY_WEST: 'mm_test_west', MIZANI_API_KEY_EAST: 'mm_test_east' }
  const fleet = await loadFleet(folder, env, { strategiesFolder: STRATEGIES, probeLimitMs: 20_000 })
  if (!fleet.ok) throw new Error(fleet.error.map(formatProblem).join('\n'))
  const positions = fleet.value.files.map(({ loaded }) =>
    loaded.ok ? [loaded.value.core.name, loaded.value.isolate] : loaded.error.map(formatProblem),
  )
  expect(positions).toEqual([
    ['east', true],
    ['west', false],
  ])
})

test('the self-custody example names every key of its section but the other places of a key', () => {
  const example: unknown = parseDocument(readFileSync(join(CONFIG, 'self-custody.example.yaml'), 'utf8'), {
    customTags: [{ tag: '!env', resolve: (text: string) => text }],
  }).toJS()
  const { properties } = configJsonSchema() as { properties: { rfq: { anyOf: object[] } } }
  const [section] = properties.rfq.anyOf
  expect(missingKeys(section ?? {}, (example as { rfq: unknown }).rfq, '')).toEqual([
    '.tokens.USDT.bnb',
    ...['keystore', 'password', 'envKey', 'allowInLive'].map((key) => `.signer.${key}`),
    '.approve.USDT.bnb',
  ])
})

test('the self-custody example has a strategy that wants orders, without which nothing would ever stand', async () => {
  const loaded = await loadConfig(join(CONFIG, 'self-custody.example.yaml'), ENV, {
    strategiesFolder: STRATEGIES,
  })
  if (!loaded.ok) throw new Error(loaded.error.map(formatProblem).join('\n'))
  const { strategy } = loaded.value
  const answer = askStrategy(strategy, freshMemory(strategy), neutralContext())
  expect(answer.ok ? answer.value.orders?.map(({ side }) => side) : answer.error).toEqual(
    expect.arrayContaining(['bid', 'ask']),
  )
})

const tagged = [{ tag: '!env', resolve: (text: string) => text }]
const readLiveExample = (): unknown =>
  parseDocument(readFileSync(join(CONFIG, 'live.example.yaml'), 'utf8'), { customTags: tagged }).toJS()

test('the live example names every key there is', () => {
  expect(missingKeys(configJsonSchema(), readLiveExample(), '')).toEqual([])
})

test('the live example has the default of every key, except where it says otherwise', () => {
  expect(otherThanDefault(configJsonSchema(), readLiveExample(), '')).toEqual([
    '.mode', // a first run must change nothing
    '.strategy.params', // shown with the values of the strategy
    '.http.token',
  ])
})

test.each([
  ['the base', 'maxSkewBps: 80', 'maxSkewsBps: 80', '14:67 strategy.params.strategy.params.maxSkewsBps'],
  [
    'a window over the base',
    'maxSkewBps: 40',
    'maxSkewBps: none',
    '20:93 strategy.params.windows[2].params.maxSkewBps',
  ],
  ['a window of its own', 'bidBps: 250', 'bidBps: wide', '18:84 strategy.params.windows[1].params.bidBps'],
  ['the name in a window', 'fixed-spread', 'fixt-spread', '18:52 strategy.params.windows[1].use'],
  ['a cron expression', '50-59 15 * * 1-5', 'at four', '17:36 strategy.params.windows[0].cron'],
])('a mistake in %s of a schedule is shown where it stands', async (_claim, from, to, place) => {
  const text = readFileSync(join(CONFIG, 'schedule.example.yaml'), 'utf8').replace(from, to)
  const loaded = await load(text, { strategiesFolder: STRATEGIES })
  expect(loaded.ok ? [] : loaded.error.map(({ line, column, path }) => `${line}:${column} ${path}`)).toEqual([
    place,
  ])
})

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly default?: unknown
}

/** Of a section that may be null as well; a section that the example leaves null has no keys to look at. */
function propertiesOf(schema: Schema, value: unknown): Readonly<Record<string, Schema>> | undefined {
  if (schema.properties !== undefined) return schema.properties
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? schema.anyOf?.find(({ properties }) => properties !== undefined)?.properties : undefined
}

function otherThanDefault(schema: Schema, value: unknown, at: string): readonly string[] {
  const properties = propertiesOf(schema, value)
  if (properties === undefined)
    return 'default' in schema && !isDeepStrictEqual(schema.default, value) ? [at] : []
  return Object.entries(properties).flatMap(([key, inner]) =>
    otherThanDefault(inner, (value as Readonly<Record<string, unknown>> | null)?.[key], `${at}.${key}`),
  )
}

function missingKeys(schema: Schema, value: unknown, at: string): readonly string[] {
  // Of the optional mappings per token any choice will do.
  if (at.endsWith('.limits') || at.endsWith('.maxPerDay')) return []
  return Object.entries(propertiesOf(schema, value) ?? {}).flatMap(([key, inner]) => {
    const here = (value as Readonly<Record<string, unknown>>)[key]
    return here === undefined ? [`${at}.${key}`] : missingKeys(inner, here, `${at}.${key}`)
  })
}
