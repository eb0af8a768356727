import { z } from 'zod'
import { noteOf } from './parameter.ts'
import { sections } from './sections.ts'

/** The parameters of a market, each with a unit and a provenance. Prices are log distances in bps (first order). */
export const scenarioSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  development: z.boolean().optional(),
  ...sections,
})
export type Scenario = z.infer<typeof scenarioSchema>

/** The shipped scenarios, the base first; config/scenarios has one file for each. */
export const SCENARIO_NAMES = [
  'normal',
  'api-outage',
  'appreciation',
  'calm',
  'devaluation',
  'fat-finger-mid',
  'payroll',
  'stablecoin-basis',
  'stale-jump',
  'toxic-taker',
  'undercut',
  'weekend',
] as const

/** Differences of a scenario from `normal`; a list replaces the whole list. */
export const scenarioChangesSchema = z.strictObject({
  development: z
    .boolean()
    .optional()
    .describe('Thresholds may be chosen on this market; `tournament --adverse` reports the others apart.'),
  rate: sections.rate.partial().optional(),
  publication: sections.publication.partial().optional(),
  retail: sections.retail.partial().optional(),
  informed: sections.informed.partial().optional(),
  rivals: sections.rivals.partial().optional(),
  feed: sections.feed.partial().optional(),
  incidents: sections.incidents.partial().optional(),
  terms: sections.terms.partial().optional(),
  restocking: sections.restocking.partial().optional(),
  regime: sections.regime.partial().optional(),
  stated: sections.stated.partial().optional(),
})
export type ScenarioChanges = z.infer<typeof scenarioChangesSchema>

/** Returns the JSON Schema of a scenario's file, for editors: `normal` has every parameter, the others only their differences. */
export function scenarioJsonSchema(): object {
  const schema = z.toJSONSchema(scenarioChangesSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const note = noteOf(zodSchema)
      if (note !== undefined) jsonSchema.description = `${note.meaning} [${note.unit}]`
    },
  })
  return { ...schema, title: 'mizani scenario' }
}

/** The sections of a scenario and their parameters, for the documentation. */
export const SCENARIO_SECTIONS = Object.entries(sections).map(([section, schema]) => ({
  section,
  parameters: Object.entries(schema.shape).map(([key, of]) => ({ key, schema: of as z.ZodType })),
}))

/** Returns the base with the changes of a scenario applied. */
export function changedScenario(name: string, base: Scenario, changes: ScenarioChanges): Scenario {
  return scenarioSchema.parse({
    name,
    development: changes.development,
    rate: { ...base.rate, ...changes.rate },
    publication: { ...base.publication, ...changes.publication },
    retail: { ...base.retail, ...changes.retail },
    informed: { ...base.informed, ...changes.informed },
    rivals: { ...base.rivals, ...changes.rivals },
    feed: { ...base.feed, ...changes.feed },
    incidents: { ...base.incidents, ...changes.incidents },
    terms: { ...base.terms, ...changes.terms },
    restocking: { ...base.restocking, ...changes.restocking },
    regime: { ...base.regime, ...changes.regime },
    stated: { ...base.stated, ...changes.stated },
  })
}
