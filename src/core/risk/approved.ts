const stamp: unique symbol = Symbol('approved by risk')

/** A value that risk has approved. Only this room creates one; senders require it by type. */
export type Approved<T> = T & { readonly [stamp]: true }

/**
 * For this room's `approve`, and for the engine when it restores a snapshot with the target that was approved
 * before it. The tidy test rejects any other importer.
 */
export function approved<T extends object>(value: T): Approved<T> {
  const stamped = value as T & { [stamp]: true }
  stamped[stamp] = true
  return stamped
}
