/** How single values of an answer are read, in each form in which venues state them. */

const WHOLE = /^-?\d{1,15}(?:\.0{1,18})?$/

const FLAGS = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['true', true],
  [false, false],
  [0, false],
  ['false', false],
])

/** True, 1 or "true", or one of their opposites, as a boolean; anything else as it is. */
export function asFlag(value: unknown): unknown {
  return FLAGS.get(value) ?? value
}

/** A whole number that is written as text, as a number; anything else as it is. */
export function asWhole(value: unknown): unknown {
  return typeof value === 'string' && WHOLE.test(value) ? Number(value) : value
}
