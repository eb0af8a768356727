import { z } from 'zod'

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

/** Declares a parameter of a scenario that was measured on USD/TZS; `source` is the measurement. */
export function measured<Schema extends z.ZodType>(
  schema: Schema,
  unit: string,
  meaning: string,
  source: string,
): Schema {
  return parameter(schema, { unit, meaning, provenance: 'data', source })
}

/** Declares a parameter of a scenario that is assumed; `source` is the reason. */
export function assumed<Schema extends z.ZodType>(
  schema: Schema,
  unit: string,
  meaning: string,
  source = 'a stress, not an estimate',
): Schema {
  return parameter(schema, { unit, meaning, provenance: 'assumption', source })
}

function parameter<Schema extends z.ZodType>(schema: Schema, note: ParameterNote): Schema {
  // Several parameters may share one schema object, so each gets a clone.
  const own = schema.clone()
  notes.set(own, note)
  return own
}

/** Returns the note of a parameter; undefined = the schema is a section. */
export function noteOf(schema: object): ParameterNote | undefined {
  return notes.get(schema)
}

/** The unit of incidents. */
export const SPELLS = 'expected number in 90 days'
export const upTo = (max: number) => z.number().min(0).max(max)
export const plusMinus = (max: number) => z.number().min(-max).max(max)
