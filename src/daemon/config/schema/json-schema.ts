import { z } from 'zod'
import { fleetSection } from './fleet.ts'
import { configSchema } from './schema.ts'
import { schemaTextOf } from '../../confinement/evaluate-strategy.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'

/** The configuration file as JSON Schema, for editors: what may be written, with every default. */
export function configJsonSchema(): object {
  const schema = z.toJSONSchema(configSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Tagged values: an editor sees the text behind the tag.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'string'
    },
  })
  return { ...schema, title: 'mizani configuration' }
}

/** `defaults.yaml` of a fleet as JSON Schema: nothing has to stand in it but the block `fleet`, and no name may. */
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

/** A position's file in a fleet as JSON Schema: what it leaves out, its defaults may have. */
export function fleetPositionJsonSchema(): object {
  const title = 'mizani position of a fleet'
  return { ...partial(configJsonSchema()), required: ['name'], title }
}

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Without what has to stand there; what an entry of a list needs, it needs still. */
function partial({ required: _anywhere, ...schema }: Schema): Schema {
  if (schema.properties === undefined) return schema
  const properties = Object.entries(schema.properties).map(([key, inner]) => [key, partial(inner)] as const)
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** What may be written as a strategy's parameters, as JSON Schema; null where it cannot be said as one. */
export function strategyJsonSchema({ definition }: LoadedStrategy): Readonly<Record<string, unknown>> | null {
  try {
    const schema: unknown = JSON.parse(schemaTextOf(definition) ?? 'null')
    return typeof schema === 'object' ? (schema as Readonly<Record<string, unknown>> | null) : null
  } catch {
    return null
  }
}
