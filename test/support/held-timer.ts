import { onTestFinished } from 'vitest'

/**
 * Holds back, until the test ends, every timer of exactly this delay; the returned function runs those that are due. A
 * deadline passes when the test fires it, after whatever has to happen first, and no other timer of the process changes.
 */
export function holdTimers(delayMs: number): () => void {
  const real = globalThis.setTimeout
  const held = new Map<object, () => void>()
  const clear = globalThis.clearTimeout
  const hold = (work: () => void, ms?: number, ...rest: unknown[]) => {
    if (ms !== delayMs) return real<unknown[]>(work, ms, ...rest)
    const timer = real(() => undefined, 0)
    held.set(timer, work)
    return timer
  }
  globalThis.setTimeout = Object.assign(hold, real)
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === 'object' && timer !== null) held.delete(timer)
    clear(timer)
  }
  onTestFinished(() => {
    globalThis.setTimeout = real
    globalThis.clearTimeout = clear
  })
  return () => {
    const due = [...held.values()]
    held.clear()
    for (const work of due) work()
  }
}
