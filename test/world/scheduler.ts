import type { Ms } from '../../src/base/time.ts'

/** What is going to happen, by time; equal times keep the order they were added in. */
export type Scheduler = {
  /** Infinity when nothing is. */
  readonly nextAt: () => Ms
  readonly add: (at: Ms, run: () => void) => void
  /** Takes the first off and runs it. */
  readonly runNext: () => void
}

type Item = { readonly at: Ms; readonly order: number; readonly run: () => void }

/** A binary heap. */
export function createScheduler(): Scheduler {
  const heap: Item[] = []
  let order = 0
  const before = (a: Item, b: Item) => a.at < b.at || (a.at === b.at && a.order < b.order)

  function rise(item: Item): void {
    let index = heap.length
    heap.push(item)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent] as Item
      if (!before(item, above)) break
      heap[index] = above
      index = parent
    }
    heap[index] = item
  }

  function sink(item: Item): void {
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1] as Item, heap[child] as Item)) child += 1
      if (!before(heap[child] as Item, item)) break
      heap[index] = heap[child] as Item
      index = child
    }
    heap[index] = item
  }

  return {
    nextAt: () => heap[0]?.at ?? Infinity,
    add(at, run) {
      order += 1
      rise({ at, order, run })
    },
    runNext() {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined) return
      if (heap.length > 0) sink(last)
      first.run()
    },
  }
}
