import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withScenarioReference } from '../../../../scripts/scenarios-reference.ts'
import { adverseMarkets, readScenarios, shippedConfig } from '../../../../src/research/jobs/read-scenarios.ts'
import { noteOf } from '../../../../src/research/scenarios/parameter.ts'
import {
  SCENARIO_NAMES,
  SCENARIO_SECTIONS,
  scenarioChangesSchema,
} from '../../../../src/research/scenarios/scenario.ts'
import { shippedScenario } from '../../../support/shipped-scenario.ts'

describe('the adverse markets', () => {
  const adverse = readScenarios(adverseMarkets(), 'config/tournament.yaml')
  const markets = adverse.ok ? adverse.value : []

  test('are fifty, parse, are found by name, and ten of them are for development', () => {
    expect(adverse.ok || adverse.error).toBe(true)
    expect(markets).toHaveLength(50)
    expect(markets.filter(({ development }) => development === true)).toHaveLength(10)
    for (const { name } of markets) expect(readScenarios([name], '.').ok).toBe(true)
  })

  test('begin with a comment of one sentence', () => {
    for (const path of adverseMarkets()) {
      const [, comment] = readFileSync(path, 'utf8').split('\n')
      expect(comment).toMatch(/^# [A-Z].*\.$/)
    }
  })

  test('are named in no code', () => {
    const literals = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .flatMap(
          (file) => readFileSync(`${folder}/${file}`, 'utf8').match(/(?<=['"`])[\w-]+(?=['"`])/g) ?? [],
        )
    const code = new Set([...literals('src'), ...literals('strategies')])
    expect(markets.map(({ name }) => name).filter((name) => code.has(name))).toEqual([])
  })
})

describe('the shipped scenarios', () => {
  test('are twelve, and every one parses', () => {
    const read = readScenarios('all', 'config/tournament.yaml')
    expect(read.ok && read.value.map(({ name }) => name)).toEqual(SCENARIO_NAMES)
    const files = readdirSync(shippedConfig('scenarios')).filter((file) => file.endsWith('.yaml'))
    expect(files.map((file) => file.replace('.yaml', '')).toSorted()).toEqual(SCENARIO_NAMES.toSorted())
    expect(SCENARIO_NAMES).toHaveLength(12)
    expect(SCENARIO_NAMES[0]).toBe('normal')
  })

  test('have a unit, a provenance and a source of its own for every parameter', () => {
    const meanings = SCENARIO_SECTIONS.flatMap(({ parameters }) =>
      parameters.map(({ key, schema }) => {
        const note = noteOf(schema)
        expect([key, note?.unit, note?.source]).not.toContain(undefined)
        return note?.meaning
      }),
    )
    expect(new Set(meanings).size).toBe(meanings.length)
  })

  test('change what they list and keep the rest of `normal`', () => {
    const [normal, calm] = [shippedScenario('normal'), shippedScenario('calm')]
    expect(calm.rate).toEqual({ ...normal.rate, sigmaBps: 8, driftSdBpsPerDay: 1 })
    expect(calm.rivals).toEqual(normal.rivals)
  })

  test('refuse a parameter that there is not, and a value out of range', () => {
    expect(scenarioChangesSchema.safeParse({ rate: { sigma: 3 } }).success).toBe(false)
    expect(scenarioChangesSchema.safeParse({ rate: { sigmaBps: -1 } }).success).toBe(false)
    expect(scenarioChangesSchema.safeParse({ rate: { sigmaBps: Number.NaN } }).success).toBe(false)
    expect(scenarioChangesSchema.safeParse({ rivals: { followBps: [5] } }).success).toBe(false)
  })

  test('stand in docs/scenarios.md as they are (node scripts/scenarios-docs.ts)', () => {
    const page = readFileSync('docs/scenarios.md', 'utf8')
    expect(withScenarioReference(page)).toBe(page)
  })
})
