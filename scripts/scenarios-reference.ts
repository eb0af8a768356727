// The generated part of docs/scenarios.md: every parameter of a scenario with unit, provenance and source, and what each of
// the shipped scenarios changes.
import { readFileSync } from 'node:fs'
import { adverseMarkets, readScenarios, shippedConfig } from '../src/research/jobs/read-scenarios.ts'
import { noteOf } from '../src/research/scenarios/parameter.ts'
import { SCENARIO_SECTIONS, type Scenario } from '../src/research/scenarios/scenario.ts'
import { withGeneratedBlock } from './generated-block.ts'

/** The page with its generated part as the schema and the files have it now. */
export function withScenarioReference(page: string): string {
  return withGeneratedBlock(page, 'scenarios-docs.ts', scenarioReference())
}

function scenarioReference(): readonly string[] {
  const read = readScenarios('all', 'config/tournament.yaml')
  if (!read.ok) throw new Error(read.error)
  const adverse = readScenarios(adverseMarkets(), 'config/tournament.yaml')
  if (!adverse.ok) throw new Error(adverse.error)
  const [normal, ...others] = read.value
  if (normal === undefined) throw new Error('there is no base scenario')
  const table = SCENARIO_SECTIONS.flatMap(({ section, parameters }) =>
    parameters.map(({ key, schema }) => {
      const note = noteOf(schema)
      if (note === undefined) throw new Error(`${section}.${key} has no note`)
      const { unit, meaning, provenance, source } = note
      return `| \`${section}.${key}\` | ${valueText(normal, section, key)} | ${unit} | ${meaning} | ${provenance} | ${source} |`
    }),
  )
  const rows = (folder: string, scenarios: readonly Scenario[]) =>
    scenarios.map(
      (scenario) =>
        `| \`${scenario.name}\`${scenario.development === true ? ' *' : ''} | ${summaryOf(folder, scenario.name)} | ${differences(normal, scenario).join(', ')} |`,
    )
  return [
    '| Parameter | `normal` | Unit | Meaning | Provenance | Source or reason |',
    '|---|---|---|---|---|---|',
    ...table,
    '',
    '| Scenario | What happens | What differs from `normal` |',
    '|---|---|---|',
    ...rows('', others),
    '',
    '| Adverse market; * = for development | What happens | What differs from `normal` |',
    '|---|---|---|',
    ...rows('adverse/', adverse.value),
  ]
}

/** The comment at the head of the scenario's file. */
function summaryOf(folder: string, name: string): string {
  const text = readFileSync(`${shippedConfig('scenarios')}/${folder}${name}.yaml`, 'utf8')
  return [...text.matchAll(/^# (?!yaml-language-server)(.*)$/gm)].map(([, line]) => line).join(' ')
}

function differences(normal: Scenario, other: Scenario): readonly string[] {
  return SCENARIO_SECTIONS.flatMap(({ section, parameters }) =>
    parameters.flatMap(({ key }) => {
      const value = valueText(other, section, key)
      return value === valueText(normal, section, key) ? [] : [`\`${section}.${key}\` ${value}`]
    }),
  )
}

function valueText(scenario: Scenario, section: string, key: string): string {
  const values = scenario as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const value = values[section]?.[key]
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return 'none'
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
