import { FaultsSchema, type Faults } from './faults.ts'

/** The same options with `patch` laid over them: nested objects merge, lists are replaced. Throws ZodError. */
export function mergeFaults(current: Faults, patch: Readonly<Record<string, unknown>>): Faults {
  const merged: Record<string, unknown> = { ...current }
  for (const [key, value] of Object.entries(patch)) {
    const before = merged[key]
    merged[key] = isRecord(before) && isRecord(value) ? { ...before, ...value } : value
  }
  return FaultsSchema.parse(merged)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
