/**
 * A copy of plain data (lists, objects, values) that no one can change, for whom it is shown to. Reads each part
 * once. What is no plain data is kept as it is.
 */
export function frozenCopy<T>(data: T): T {
  if (Array.isArray(data)) return Object.freeze(data.map((item: unknown) => frozenCopy(item))) as T
  if (typeof data !== 'object' || data === null || !isPlain(data)) return data
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(data)) {
    // Assigning to '__proto__' would set the prototype.
    Object.defineProperty(copy, key, { value: frozenCopy(value), enumerable: true })
  }
  return Object.freeze(copy) as T
}

/** Freezes an object with all that hangs on it, getters included, and returns it. Costs nothing the second time. */
export function deepFreeze<T>(value: T): T {
  const isHeld = (typeof value === 'object' && value !== null) || typeof value === 'function'
  if (!isHeld || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key of Reflect.ownKeys(value)) {
    const own = Object.getOwnPropertyDescriptor(value, key) as Record<string, unknown> | undefined
    for (const part in own) deepFreeze(own[part])
  }
  return value
}

/** An object that was written as a literal, or without a prototype. */
export function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data)
  return prototype === null || prototype === Object.prototype
}
