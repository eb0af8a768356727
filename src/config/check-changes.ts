import { err, ok, type Result } from '../base/result.ts'
import type { Changes } from './with-changes.ts'

/**
 * What may be set while the daemon runs, by whoever has the token: how to quote, never how much may be lost,
 * where money may go, which code runs or whom to talk to. Those stand in a file that only its owner writes. Limits
 * among what may be set only tighten (see loosened.ts).
 */
export const CHANGEABLE = ['strategy.params', 'quote', 'inventory'] as const satisfies readonly string[]

const MAX_CHANGES = 100

/** Changes that may be made as they are, or a sentence that names the first one that may not. */
export function checkChanges(changes: Changes): Result<Changes, string> {
  const entries = Object.entries(changes)
  if (entries.length > MAX_CHANGES) return err(`at most ${MAX_CHANGES} changes at a time`)
  for (const [path, value] of entries) {
    if (!CHANGEABLE.some((root) => path === root || path.startsWith(`${root}.`))) {
      return err(
        `${path} cannot be set here, only ${CHANGEABLE.join(', ')} and what is below; change the file and reload`,
      )
    }
    // No object has a key of this name, and schemas pass over it in silence.
    if (path.split('.').includes('__proto__')) return err(`${path} is the name of no setting`)
    // A strategy may wrap others by name or path: which code runs is the file's to say.
    if (path.split('.').includes('use') || namesCode(value))
      return err(`${path} says which strategy runs; that stands in the file only`)
  }
  return ok(changes)
}

function namesCode(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, below]) => key === 'use' || namesCode(below))
}
