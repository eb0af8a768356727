import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withScenarioReference } from '../../../../scripts/scenarios-reference.ts'
import { readScenarios, shippedConfig } from '../../../../src/research/jobs/read-scenarios.ts'
import { noteOf } from '../../../../src/research/scenarios/parameter.ts'
import {
  SCENARIO_NAMES,
  SCENARIO_SECTIONS,
  scenarioChangesSchema,
} from '../../../../src/research/scenarios/scenario.ts'
import { shippedScenario } from '../../../support/shipped-scenario.ts'

describe('the shipped scenarios', () => {
  test('are twelve, and every one parses', () => {
    const read = readScenarios('all', 'config/tournament.yaml')
    expect(read.ok && read.value.map(({ name }) => name)).toEqual(SCENARIO_NAMES)
    const files = readdirSync(shippedConfig('scenarios')).map((file) => file.replace('.yaml', ''))
    expect(files.toSorted()).toEqual(SCENARIO_NAMES.toSorted())
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
