/** Returns a frozen copy of plain data. Reads each property once; other objects are not copied. */
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

/** Freezes an object deeply, including getters, and returns it. A second call costs nothing. */
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

/** Returns whether an object is an object literal or has no prototype. */
export function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data)
  return prototype === null || prototype === Object.prototype
}
