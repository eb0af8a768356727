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

type Sections = Omit<Scenario, 'name' | 'development'>
export type ScenarioChanges = Pick<Scenario, 'development'> & {
  readonly [Section in keyof Sections]?: Partial<Sections[Section]> | undefined
}

/** Differences of a scenario from `normal`; a list replaces the whole list. */
export const scenarioChangesSchema = z.strictObject({
  development: z
    .boolean()
    .optional()
    .describe('Thresholds may be chosen on this market; `tournament --adverse` reports the others apart.'),
  ...mapSections((_, schema) => schema.partial().optional()),
}) as unknown as z.ZodType<ScenarioChanges>

/** Parameters without effect while the one before the colon is 0 or false. Each of these names is in one section only. */
const NEEDED = `runs: runDays runBps runSdBps runDirection runBackShare, holds: holdDays, holdDays: holds,
typos: typoBps looksAfterTypo, typoBps: typos, undercut: undercutByBps undercutFloorBps undercutTopBps reactionMinutes,
stuckSpells: stuckDays, stuckDays: stuckSpells, outagesPerDay: outageHours, outageHours: outagesPerDay, feeBps: feeFromDay,
suspensions: suspensionDays, suspensionDays: suspensions, isWeekly: belowShare costBps`
  .split(/,\s/)
  .map((line) => line.split(/:? /))

/** Refuses changes of `normal` without effect: they need another parameter, or an earlier day than the last of `days`. */
export function refuseIdle(normal: Scenario, days: number) {
  type Values = Readonly<Record<string, unknown>>
  return (changes: ScenarioChanges, context: z.RefinementCtx): void => {
    const merged = mapSections((section): Values => ({ ...normal[section], ...changes[section] }))
    const all: Values = Object.assign({}, ...Object.values(merged)) as Values
    for (const [section, after] of Object.entries(merged)) {
      const before: Values = normal[section as keyof Sections]
      const changed = Object.keys(after).filter((key) => after[key] !== before[key])
      const refuse = (key: string, message: string) =>
        context.addIssue({ code: 'custom', path: [section, key], message })
      for (const [needed = '', ...idle] of NEEDED)
        for (const key of changed.filter((one) => idle.includes(one) && !all[needed]))
          refuse(key, `no effect while ${needed} is ${String(all[needed])}; set ${needed} too`)
      const from = Object.keys(after).find((key) => /fromDay$/i.test(key)) ?? ''
      if (changed.join() === 'fromDay') refuse(from, 'no effect alone; set another parameter of regime too')
      else if (changed.length > 0 && Number(after[from]) >= days)
        refuse(from, `no effect after the last of ${days} days; set a day below ${days}`)
    }
  }
}

function mapSections<Value>(of: (key: keyof Sections, schema: z.ZodObject) => Value) {
  return Object.fromEntries(
    Object.entries(sections).map(([key, schema]) => [key, of(key as keyof Sections, schema)]),
  )
}

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
  const merged = mapSections((key) => ({ ...base[key], ...changes[key] }))
  return scenarioSchema.parse({ name, development: changes.development, ...merged })
}
