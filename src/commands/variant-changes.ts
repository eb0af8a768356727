import type { Changes } from '../sweep/variant.ts'

const USE = 'strategy.use'

/**
 * The changes of a variant as a configuration takes them. A variant that names its strategy begins with that
 * strategy's own defaults: the parameters in the file are those of another one.
 */
export function variantChanges(changes: Changes): Changes {
  return Object.hasOwn(changes, USE) ? { 'strategy.params': {}, ...changes } : changes
}
