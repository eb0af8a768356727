/** New values by dotted path: `strategy.params.halfSpreadBps`. */
export type Changes = Readonly<Record<string, unknown>>

type Tree = Readonly<Record<string, unknown>>

/** The data with the changes made; what was given is not touched. Missing branches are made. */
export function withChanges(data: unknown, changes: Changes): unknown {
  let changed = data
  for (const [path, value] of Object.entries(changes)) changed = withValue(changed, path.split('.'), value)
  return changed
}

function withValue(data: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const branch: Tree = isTree(data) ? data : {}
  const before = Object.hasOwn(branch, key) ? branch[key] : undefined
  return Object.fromEntries([
    ...Object.entries(branch).filter(([name]) => name !== key),
    [key, withValue(before, rest, value)],
  ])
}

function isTree(data: unknown): data is Tree {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}
