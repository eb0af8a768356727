/** What an earlier version wrote, before it has today's form. */
export type Written = Readonly<Record<string, unknown>>

/**
 * Lifts one kind of what was written to the form that follows. Pure: it returns a new object, or the one that it was
 * given. To rename an event, or a field of one, add a file under `events/` that exports an upcaster of the type as it
 * was written, list it in `written.ts`, and give `test/unit/core/engine/upcast` a row of before and after. The state has one
 * list in `state.ts`, a function a change. A version that a release has written is never changed again: the change
 * after the release raises `WRITTEN_VERSION`.
 */
export type Upcaster = {
  /** The type as it was written. */
  readonly type: string
  /** Takes what was written with a version below this one. */
  readonly below: number
  readonly upcast: (written: Written) => Written
}

/** Lifts a record through all that apply, in the order of the list; a renamed one meets the upcasters of its new name. */
export function upcastThrough(upcasters: readonly Upcaster[], version: number, written: Written): Written {
  let lifted = written
  for (const { type, below, upcast } of upcasters)
    if (version < below && lifted['type'] === type) lifted = upcast(lifted)
  return lifted
}

/** The same record with fields under other names; one that is not there stays away. */
export function renameFields(written: Written, names: Readonly<Record<string, string>>): Written {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [names[name] ?? name, value]))
}

/** The fields of what was written; empty where it is no record. */
export function recordOf(value: unknown): Written {
  return typeof value === 'object' && value !== null ? (value as Written) : {}
}
