import { err, ok, type Result } from '../../../base/result.ts'

/** New values by dotted path: `strategy.params.halfSpreadBps`. */
export type Changes = Readonly<Record<string, unknown>>

type Tree = Readonly<Record<string, unknown>>

/** Returns a copy of the data with the changes applied. Creates missing branches. */
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

/** Merges later changes over earlier ones: setting a branch drops earlier changes below it. */
export function mergeChanges(earlier: Changes, later: Changes): Changes {
  const paths = Object.keys(later)
  const kept = Object.entries(earlier).filter(
    ([path]) => !paths.some((set) => path === set || path.startsWith(`${set}.`)),
  )
  return { ...Object.fromEntries(kept), ...later }
}

/**
 * The settings that anyone with the token may change while the daemon runs: how to quote, but never the loss limits,
 * payment destinations, code or connections, which only the file's owner can set. Limits can only be tightened this way
 * (see loosened.ts).
 */
export const CHANGEABLE = ['strategy.params', 'quote', 'inventory'] as const satisfies readonly string[]

const MAX_CHANGES = 100

/** Returns the changes if all are allowed; the error is a sentence about the first one that is not. */
export function checkChanges(changes: Changes): Result<Changes, string> {
  const entries = Object.entries(changes)
  if (entries.length > MAX_CHANGES) return err(`at most ${MAX_CHANGES} changes at a time`)
  for (const [path, value] of entries) {
    if (!CHANGEABLE.some((root) => path === root || path.startsWith(`${root}.`))) {
      return err(
        `${path} cannot be set here, only ${CHANGEABLE.join(', ')} and the keys below them; change the file and reload`,
      )
    }
    if (namesNoSetting(path, value)) return err(`${path} is the name of no setting`)
    // A strategy may wrap others by name or path, but only the file decides which code runs.
    if (path.split('.').includes('use') || namesCode(value))
      return err(`${path} selects the strategy, which can only be set in the file`)
  }
  return ok(changes)
}

/**
 * Returns whether a change names a property of every object: no setting has such a name, and schemas ignore `__proto__` and cannot take
 * the others once a strategy has locked this thread down.
 */
export function namesNoSetting(path: string, value: unknown): boolean {
  if (path.split('.').some((step) => step in Object.prototype)) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, below]) => namesNoSetting(key, below))
}

function namesCode(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, below]) => key === 'use' || namesCode(below))
}
