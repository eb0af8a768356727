/**
 * Encodes JSON with bigint: `5n` is written as `{"$n":"5"}`. Raw answers of the venue are kept as text in a string, so
 * that no foreign object can pass for one of ours.
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, replace)
}

/** Reads what `encodeJson` wrote. Throws SyntaxError on anything else that is not JSON. */
export function decodeJson(text: string): unknown {
  return JSON.parse(text, revive)
}

function replace(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $n: value.toString() } : value
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const tagged = (value as { $n?: unknown }).$n
  // A foreign `$n`, such as a strategy's parameter, stays as it is.
  const isOurs = typeof tagged === 'string' && /^-?\d+$/.test(tagged) && Object.keys(value).length === 1
  return isOurs ? BigInt(tagged) : value
}
