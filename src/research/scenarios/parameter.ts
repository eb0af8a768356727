import type { z } from 'zod'

/** Where the value of a parameter comes from: measured on USD/TZS, or assumed with a reason. */
type Provenance = 'data' | 'assumption'

/** What the documentation says of a parameter beside its schema. */
type ParameterNote = {
  readonly unit: string
  readonly meaning: string
  readonly provenance: Provenance
  /** The measurement, or the reason of the assumption. */
  readonly source: string
}

const notes = new WeakMap<object, ParameterNote>()

/** A parameter of a scenario with its unit and provenance. */
export function parameter<Schema extends z.ZodType>(
  schema: Schema,
  unit: string,
  meaning: string,
  provenance: Provenance,
  source: string,
): Schema {
  // A bound that several parameters share is one schema: each gets its own.
  const own = schema.clone()
  notes.set(own, { unit, meaning, provenance, source })
  return own
}

/** The note of a parameter; undefined = the schema is a section and no parameter. */
export function noteOf(schema: object): ParameterNote | undefined {
  return notes.get(schema)
}
