import { z } from 'zod'

const WHOLE = /^-?\d{1,15}$/

/** A whole number, as a JSON number or as text. */
export function whole(least: number, most: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && WHOLE.test(value) ? Number(value) : value),
    z.int().min(least).max(most),
  )
}

const FLAGS = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['true', true],
  [false, false],
  [0, false],
  ['false', false],
])

const asFlag = (value: unknown): unknown => FLAGS.get(value) ?? value

/** True, 1 or "true", or one of their opposites. */
export const statedFlag = z.preprocess(asFlag, z.boolean())
/** The same; null or absent = not stated, which is neither of the two. */
export const flag = z.preprocess(asFlag, z.boolean().nullable()).optional()
