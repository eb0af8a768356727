/**
 * Why a value would not come back from a snapshot as it is, with the place: null, booleans, text, finite
 * numbers, bigints, lists and plain objects of these do; a Map, a Date, a function or Infinity does not. Null =
 * it does.
 */
export function plainDataProblem(
  value: unknown,
  place: string,
  above: readonly unknown[] = [],
): string | null {
  if (typeof value === 'function' || typeof value === 'symbol') return `${place} is a ${typeof value}`
  if (typeof value === 'number' && !Number.isFinite(value)) return `${place} is ${value}`
  if (typeof value !== 'object' || value === null) return null
  if (above.includes(value)) return `${place} holds itself`
  if (!Array.isArray(value) && !isPlainObject(value))
    return `${place} is a ${value.constructor?.name ?? 'class'}`
  const within = [...above, value]
  for (const [key, inner] of Object.entries(value)) {
    const problem = plainDataProblem(inner, `${place}.${key}`, within)
    if (problem !== null) return problem
  }
  return null
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
