import { z } from 'zod'
import { fleetSection } from './fleet.ts'
import { configSchema } from './schema.ts'
import { schemaTextOf } from '../../confinement/evaluate-strategy.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'

/** Returns the configuration file's JSON Schema for editors, with every default. */
export function configJsonSchema(): object {
  const schema = z.toJSONSchema(configSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Tagged values: an editor sees the text after the tag.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'string'
    },
  })
  return { ...schema, title: 'mizani configuration' }
}

/** Returns the JSON Schema of a fleet's `defaults.yaml`: only the block `fleet` is required, and a name is not allowed. */
export function fleetDefaultsJsonSchema(): object {
  const { name: _ofEachPosition, ...properties } = partial(configJsonSchema()).properties ?? {}
  const fleet = z.toJSONSchema(fleetSection, { io: 'input', unrepresentable: 'any' })
  return {
    ...partial(configJsonSchema()),
    properties: { fleet, ...properties },
    required: ['fleet'],
    title: 'mizani defaults of a fleet',
  }
}

/** Returns the JSON Schema of a position's file in a fleet, whose missing settings may be in the defaults. */
export function fleetPositionJsonSchema(): object {
  const title = 'mizani position of a fleet'
  return { ...partial(configJsonSchema()), required: ['name'], title }
}

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Drops the required keys, except within entries of lists. */
function partial({ required: _anywhere, ...schema }: Schema): Schema {
  if (schema.properties === undefined) return schema
  const properties = Object.entries(schema.properties).map(([key, inner]) => [key, partial(inner)] as const)
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Returns the JSON Schema of a strategy's parameters; null = it has no JSON form. */
export function strategyJsonSchema({ definition }: LoadedStrategy): Readonly<Record<string, unknown>> | null {
  try {
    const schema: unknown = JSON.parse(schemaTextOf(definition) ?? 'null')
    return typeof schema === 'object' ? (schema as Readonly<Record<string, unknown>> | null) : null
  } catch {
    return null
  }
}

const PARAMETER = /^( +)(\w+) {2,}(\S.*)$/

/**
 * Returns the texts of a strategy's parameters, by name, from the indented lines of its head comment: `  name   text`. A deeper one belongs
 * to the one above it, as `windows.cron`; a line without a name continues the text before it.
 */
export function describedParameters(lines: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let outer = ''
  let last = ''
  for (const line of lines) {
    const [, indent = '', name, text = ''] = PARAMETER.exec(line) ?? []
    if (name === undefined) found.set(last, `${found.get(last) ?? ''} ${line.trim()}`)
    else {
      if (indent.length <= 2) outer = name
      last = indent.length <= 2 ? name : `${outer}.${name}`
      found.set(last, text)
    }
  }
  return found
}
