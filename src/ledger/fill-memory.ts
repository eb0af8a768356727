import type { Ms } from '../base/time.ts'
import type { Fill } from './fill.ts'

/** How many fills are remembered; the venue's own window is 100. */
export const REMEMBERED_FILLS = 2_000

/**
 * Which fills were seen before. Plain data: a record used as a set, and a ring that says whom to forget.
 * Keys carry a prefix, so that no id of the outside ('__proto__', '17') means anything to the record.
 */
export type FillMemory = {
  known: Record<string, Remembered>
  ring: string[]
  /** Where the next id goes once the ring is full. */
  next: number
  /** A row dated at or before this whose id is not known may be one that was forgotten. */
  judgedUpTo: Ms | null
  newestAt: Ms | null
}

export type Remembered = { readonly at: Ms | null; readonly amountIn: bigint; readonly amountOut: bigint }

/**
 * - `new`: never seen. - `known`: seen, nothing to do. - `changed`: the id was seen with other amounts; one
 * of the two is wrong. - `too-old`: older than what is remembered, cannot be told from a booked one.
 */
export type FillVerdict = 'new' | 'known' | 'changed' | 'too-old'

export function createFillMemory(): FillMemory {
  return { known: {}, ring: [], next: 0, judgedUpTo: null, newestAt: null }
}

/** Whether this row has been seen, without remembering it. */
export function judgeFill(memory: FillMemory, fill: Fill): FillVerdict {
  const seen = memory.known[`#${fill.id}`]
  if (seen !== undefined) {
    return seen.amountIn === fill.amountIn && seen.amountOut === fill.amountOut ? 'known' : 'changed'
  }
  const { judgedUpTo } = memory
  return judgedUpTo !== null && fill.createdAt !== null && fill.createdAt <= judgedUpTo ? 'too-old' : 'new'
}
