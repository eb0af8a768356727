/**
 * Returns the canonical text of a value by RFC 8785: no white space, keys sorted by their UTF-16 units, strings and integers
 * as in ECMAScript. Throws a TypeError for a value without an exact form in every language: a fraction, an integer beyond
 * 2^53, a lone surrogate, undefined.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') {
    if (!value.isWellFormed())
      throw new TypeError('a text with half of a surrogate pair has no canonical form')
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not an integer below 2^53`)
    return String(value === 0 ? 0 : value)
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no canonical form`)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, item]) => `${canonicalJson(key)}:${canonicalJson(item)}`).join(',')}}`
}

/** Parses a text that is canonical to the last byte; null = not canonical, or not JSON. */
export function readCanonical(text: string): { readonly value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    return canonicalJson(value) === text ? { value } : null
  } catch {
    // Invalid JSON, and values without a canonical form, are not canonical.
    return null
  }
}
