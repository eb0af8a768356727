import { placeKey, type ProblemLocator, type YamlTree } from './locate-problem.ts'
import type { ConfigProblem, Finding } from './problem.ts'
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

/** Where a path has no place of its own (a missing key), the nearest key above it is shown. */
export function placeProblem(
  sources: readonly [ConfigSource, ...ConfigSource[]],
  { path, at, message }: Finding,
): ConfigProblem {
  for (let length = path.length; length > 0; length--) {
    const key = placeKey(path.slice(0, length))
    for (const { tree, locator } of sources) {
      const place = tree.places.get(key)
      if (place === undefined) continue
      return locator.at({ path, range: length === path.length ? place[at] : place.key, message })
    }
  }
  return sources[0].locator.at({ path, range: [0, 0], message })
}

/** A text with the places of its keys. Of several the first one that has a key is where its value stands. */
type ConfigSource = { readonly tree: YamlTree; readonly locator: ProblemLocator }
