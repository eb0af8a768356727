/** An expected failure is a value: the caller has to look before it can use what came back. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}

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

/** The message of whatever was thrown. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The code of an error of the system, such as ENOENT; `unknown` where it has none. */
export function errorCode(thrown: unknown): string {
  return (thrown as { readonly code?: string }).code ?? 'unknown'
}
