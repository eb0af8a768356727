/** A record as an earlier version wrote it. */
export type Written = Readonly<Record<string, unknown>>

/**
 * Lifts records of one type to the next version. Pure: returns a new object, or the one that it was given. To rename an
 * event or one of its fields, add an upcaster to `names.ts`; to rename a field of the state, add it to `RENAMES` there; and
 * add a row of before and after to `test/unit/core/engine/upcast`. A version that a release has written never changes: the
 * first change after a release raises `WRITTEN_VERSION`.
 */
export type Upcaster = {
  /** The type as it was written. */
  readonly type: string
  /** Applies to records that were written with a version below this one. */
  readonly below: number
  readonly upcast: (written: Written) => Written
}

/** Lifts a record through all upcasters that apply, in order; after a rename those of the new type apply. */
export function upcastThrough(upcasters: readonly Upcaster[], version: number, written: Written): Written {
  let lifted = written
  for (const { type, below, upcast } of upcasters)
    if (version < below && lifted['type'] === type) lifted = upcast(lifted)
  return lifted
}

/** Returns the record with its fields renamed. */
export function renameFields(written: Written, names: Readonly<Record<string, string>>): Written {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [names[name] ?? name, value]))
}

/** Returns the fields of a record; empty for any other value. */
export function recordOf(value: unknown): Written {
  return typeof value === 'object' && value !== null ? (value as Written) : {}
}
