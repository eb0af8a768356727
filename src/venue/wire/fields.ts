/** Readers of single values, in all forms that venues use. */

const WHOLE = /^-?\d{1,15}(?:\.0{1,18})?$/

const FLAGS = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['true', true],
  [false, false],
  [0, false],
  ['false', false],
])

/** Returns true, 1, "true" and their opposites as a boolean; any other value unchanged. */
export function asFlag(value: unknown): unknown {
  return FLAGS.get(value) ?? value
}

/** Returns a whole number in text as a number; any other value unchanged. */
export function asWhole(value: unknown): unknown {
  return typeof value === 'string' && WHOLE.test(value) ? Number(value) : value
}
