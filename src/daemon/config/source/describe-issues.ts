import type { z } from 'zod'
import type { Finding, PathStep } from './problem.ts'
import { didYouMean } from './nearest-name.ts'

type Issue = z.core.$ZodIssue

/** Describes what is wrong with each issue and what would be valid; unknown keys one by one. */
export function describeIssues(
  issues: readonly Issue[],
  schema: z.ZodType,
  data: unknown,
): readonly Finding[] {
  return issues.flatMap((issue): Finding[] => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
    if (issue.code === 'unrecognized_keys') {
      const known = knownKeys(schema, path)
      return issue.keys.map((key) => ({
        path: [...path, key],
        at: 'key',
        message: unknownKey(key, known, schema),
      }))
    }
    return [{ path, at: 'value', message: sentence(issue, valueAt(data, path)) }]
  })
}

function unknownKey(key: string, known: readonly string[], schema: z.ZodType): string {
  const mean = didYouMean(key, known)
  if (mean !== '') return `unknown key${mean}`
  const elsewhere = placesOfKey(schema, key)
  if (elsewhere.length > 0) return `unknown key here; did you mean ${elsewhere.join(' or ')}?`
  return known.length === 0 ? 'unknown key; leave it out' : `unknown key; known here: ${known.join(', ')}`
}

function sentence(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return `missing; ${aThing(issue.expected)} is needed here`
      return `${found(value)} where ${aThing(issue.expected)} was expected`
    case 'invalid_value': {
      const values = issue.values.map(String)
      const mean = typeof value === 'string' ? didYouMean(value, values) : ''
      return `not one of the possible values; expected ${values.join(' or ')}${mean}`
    }
    case 'too_small':
      if (!issue.message.startsWith('Too small')) return issue.message
      return `too small${limits(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`
    case 'too_big':
      if (!issue.message.startsWith('Too big')) return issue.message
      return `too large${limits(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`
    case 'invalid_key':
      return `not a key that fits here; ${issue.issues.map((inner) => inner.message).join('; ')}`
    case 'custom':
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return issue.message
  }
}

function limits(origin: string, words: string, limit: number | bigint): string {
  const of = origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : ''
  return `; expected ${words} ${limit}${of}`
}

const THINGS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  object: 'a mapping (key: value)',
  record: 'a mapping (key: value)',
  array: 'a list',
}

function aThing(expected: string): string {
  return THINGS[expected] ?? expected
}

function found(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number')
    return Number.isInteger(value) ? 'a number' : Number.isFinite(value) ? 'a fraction' : 'no finite number'
  return (
    { string: 'text', boolean: 'true or false', object: 'a mapping' }[typeof value as string] ?? typeof value
  )
}

function valueAt(data: unknown, path: readonly PathStep[]): unknown {
  let at: unknown = data
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Readonly<Record<PathStep, unknown>>)[step]
  }
  return at
}

type Definition = {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly element?: z.ZodType
  readonly valueType?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
}

/** Returns the keys that a schema defines at a path, for "did you mean"; empty if it is not an object. */
function knownKeys(schema: z.ZodType, path: readonly PathStep[]): readonly string[] {
  let at: z.ZodType | undefined = schema
  for (const step of path) {
    const definition: Definition | undefined = at === undefined ? undefined : definitionOf(at)
    if (definition === undefined) return []
    at = definition.shape?.[String(step)] ?? definition.element ?? definition.valueType
  }
  const shape = at === undefined ? undefined : definitionOf(at)?.shape
  return shape === undefined ? [] : Object.keys(shape)
}

/** Returns where else the schema has a key of this name, which may be in the wrong section. */
function placesOfKey(schema: z.ZodType, key: string, above: readonly string[] = []): readonly string[] {
  return Object.entries(definitionOf(schema)?.shape ?? {}).flatMap(([name, inner]) => {
    const here = [...above, name]
    return [...(name === key ? [here.join('.')] : []), ...placesOfKey(inner, key, here)]
  })
}

/** Returns the definition inside defaults, nullables, optionals and transforms. */
function definitionOf(schema: z.ZodType): Definition | undefined {
  let definition = (schema as unknown as { _zod?: { def?: Definition } })._zod?.def
  while (definition !== undefined) {
    const inner: z.ZodType | undefined = definition.innerType ?? definition.in
    if (inner === undefined) return definition
    definition = (inner as unknown as { _zod?: { def?: Definition } })._zod?.def
  }
  return undefined
}
