import type { z } from 'zod'
import type { PathStep } from './config-problem.ts'

type Definition = {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly element?: z.ZodType
  readonly valueType?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
}

/** The keys that a schema knows at a path, or none where it is no object. For "did you mean". */
export function knownKeys(schema: z.ZodType, path: readonly PathStep[]): readonly string[] {
  let at: z.ZodType | undefined = schema
  for (const step of path) {
    const definition: Definition | undefined = at === undefined ? undefined : definitionOf(at)
    if (definition === undefined) return []
    at = definition.shape?.[String(step)] ?? definition.element ?? definition.valueType
  }
  const shape = at === undefined ? undefined : definitionOf(at)?.shape
  return shape === undefined ? [] : Object.keys(shape)
}

/** Where else in the schema a key of this name is known: it may only stand in the wrong section. */
export function placesOfKey(
  schema: z.ZodType,
  key: string,
  above: readonly string[] = [],
): readonly string[] {
  return Object.entries(definitionOf(schema)?.shape ?? {}).flatMap(([name, inner]) => {
    const here = [...above, name]
    return [...(name === key ? [here.join('.')] : []), ...placesOfKey(inner, key, here)]
  })
}

/** Below defaults, nullables, optionals and transforms. */
function definitionOf(schema: z.ZodType): Definition | undefined {
  let definition = (schema as unknown as { _zod?: { def?: Definition } })._zod?.def
  while (definition !== undefined) {
    const inner: z.ZodType | undefined = definition.innerType ?? definition.in
    if (inner === undefined) return definition
    definition = (inner as unknown as { _zod?: { def?: Definition } })._zod?.def
  }
  return undefined
}
