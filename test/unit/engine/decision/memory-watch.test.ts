import { describe, expect, it } from 'vitest'
import { MemoryWatch } from '../../../../src/engine/decision/memory-watch.ts'

/** Whether a memory counts as changed when `change` is done to it while the strategy is asked. */
function changes<Own>(own: Own, change: (own: Own) => void): boolean {
  const watch = new MemoryWatch()
  const memory = { own, inner: {} }
  watch.begin(memory)
  change(own)
  return watch.hasChanged(memory)
}

describe('whether a strategy changed its memory', () => {
  it('a value that is written and not changed is none', () => {
    expect(changes({ count: 1 }, (own) => (own.count = 1))).toBe(false)
    expect(changes({ count: 1 }, (own) => (own.count = 2))).toBe(true)
    expect(changes({ zero: 0 }, (own) => (own.zero = -0))).toBe(true)
  })

  it('compares the next question with what the one before it left', () => {
    const watch = new MemoryWatch()
    const memory = { own: { count: 0 }, inner: {} }
    const ask = (count: number) => {
      watch.begin(memory)
      memory.own.count = count
      return watch.hasChanged(memory)
    }
    expect([ask(1), ask(1), ask(2), ask(2), ask(2), ask(1)]).toEqual([true, false, true, false, false, true])
  })

  it('a memory that is another object is compared with itself, not with the one before it', () => {
    const watch = new MemoryWatch()
    const [first, second] = [
      { own: { count: 1 }, inner: {} },
      { own: { count: 2 }, inner: {} },
    ]
    watch.begin(first)
    watch.hasChanged(first)
    watch.begin(second)
    expect(watch.hasChanged(second)).toBe(false)
  })

  it('runs no getter, and counts one as changed', () => {
    let ran = 0
    const own = Object.defineProperty({}, 'next', { enumerable: true, get: () => (ran += 1) })
    expect(changes(own, () => undefined)).toBe(true)
    expect(ran).toBe(0)
  })

  it('a proxy that throws, inherited values and a long list count as changed', () => {
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('looked at')
        },
      },
    )
    expect(changes(trap, () => undefined)).toBe(true)
    expect(changes(Object.create({ count: 1 }), () => undefined)).toBe(true)
    expect(
      changes(
        Array.from({ length: 1_000 }, () => 0),
        () => undefined,
      ),
    ).toBe(true)
  })
})
