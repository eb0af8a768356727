import { z } from 'zod'
import { configSchema } from './schema.ts'

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
