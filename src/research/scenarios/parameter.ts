import type { z } from 'zod'

/** Documentation of a parameter, in addition to its schema. */
type ParameterNote = {
  readonly unit: string
  readonly meaning: string
  /** Measured on USD/TZS, or assumed with a reason. */
  readonly provenance: 'data' | 'assumption'
  /** The measurement, or the reason of the assumption. */
  readonly source: string
}

const notes = new WeakMap<object, ParameterNote>()

/** A parameter of a scenario that was measured on USD/TZS; `source` is the measurement. */
export function measured<Schema extends z.ZodType>(
  schema: Schema,
  unit: string,
  meaning: string,
  source: string,
): Schema {
  return parameter(schema, { unit, meaning, provenance: 'data', source })
}

/** A parameter of a scenario that is assumed; `source` is the reason. */
export function assumed<Schema extends z.ZodType>(
  schema: Schema,
  unit: string,
  meaning: string,
  source: string,
): Schema {
  return parameter(schema, { unit, meaning, provenance: 'assumption', source })
}

function parameter<Schema extends z.ZodType>(schema: Schema, note: ParameterNote): Schema {
  // A bound that several parameters share is one schema: each gets its own.
  const own = schema.clone()
  notes.set(own, note)
  return own
}

/** The note of a parameter; undefined = the schema is a section and no parameter. */
export function noteOf(schema: object): ParameterNote | undefined {
  return notes.get(schema)
}
