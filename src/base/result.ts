/** An expected failure is a value, so the caller must check before using the result. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}

/** A bug in our own code. Outside input must not cause one. */
export class InvariantError extends Error {
  override name = 'InvariantError'
}

/**
 * Throws InvariantError unless the condition holds. The position's worker then exits and restarts: stopping is safer
 * than continuing with a wrong book.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Returns the message of a thrown value. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Returns the stack of a thrown error, or the text of another value. */
export function stackText(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}

/** Returns the code of a system error, such as ENOENT; `unknown` without one. */
export function errorCode(thrown: unknown): string {
  return (thrown as { readonly code?: string }).code ?? 'unknown'
}
