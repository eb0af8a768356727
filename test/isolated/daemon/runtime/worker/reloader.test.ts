import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import { createStrategyProber } from '../../../../../src/daemon/config/strategy/probe-strategy.ts'
import { parametersOf } from '../../../../../src/daemon/runtime/worker/parameters.ts'
import { createReloader, type Reloader } from '../../../../../src/daemon/runtime/worker/reloader.ts'
import { strategiesFolder } from '../../../../../src/daemon/runtime/position/strategy-registry.ts'
import { createLog } from '../../../../../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../../../../../src/daemon/telemetry/metrics/metrics.ts'

/** A busy machine takes its time to start a thread. */
const PATIENT_MS = 60_000
const prober = createStrategyProber(PATIENT_MS)
afterAll(() => prober.close())

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mizani-reloader-'))
  vi.stubEnv('MIZANI_API_KEY', 'mm_test')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const YAML = `name: desk-1
venue: { baseUrl: http://127.0.0.1:9, apiKey: !env MIZANI_API_KEY }
strategy: { use: fixed-spread, params: { bidBps: 60, askBps: 70 } }
risk: { priceCorridor: { min: '2000', max: '3000' } }
store: { path: ./data }
`

/** A reloader of a position that writes down what it is notified. */
type Opened = { reloader: Reloader; told: unknown[]; write: (yaml: string) => void }

async function opened(inFolder = folder): Promise<Opened> {
  const file = join(inFolder, 'mizani.yaml')
  writeFileSync(file, YAML)
  const config = await loadConfig(file, process.env, { strategiesFolder: strategiesFolder() })
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  const told: unknown[] = []
  const reloader = createReloader({
    begun: { config: config.value, set: {} },
    fromStart: {},
    position: {
      reload: ({ config: next, set, dropped }, by) =>
        told.push(['reload', next.core.strategy.params, set, dropped, by]),
      reloadRefused: (problems, by) => told.push(['refused', problems, by]),
    },
    exchangeKey: async ({ apiKey }) => {
      told.push(['key', apiKey.reveal()])
      return apiKey.reveal().includes('wrong') ? 'the venue does not take the new key' : null
    },
    log: createLog({ position: 'desk-1', level: 'silent' }),
    metrics: createMetrics('desk-1'),
    probe: { timeLimitMs: PATIENT_MS, prober },
  })
  return { reloader, told, write: (yaml) => writeFileSync(file, yaml) }
}

const ORDER = { by: 'operator', who: 'ann', why: 'tighter', fromFile: false }

test('a setting over HTTP reaches the position with its values, and a refused setting only with its name', async () => {
  const { reloader, told } = await opened()
  const taken = await reloader.reload('asked to', { ...ORDER, changes: { 'strategy.params.bidBps': 44 } })
  expect(taken.accepted).toBe(true)
  const refused = await reloader.reload('asked to', { ...ORDER, changes: { 'venue.apiKey': 'mm_a_secret' } })
  expect(refused.accepted).toBe(false)
  reloader.close()
  expect(told).toEqual([
    [
      'reload',
      { bidBps: 44, askBps: 70 },
      { 'strategy.params.bidBps': 44 },
      [],
      { who: 'ann', why: 'tighter', what: 'strategy.params.bidBps = 44' },
    ],
    [
      'refused',
      expect.stringContaining('venue.apiKey cannot'),
      { who: 'ann', why: 'tighter', what: 'venue.apiKey' },
    ],
  ])
  expect(JSON.stringify(told)).not.toContain('mm_a_secret')
})

const LIMITED = `${YAML}quote: { safeBps: 300, pairs: [USDC] }
inventory: { limits: { USDC: { min: '10', max: '1000' } } }
`

