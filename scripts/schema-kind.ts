/** As much of JSON Schema as zod writes for our schemas. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

/** What may be written there, in words: `whole number, 10 to 500`. */
export function schemaKind(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ')
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.flatMap((one) => schemaKind(one).split(' or ')))].join(' or ')
  if (Array.isArray(schema.type)) return schema.type.includes('null') ? 'amount or null' : 'amount'
  if (schema.type === 'array') {
    const keys = Object.keys(schema.items?.properties ?? {})
    if (keys.length > 0) return `list of { ${keys.join(', ')} }`
    return `list of ${schema.items === undefined ? 'values' : schemaKind(schema.items)}`
  }
  if (schema.properties !== undefined) return mapKind(schema.properties)
  if (schema.type === 'object') return 'map'
  if (schema.type === 'integer' || schema.type === 'number') return numberKind(schema)
  return schema.type === 'string' ? 'text' : String(schema.type)
}

/** A text as one cell of a Markdown table. */
export function tableCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()
}

function mapKind(properties: Readonly<Record<string, Schema>>): string {
  const [first] = Object.values(properties)
  const inside =
    first?.properties === undefined
      ? schemaKind(first ?? {})
      : `{ ${Object.keys(first.properties).join(', ')} }`
  const keys = Object.keys(properties).join(', ')
  return Object.hasOwn(properties, 'NTZS') ? `per token (${keys}): ${inside}` : `{ ${keys} }: ${inside}`
}

function numberKind({ type, minimum, maximum, exclusiveMinimum }: Schema): string {
  const word = type === 'integer' ? 'whole number' : 'number'
  const from = minimum ?? (exclusiveMinimum === undefined ? null : `over ${exclusiveMinimum}`)
  if (from === null) return word
  return maximum === undefined ? `${word}, ${from}` : `${word}, ${from} to ${maximum}`
}
