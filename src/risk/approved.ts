const stamp: unique symbol = Symbol('approved by risk')

/** A value that went through risk. Only this room can make one; everyone downstream asks for it by type. */
export type Approved<T> = T & { readonly [stamp]: true }

/**
 * For this room's `approve`, and for the engine where it takes up a snapshot that holds what was approved
 * before: the tidy test refuses any other importer.
 */
export function approved<T extends object>(value: T): Approved<T> {
  return Object.assign(value, { [stamp]: true as const })
}
