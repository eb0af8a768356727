import { SecretReference } from './secret.ts'

type Mapping = Readonly<Record<string, unknown>>

/**
 * The data of one file over the defaults: mappings merge key by key, lists and single values replace, and null in
 * the file replaces what the defaults have. Neither of the two is changed. Keys have no prototype to meet.
 */
export function mergeData(defaults: unknown, own: unknown): unknown {
  if (!isMapping(defaults) || !isMapping(own)) return own
  const merged = Object.create(null) as Record<string, unknown>
  for (const [key, value] of Object.entries(defaults)) merged[key] = value
  for (const [key, value] of Object.entries(own)) {
    merged[key] = Object.hasOwn(defaults, key) ? mergeData(defaults[key], value) : value
  }
  return merged
}

function isMapping(data: unknown): data is Mapping {
  return (
    typeof data === 'object' && data !== null && !Array.isArray(data) && !(data instanceof SecretReference)
  )
}
