import { describe, expect, test, onTestFinished } from 'vitest'
import {
  createJournalThread,
  openStore,
  type JournalThread,
} from '../../../../src/store/journal/open-store.ts'
import type { StoreFailure } from '../../../../src/store/failure.ts'
import { appendTicks, durable, errorOf, freshFolder, tableRows, tick, valueOf } from '../store-fixture.ts'

function journalThread(): JournalThread {
  const thread = createJournalThread()
  onTestFinished(async () => void (await thread.close()))
  return thread
}

describe('one thread that writes many stores', () => {
  test('every store has its own numbers and its own file, and one that closes leaves the others open', async () => {
    const thread = journalThread()
    const folders = Array.from({ length: 8 }, freshFolder)
    const stores = (await Promise.all(folders.map((folder) => openStore(folder, { thread })))).map(valueOf)
    for (const [index, store] of stores.entries()) appendTicks(store, 1, 10 + index)
    await Promise.all(stores.map((store, index) => durable(store, 10 + index)))
    await stores[0]?.close()
    const [, second] = stores
    if (second === undefined) throw new Error('there are eight')
    second.append(12, tick(12))
    await durable(second, 12)
    await Promise.all(stores.map((store) => store.close()))
    expect(folders.map((folder) => tableRows(folder, 'journal').length)).toEqual([
      10,
      12,
      ...Array.from({ length: 6 }, (_, index) => 12 + index),
    ])
  })

  test('a store that is held is refused, and the thread continues with the others', async () => {
    const thread = journalThread()
    const [held, free] = [freshFolder(), freshFolder()]
    const first = valueOf(await openStore(held, { thread }))
    expect(errorOf(await openStore(held, { thread })).kind).toBe('locked')
    const other = valueOf(await openStore(free, { thread }))
    appendTicks(other, 1, 3)
    appendTicks(first, 1, 2)
    await Promise.all([durable(other, 3), durable(first, 2)])
    await first.close()
    const again = valueOf(await openStore(held, { thread }))
    expect(again.durableSeq()).toBe(2)
    await Promise.all([again.close(), other.close()])
  })

  test('a full disk stops the one store on it; the others are written on', async () => {
    const thread = journalThread()
    const full = valueOf(await openStore(freshFolder(), { thread, maxBytes: 200_000 }))
    const good = valueOf(await openStore(freshFolder(), { thread }))
    const failures: StoreFailure[] = []
    full.onFailure((failure) => failures.push(failure))
    let seq = 0
    while (failures.length === 0) {
      // A backlog that grows without end is another failure.
      if (full.backlog() < 1_000)
        for (let i = 0; i < 50; i++) full.append(++seq, { ...tick(seq), type: 'tick' })
      good.append(good.durableSeq() + good.backlog() + 1, tick(1))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(failures).toMatchObject([{ kind: 'disk-full' }])
    const next = good.durableSeq() + good.backlog() + 1
    good.append(next, tick(2))
    await durable(good, next)
    await Promise.all([full.close(), good.close()])
  })

  test('a store that is written to without a pause does not keep another one waiting', async () => {
    const thread = journalThread()
    const busy = valueOf(await openStore(freshFolder(), { thread }))
    const quiet = valueOf(await openStore(freshFolder(), { thread }))
    let seq = 0
    let transactions = 0
    let isOver: boolean = false
    busy.onDurable(() => (transactions += 1))
    function flood(): void {
      if (isOver) return
      for (let i = 0; i < 200 && busy.backlog() < 3_000; i++) busy.append(++seq, tick(seq))
      setImmediate(flood)
    }
    flood()
    const waited: number[] = []
    for (let n = 1; n <= 20; n++) {
      const before = transactions
      quiet.append(n, tick(n))
      await durable(quiet, n)
      waited.push(transactions - before)
    }
    isOver = true
    // In turns: one transaction of the other store each, and some that were under way when this thread looked.
    expect(Math.max(...waited)).toBeLessThan(20)
    expect(transactions).toBeGreaterThan(0)
    await Promise.all([busy.close(), quiet.close()])
  })

  test('the death of the thread is a failure of every store, and the next store gets another thread', async () => {
    const thread = journalThread()
    const folders = [freshFolder(), freshFolder()]
    const stores = (await Promise.all(folders.map((folder) => openStore(folder, { thread })))).map(valueOf)
    const failed = stores.map((store) => new Promise<StoreFailure>((resolve) => store.onFailure(resolve)))
    await thread.close()
    for (const failure of await Promise.all(failed)) expect(failure.message).toContain('ended by itself')
    await Promise.all(stores.map((store) => store.close()))
    const again = valueOf(await openStore(folders[0] ?? '', { thread }))
    appendTicks(again, 1, 2)
    await durable(again, 2)
    await again.close()
  })
})
