import { z } from 'zod'
import { configSchema } from './schema.ts'
import { schemaTextOf } from '../../confinement/evaluate-strategy.ts'
import type { LoadedStrategy } from '../../strategy/define-strategy.ts'

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

/** What may be written as a strategy's parameters, as JSON Schema; null where it cannot be said as one. */
export function strategyJsonSchema({ definition }: LoadedStrategy): Readonly<Record<string, unknown>> | null {
  try {
    const schema: unknown = JSON.parse(schemaTextOf(definition) ?? 'null')
    return typeof schema === 'object' ? (schema as Readonly<Record<string, unknown>> | null) : null
  } catch {
    return null
  }
}
