/** Names under which a secret could travel, however they are spelled: apiKey, X-Api-Key, MM_API_KEY ... */
const SECRET_NAME =
  /^(.*api-?_?key|(proxy-)?authorization|(.*_)?token|password|passphrase|.*secret|.*private-?_?key|(set-)?cookie|mnemonic)$/i
const DEEPEST = 8

/**
 * A copy that can be logged: values under a secret's name replaced at any depth, bigint as text. Errors and
 * other class instances pass unchanged: they know best how they are written.
 */
export function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return copyRecord(fields, 0)
}

function copyRecord(fields: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    copy[name] = SECRET_NAME.test(name) && value !== null ? '[redacted]' : copyValue(value, depth + 1)
  }
  return copy
}

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null ? copyRecord(value, depth) : value
}
