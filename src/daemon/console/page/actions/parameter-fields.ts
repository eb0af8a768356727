import { err, ok, type Result } from '../../../../base/result.ts'

export type ParameterField = {
  /** The dotted path below `strategy.params`. */
  readonly path: string
  readonly kind: 'number' | 'boolean' | 'choice' | 'text' | 'json'
  readonly isInteger: boolean
  readonly min: number | null
  readonly max: number | null
  readonly choices: readonly string[]
  readonly note: string
  /** The text in the form. */
  readonly text: string
  readonly isRequired: boolean
}

type Schema = {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
  readonly default?: unknown
}

/** Returns the form's fields for parameters, from their JSON Schema; a nested value is edited as JSON. */
export function parameterFields(
  schema: object | null,
  params: unknown,
  below = '',
): readonly ParameterField[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema
  const values = (typeof params === 'object' && params !== null ? params : {}) as Readonly<
    Record<string, unknown>
  >
  const names = [...new Set([...Object.keys(properties), ...Object.keys(values)])]
  return names.flatMap((name) => {
    const property = properties[name] ?? {}
    const value = values[name]
    const path = `${below}${name}`
    if (property.type === 'object' && property.properties !== undefined)
      return parameterFields(property, value, `${path}.`)
    return [fieldOf(path, property, value, required.includes(name) || value !== undefined)]
  })
}

/** Parses the form's text; undefined = the form is empty. Throws a SyntaxError for invalid JSON. */
function parameterValue({ kind }: ParameterField, text: string): unknown {
  if (text.trim() === '' && kind !== 'text') return undefined
  if (kind === 'number') return Number(text)
  if (kind === 'boolean') return text === 'true'
  return kind === 'json' ? (JSON.parse(text) as unknown) : text
}

function fieldOf(path: string, schema: Schema, value: unknown, isRequired: boolean): ParameterField {
  const kind = kindOf(schema, value)
  const bound = (given: number | undefined) =>
    given === undefined || Math.abs(given) >= Number.MAX_SAFE_INTEGER ? null : given
  const min = bound(schema.minimum)
  const max = bound(schema.maximum)
  return {
    path,
    kind,
    isInteger: schema.type === 'integer',
    min,
    max,
    choices: (schema.enum ?? []).map(String),
    note: noteOf(schema.description ?? '', rangeText(min, max)),
    text: textOf(value),
    isRequired,
  }
}

/** A description that names the range is not followed by it. */
function noteOf(description: string, range: string): string {
  if (description.includes('..')) return description
  return [description, range].filter((part) => part !== '').join('; ')
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function kindOf({ type, enum: choices }: Schema, value: unknown): ParameterField['kind'] {
  if (choices?.every((choice) => typeof choice === 'string') === true) return 'choice'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'string') return 'text'
  return type === undefined ? kindOfValue(value) : 'json'
}

/** Without a schema, the value determines the field. */
function kindOfValue(value: unknown): ParameterField['kind'] {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'json'
}

function rangeText(min: number | null, max: number | null): string {
  if (min !== null && max !== null) return `${min} to ${max}`
  if (min !== null) return `at least ${min}`
  return max === null ? '' : `at most ${max}`
}

/** Returns the form's changes by configuration path. The error is a sentence. */
export function parameterChangesOf(
  fields: readonly ParameterField[],
  texts: Readonly<Record<string, string>>,
): Result<Readonly<Record<string, unknown>>, string> {
  const changes: Record<string, unknown> = {}
  for (const field of fields) {
    const text = texts[field.path] ?? ''
    if (text === field.text) continue
    try {
      const value = parameterValue(field, text)
      if (value === undefined) return err(`${field.path}: a value is required`)
      changes[`strategy.params.${field.path}`] = value
    } catch {
      return err(`${field.path}: this is not JSON`)
    }
  }
  return Object.keys(changes).length === 0 ? err('No value was changed.') : ok(changes)
}