describe('a configuration with limits', () => {
  let own = ''
  let shared: Opened
  // What is refused changes nothing, so that the next refusal can be asked of the same position.
  beforeAll(async () => {
    own = mkdtempSync(join(tmpdir(), 'mizani-reloader-'))
    vi.stubEnv('MIZANI_API_KEY', 'mm_test')
    shared = await opened(own)
    shared.write(LIMITED)
    const { accepted, answer } = await shared.reloader.reload('asked to', { ...ORDER, changes: {} })
    if (!accepted) throw new Error(answer)
  })
  afterAll(() => {
    shared.reloader.close()
  })

  test.each([
    ['quote.safeBps down', { 'quote.safeBps': 299 }, 'can only be raised'],
    ['quote.safeBps down inside a branch', { quote: { safeBps: 10, pairs: ['USDC'] } }, 'can only be raised'],
    ['quote.onExit', { 'quote.onExit': 'keep' }, 'quote.onExit cannot be set here'],
    ['quote.whenBothOff', { 'quote.whenBothOff': 'deactivate' }, 'quote.whenBothOff cannot be set here'],
    ['quote.pairs', { 'quote.pairs': null }, 'quote.pairs cannot be set here'],
    ['a branch that leaves quote.pairs out', { quote: { safeBps: 400 } }, 'quote.pairs cannot be set here'],
    ['a higher limit', { 'inventory.limits.USDC.max': '1001' }, 'inventory.limits.USDC can only be narrowed'],
    ['a lower limit', { 'inventory.limits.USDC.min': '9' }, 'inventory.limits.USDC can only be narrowed'],
    ['no limit', { 'inventory.limits': {} }, 'inventory.limits.USDC can only be narrowed'],
    ['a limit with one end', { 'inventory.limits.USDC': { min: '10' } }, 'can only be narrowed'],
  ])('%s over HTTP is refused: anyone who has a token only tightens', async (_what, changes, problem) => {
    const { reloader, told } = shared
    told.length = 0
    const answer = await reloader.reload('asked to', { ...ORDER, changes })
    expect(answer).toMatchObject({ accepted: false, answer: expect.stringContaining(problem) })
    expect(reloader.set()).toEqual({})
    expect(told).toContainEqual(['refused', expect.stringContaining(problem), expect.anything()])
  })
})

test('tightening over HTTP is taken, and only the file loosens it again', async () => {
  const { reloader, write } = await opened()
  write(LIMITED)
  const set = async (changes: object, fromFile = false) =>
    (await reloader.reload('asked to', { ...ORDER, changes: changes as Record<string, unknown>, fromFile }))
      .accepted
  expect(await set({ 'quote.safeBps': 400, 'inventory.limits.USDC.max': '500' })).toBe(true)
  expect(await set({ 'quote.safeBps': 350 })).toBe(false)
  expect(await set({ 'inventory.limits.USDC.max': '501' })).toBe(false)
  expect(await set({ 'inventory.target': 0.4, 'quote.requoteThresholdBps': 3 })).toBe(true)
  expect(await set({ 'quote.safeBps': 350 }, true)).toBe(true)
  expect(await set({}, true)).toBe(true)
  expect(reloader.current().core.quote.safeBps).toBe(300)
  reloader.close()
})

test('parameters have the texts of the head comment of their strategy', async () => {
  const { reloader } = await opened()
  const { schema } = await parametersOf(reloader)
  reloader.close()
  expect(schema).toMatchObject({
    properties: { bidBps: { description: 'the spread that a taker who brings shillings pays us, 10..500' } },
  })
})

test('a file that becomes stricter than what was set counts, and what else was set stays', async () => {
  const { reloader, told, write } = await opened()
  write(LIMITED)
  const set = { 'quote.safeBps': 400, 'inventory.limits.USDC.max': '500' }
  expect(await reloader.reload('asked to', { ...ORDER, changes: set })).toMatchObject({ accepted: true })
  write(LIMITED.replace("max: '1000'", "max: '300'"))
  expect(await reloader.reload('the file changed')).toEqual({
    accepted: true,
    answer:
      'reloaded: set over HTTP, on top of the file: quote.safeBps = 400; all else of strategy, risk, quote, inventory and pacing is as in the file; dropped because they conflict with the file: inventory.limits.USDC.max (inventory.limits.USDC can only be narrowed here; change the file and reload)',
  })
  reloader.close()
  const { quote, inventory } = reloader.current().core
  expect([quote.safeBps, inventory.limits.USDC?.max]).toEqual([400, 300n * 10n ** 18n])
  expect(reloader.set()).toEqual({ 'quote.safeBps': 400 })
  expect(told).toContainEqual([
    'reload',
    expect.anything(),
    { 'quote.safeBps': 400 },
    [{ path: 'inventory.limits.USDC.max', why: expect.stringContaining('narrowed') }],
    undefined,
  ])
})

const PICKY = (throwsAt: number) => `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'own',
  params: z.strictObject({ bidBps: z.number() }),
  init: () => ({}),
  quote(_context, _state, { bidBps }) {
    if (bidBps === ${throwsAt}) throw new Error('not with this bid')
    return { bidBps, askBps: 70, reasons: ['a test'] }
  },
})
`

