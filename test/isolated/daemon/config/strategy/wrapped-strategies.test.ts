import { expect, test } from 'vitest'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import { neutralContext } from '../../../../../src/daemon/config/strategy/try-strategy.ts'
import { askStrategy } from '../../../../../src/core/strategy/ask-strategy.ts'
import { freshMemory } from '../../../../../src/core/strategy/memory.ts'
import { expectTermsToSum } from '../../../../unit/strategies/support.ts'
import { ENV, load, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const SHIPPED = new URL('../../../../../strategies', import.meta.url).pathname
const EXAMPLE = new URL('../../../../../config/wrapped.example.yaml', import.meta.url).pathname
const OPTIONS = { strategiesFolder: SHIPPED }

/** A configuration whose strategy is these lines. */
const withStrategy = (lines: string) =>
  VALID.replace('strategy: { use: plain, params: { halfSpreadBps: 60 } }', lines.trim())

async function problems(lines: string): Promise<readonly string[]> {
  const loaded = await load(withStrategy(lines), OPTIONS)
  if (loaded.ok) throw new Error('the configuration was accepted')
  return loaded.error.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)
}

test('competitive around toxicity-guard around weekend around glft loads, and each adds its term in that order', async () => {
  const loaded = await loadConfig(EXAMPLE, ENV, OPTIONS)
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  const { strategy } = loaded.value
  const uses = ['competitive']
  for (let at = strategy.inner['wrapped']; at !== undefined; at = at.inner['wrapped']) uses.push(at.use)
  expect(uses).toEqual(['competitive', 'toxicity-guard', 'weekend', 'glft'])
  const onSaturday = { ...neutralContext(), now: Date.UTC(2026, 6, 18, 9) }
  const competition = { bid: { bestBps: 45, ageMs: 0 }, ask: null }
  const toxic = { fills: 9, meanBps: -30, impactBps: 100, errorBps: 0 }
  const context = { ...onSaturday, competition, markouts: { bid: null, ask: toxic } }
  const asked = askStrategy(strategy, freshMemory(strategy), context)
  if (!asked.ok) throw new Error(asked.error)
  expectTermsToSum(asked.value)
  expect(asked.value.terms).toMatchObject([
    { name: 'half-spread', bidBps: 60, askBps: 60 },
    { name: 'calendar', bidBps: 5, askBps: 5 },
    { name: 'informed takers', bidBps: 0, askBps: 40 },
    { name: 'rivals', askBps: 0 },
  ])
  // Beside the rival at 45, at the edge of the tolerance.
  expect(asked.value).toMatchObject({ bidBps: 50, askBps: 105 })
  expect(asked.value.reasons).toHaveLength(4)
})

test('a problem of a strategy that is wrapped three deep is placed at its line and column', async () => {
  const lines = (params: string) => `
strategy:
  use: competitive
  params:
    strategy:
      use: toxicity-guard
      params:
        strategy:
          use: weekend
          params:
            strategy:
              use: glft
              params: ${params}
`
  expect(await problems(lines('{ maxLots: -1 }'))).toEqual([
    '19:34 strategy.params.strategy.params.strategy.params.strategy.params.maxLots: too small; expected more than 0',
  ])
  expect((await problems(lines('{ gamma: 1 }')))[0]).toContain(
    'strategy.params.strategy.params.strategy.params.strategy.params.gamma: ',
  )
})

test('an unknown name in the middle is placed at its use, with the nearest right one', async () => {
  const [problem] = await problems(`
strategy:
  use: competitive
  params:
    strategy:
      use: toxicity-gard
      params: { strategy: { use: glft } }
`)
  expect(problem).toContain('12:12 strategy.params.strategy.use: no strategy')
})

test('a wrapper without what it wraps is refused at its parameters', async () => {
  const [problem] = await problems('strategy: { use: weekend, params: { weekendBps: 20 } }')
  expect(problem).toContain('strategy.params')
  expect(problem).toContain('strategy')
})

test('a strategy that comes again within itself is refused by name, however far within', async () => {
  const itself = await problems(
    'strategy: { use: competitive, params: { strategy: { use: competitive, params: { strategy: { use: glft } } } } }',
  )
  expect(itself[0]).toContain('strategy.params.strategy.use: competitive wraps itself')
  const between = await problems(
    'strategy: { use: competitive, params: { strategy: { use: weekend, params: { strategy: { use: competitive, params: { strategy: { use: glft } } } } } } }',
  )
  expect(between[0]).toContain('competitive wraps itself')
})
