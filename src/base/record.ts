/** Returns whether a value is a JSON object (not an array, not null). */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the fields of a value; empty if it is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** Returns whether a value is a whole number of at least 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Returns a record with the same keys and mapped values. The caller declares the result's type. */
export function mapValues(record: object, change: (value: never, name: string) => unknown): unknown {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(value as never, name)]),
  )
}
