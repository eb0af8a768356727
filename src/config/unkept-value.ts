import type { PathStep } from './config-problem.ts'

/** A value that the journal and the console, which write JSON, would not give back as it is. */
export type UnkeptValue = { readonly path: readonly PathStep[]; readonly what: string }

/** The first such value in the data, or null where all of it is text, numbers, yes and no, lists and objects. */
export function unkeptValue(data: unknown, path: readonly PathStep[] = []): UnkeptValue | null {
  if (data === undefined || data === null || typeof data === 'string' || typeof data === 'boolean')
    return null
  if (typeof data === 'number') return Number.isFinite(data) ? null : { path, what: String(data) }
  if (typeof data !== 'object') return { path, what: `a ${typeof data}` }
  if (!Array.isArray(data) && !isPlain(data)) return { path, what: `a ${data.constructor?.name ?? 'thing'}` }
  for (const [key, value] of Object.entries(data)) {
    const found = unkeptValue(value, [...path, Array.isArray(data) ? Number(key) : key])
    if (found !== null) return found
  }
  return null
}

function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data)
  return prototype === null || prototype === Object.prototype
}