test('code that fails with a parameter that was set costs the parameter, and no limit that was narrowed', async () => {
  const { reloader, write } = await opened()
  writeFileSync(join(folder, 'own.ts'), PICKY(1))
  write(
    LIMITED.replace(
      'use: fixed-spread, params: { bidBps: 60, askBps: 70 }',
      'use: ./own.ts, params: { bidBps: 60 }',
    ),
  )
  const set = { 'strategy.params.bidBps': 66, 'inventory.limits.USDC.max': '500' }
  expect(await reloader.reload('asked to', { ...ORDER, changes: set })).toMatchObject({ accepted: true })
  writeFileSync(join(folder, 'own.ts'), PICKY(66))
  const { answer } = await reloader.reload('the file changed')
  reloader.close()
  expect(answer).toMatch(
    /inventory\.limits\.USDC\.max = .*; dropped.*: strategy\.params\.bidBps \(.*this bid/,
  )
  expect(reloader.set()).toEqual({ 'inventory.limits.USDC.max': '500' })
  const { strategy, inventory } = reloader.current().core
  expect([strategy.params, inventory.limits.USDC?.max]).toEqual([{ bidBps: 60 }, 500n * 10n ** 18n])
})

test('a file that no longer goes together with what was set before lets no limit be loosened in the same order', async () => {
  const { reloader, told, write } = await opened()
  write(LIMITED)
  const set = (changes: Readonly<Record<string, unknown>>) =>
    reloader.reload('asked to', { ...ORDER, changes })
  expect(await set({ 'strategy.params.bidBps': 61, 'quote.safeBps': 400 })).toMatchObject({ accepted: true })
  // With another strategy the parameter that was set is unknown: the file with it cannot be loaded.
  write(
    LIMITED.replace(
      'use: fixed-spread, params: { bidBps: 60, askBps: 70 }',
      'use: inventory-skew, params: { halfSpreadBps: 60 }',
    ),
  )
  const loosening = { 'strategy.params': { halfSpreadBps: 70 }, 'quote.safeBps': 300 }
  const answer = await set(loosening)
  reloader.close()
  expect(answer).toMatchObject({ accepted: false, answer: expect.stringContaining('raised') })
  expect(told).toContainEqual(['refused', expect.stringContaining('from 400'), expect.anything()])
})

test.each([
  ['taken', YAML.replace('60', '61')],
  ['refused', 'name: ['],
])('a reload that would be %s after the end changes nothing and tells no one', async (_how, yaml) => {
  const { reloader, told, write } = await opened()
  write(yaml)
  const answer = reloader.reload('asked to', { ...ORDER, changes: {} })
  reloader.close()
  expect(await answer).toEqual({ accepted: false, answer: 'not reloaded: the position has ended' })
  expect(told).toEqual([])
})

test('the price corridor changes by restart only: a reload that moves it is refused whole', async () => {
  const { reloader, told, write } = await opened()
  write(YAML.replace("max: '3000'", "max: '30000'").replace('60', '61'))
  expect((await reloader.reload('asked to', { ...ORDER, changes: {} })).answer).toContain(
    'risk.priceCorridor cannot change',
  )
  write(YAML.replace("risk: { priceCorridor: { min: '2000', max: '3000' } }", ''))
  expect((await reloader.reload('asked to', { ...ORDER, changes: {} })).accepted).toBe(false)
  reloader.close()
  // The watch of the file may have tried as well.
  expect(new Set(told.map((one) => (one as unknown[])[0]))).toEqual(new Set(['refused']))
})

test.each([
  ['http.token', 'http: { token: !env MIZANI_HTTP_TOKEN }\n'],
  ['log', 'log: { level: debug }\n'],
  ['http', 'http: { port: 9465 }\n'],
  ['http.readsNeedToken', 'http: { readsNeedToken: true }\n'],
])('a change of %s, which is built in at the start, is not said to be taken over', async (key, lines) => {
  vi.stubEnv('MIZANI_HTTP_TOKEN', 'token-5521-aa')
  const { reloader, write } = await opened()
  write(`${YAML}${lines}`)
  expect(await reloader.reload('asked to', { ...ORDER, changes: {} })).toEqual({
    accepted: false,
    answer: `not reloaded, the old configuration is kept: ${key} cannot change while running; restart the daemon`,
  })
  reloader.close()
})

test('another key of the venue is exchanged by a reload, and one that the venue does not take is refused whole', async () => {
  const { reloader, told, write } = await opened()
  vi.stubEnv('MIZANI_API_KEY', 'mm_live_next')
  expect(await reloader.reload('asked to', { ...ORDER, changes: {} })).toMatchObject({ accepted: true })
  vi.stubEnv('MIZANI_API_KEY', 'mm_live_wrong')
  write(YAML.replace('60', '61'))
  expect(await reloader.reload('asked to', { ...ORDER, changes: {} })).toMatchObject({
    accepted: false,
    answer: expect.stringContaining('the new key'),
  })
  reloader.close()
  expect(told).toContainEqual(['key', 'mm_live_next'])
  expect(reloader.current().core.strategy.params).toMatchObject({ bidBps: 60 })
})
