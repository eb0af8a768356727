import type { Ms } from '../base/time.ts'
import type { Fill } from './fill.ts'
import { REMEMBERED_FILLS, type FillMemory } from './fill-memory.ts'

/** Remembers a row that was not known; forgets the one remembered longest when the ring is full. */
export function rememberFill(memory: FillMemory, fill: Fill): void {
  const key = `#${fill.id}`
  if (memory.ring.length < REMEMBERED_FILLS) memory.ring.push(key)
  else {
    forget(memory, memory.ring[memory.next])
    memory.ring[memory.next] = key
    memory.next = (memory.next + 1) % REMEMBERED_FILLS
  }
  memory.known[key] = { at: fill.createdAt, amountIn: fill.amountIn, amountOut: fill.amountOut }
  memory.newestAt = latest(memory.newestAt, fill.createdAt)
}

/**
 * From now on the books are open: an unknown row dated before the newest one seen so far was executed
 * before the opening and is already in it.
 */
export function closeHistory(memory: FillMemory): void {
  if (memory.newestAt !== null) memory.judgedUpTo = latest(memory.judgedUpTo, memory.newestAt - 1)
}

function forget(memory: FillMemory, key: string | undefined): void {
  if (key === undefined) return
  memory.judgedUpTo = latest(memory.judgedUpTo, memory.known[key]?.at ?? null)
  delete memory.known[key]
}

function latest(a: Ms | null, b: Ms | null): Ms | null {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}
