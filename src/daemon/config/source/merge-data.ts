import { placeKey, type ProblemLocator, type YamlTree } from './locate-problem.ts'
import type { ConfigProblem, Finding } from './problem.ts'
import { SecretReference } from './secret.ts'

type Mapping = Readonly<Record<string, unknown>>

/**
 * Merges a file's data over the defaults: mappings merge key by key, lists and single values replace, and null in the
 * file replaces the default. Changes neither input. Results have no prototype keys.
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

/** Shows the nearest key above if the path has no position (a missing key). */
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

/** A text with the positions of its keys. A value belongs to the first source that has its key. */
type ConfigSource = { readonly tree: YamlTree; readonly locator: ProblemLocator }
