/**
 * Encodes JSON with bigint: `5n` becomes `{"$n":"5"}`. Raw venue answers stay strings, so that a foreign object cannot
 * pass as one of ours.
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, replace)
}

/** Decodes the output of `encodeJson`. Throws SyntaxError if the text is not JSON. */
export function decodeJson(text: string): unknown {
  return JSON.parse(text, revive)
}

function replace(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $n: value.toString() } : value
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const tagged = (value as { $n?: unknown }).$n
  // A foreign `$n`, such as a strategy's parameter, is left unchanged.
  const isOurs = typeof tagged === 'string' && /^-?\d+$/.test(tagged) && Object.keys(value).length === 1
  return isOurs ? BigInt(tagged) : value
}
