import { z } from 'zod'
import type { Door } from './door.ts'

type ParameterRow = { readonly name: string; readonly type: string; readonly meaning: string }

/** Returns every parameter of a model, nested ones with a dot: type with range, meaning with unit and default. */
export function parameterRows(door: Door): readonly ParameterRow[] {
  return rowsOf(z.toJSONSchema(door.params, { io: 'input' }) as Schema, '')
}

type Schema = {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | false
  readonly required?: readonly string[]
  readonly items?: Schema
}

function rowsOf({ properties = {}, required = [] }: Schema, path: string): readonly ParameterRow[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${path}${key}`
    const fallback =
      schema.default !== undefined
        ? `; default ${JSON.stringify(schema.default)}`
        : required.includes(key)
          ? ''
          : '; optional'
    const row = { name, type: typeOf(schema), meaning: `${schema.description ?? ''}${fallback}` }
    const inner =
      schema.items?.properties === undefined ? rowsOf(schema, `${name}.`) : rowsOf(schema.items, `${name}[].`)
    return [row, ...inner]
  })
}

function typeOf(schema: Schema): string {
  const { type, enum: choices, items, minimum, maximum, exclusiveMinimum, additionalProperties } = schema
  if (choices !== undefined) return choices.map(String).join(' | ')
  if (type === 'array') return `list of ${typeOf(items ?? {})}`
  if (type === 'object')
    return additionalProperties === false || additionalProperties === undefined
      ? 'record'
      : `name: ${typeOf(additionalProperties)}`
  const least = exclusiveMinimum === undefined ? limitText(minimum) : `above ${limitText(exclusiveMinimum)}`
  const range = least === undefined || maximum === undefined ? '' : ` ${least} .. ${limitText(maximum)}`
  return `${type ?? 'any'}${range}`
}

/** Writes round limits compactly: 1e12 rather than twelve zeros. */
function limitText(limit: number | undefined): string | undefined {
  if (limit === undefined) return undefined
  const short = limit.toExponential().replace('e+', 'e')
  return Math.abs(limit) >= 1e6 && short.length < 6 ? short : String(limit)
}
