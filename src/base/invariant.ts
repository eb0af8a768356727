/** A broken promise of our own code. Nothing that comes from outside may trip one. */
export class InvariantError extends Error {
  override name = 'InvariantError'
}

/**
 * States what must hold. When it does not, the position's worker dies and its restart is the recovery
 * path: going on with a wrong book is worse than stopping.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}
