import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWorkerPool, type WorkerPool } from '../../../../../src/daemon/runtime/host/worker-pool.ts'
import { supervisePosition, type Supervisor } from '../../../../../src/daemon/runtime/host/supervisor.ts'
import type {
  WorkerEnd,
  WorkerThread,
  WorkerThreadParts,
} from '../../../../../src/daemon/runtime/host/worker-thread.ts'
import type {
  PositionInit,
  ThreadAnswers,
  ThreadCall,
} from '../../../../../src/daemon/runtime/worker/messages.ts'

type FakeThread = {
  readonly parts: WorkerThreadParts
  readonly carried: Map<number, PositionInit>
  isOver: boolean
}

/** Threads without threads: who is in which, and what ends them. */
function fakeThreads() {
  const threads: FakeThread[] = []
  /** How long its metrics take; they are answered where the limit allows it. */
  let metricsTake: (thread: FakeThread) => number = () => 0
  let onStart: (thread: FakeThread, slot: number, init: PositionInit) => void = () => undefined
  const startThread = (parts: WorkerThreadParts): WorkerThread => {
    const thread: FakeThread = { parts, carried: new Map(), isOver: false }
    threads.push(thread)
    return {
      start(slot, init) {
        thread.carried.set(slot, init)
        onStart(thread, slot, init)
      },
      drop: (slot) => void thread.carried.delete(slot),
      ask: () => Promise.resolve(null),
      askAll: <Method extends ThreadCall['method']>(_: Method, withinMs: number) => {
        const isLate = metricsTake(thread) > withinMs
        const families = Array.from(thread.carried.values(), ({ configFile: name }) => ({
          name,
          head: '',
          series: '',
        }))
        return Promise.resolve(isLate ? null : (families as unknown as ThreadAnswers[Method]))
      },
      end() {
        thread.isOver = true
        return Promise.resolve()
      },
    }
  }
  const alive = () => threads.filter(({ isOver }) => !isOver)
  return {
    workers: (shared: number) =>
      createWorkerPool({ version: 'test', onFault: () => undefined, shared, startThread }),
    alive,
    first() {
      const [thread] = alive()
      if (thread === undefined) throw new Error('no thread is alive')
      return thread
    },
    takeForMetrics: (time: typeof metricsTake) => void (metricsTake = time),
    onStart: (listener: typeof onStart) => void (onStart = listener),
    end(thread: FakeThread, end: WorkerEnd) {
      thread.isOver = true
      thread.parts.onEnd(end)
    },
    threadOf: (name: string) =>
      alive().find(({ carried }) => [...carried.values()].some(({ configFile }) => configFile === name)),
    initOf: (name: string) =>
      alive()
        .flatMap(({ carried }) => [...carried.values()])
        .find(({ configFile }) => configFile === name),
    slotOf: (name: string) =>
      [
        ...(alive()
          .flatMap(({ carried }) => [...carried])
          .find(([, init]) => init.configFile === name) ?? []),
      ][0] as number,
  }
}

function supervised(
  workers: WorkerPool,
  name: string,
  options: { isolate?: boolean; fatal?: string[]; safe?: string[] } = {},
): Supervisor {
  return supervisePosition(
    {
      name,
      isolate: options.isolate ?? false,
      withChain: false,
      init: () => ({ configFile: name }),
      onLog: () => undefined,
      makeSafe: () => Promise.resolve(`safe ${options.safe?.push(name)}`),
      onFatal: (_, message) => void options.fatal?.push(`${name}: ${message}`),
    },
    workers,
  )
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `p${index}`)
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('positions are spread over workers', () => {
  test('evenly, with one of its own for each that is isolated, and the last that leaves a worker ends it', async () => {
    const fake = fakeThreads()
    const workers = fake.workers(3)
    const all = names(10).map((name) => supervised(workers, name, { isolate: name === 'p4' }))
    expect(fake.alive().map(({ carried }) => carried.size)).toEqual([3, 3, 3, 1])
    expect(fake.threadOf('p4')?.carried.size).toBe(1)
    await all[4]?.shutdown(10)
    expect(fake.alive()).toHaveLength(3)
    await all[0]?.shutdown(10)
    expect(fake.alive().map(({ carried }) => carried.size)).toEqual([2, 3, 3])
    supervised(workers, 'late')
    expect(fake.threadOf('late')).toBe(fake.alive()[0])
  })

  test('a hang suspends the one in the event, apart from the others, which start again at once and in order', () => {
    const fake = fakeThreads()
    const workers = fake.workers(1)
    for (const name of names(5)) supervised(workers, name)
    fake.end(fake.first(), { how: 'hung', inside: { slot: fake.slotOf('p2'), seq: 77 } })
    const next = fake.threadOf('p0')
    expect([...(next?.carried.values() ?? [])].map(({ configFile }) => configFile)).toEqual([
      'p0',
      'p1',
      'p3',
      'p4',
    ])
    expect([...(next?.carried.values() ?? [])].every(({ suspension }) => suspension === null)).toBe(true)
    vi.advanceTimersByTime(300)
    expect(fake.initOf('p2')?.suspension).toEqual({
      seq: 77,
      reason: 'the strategy did not answer within 1000 ms',
    })
    expect(fake.threadOf('p2')).not.toBe(next)
    // Newcomers do not sit down beside a suspect.
    supervised(workers, 'late')
    expect(fake.threadOf('late')).toBe(next)
  })

  test('one that crashes in its worker is started again there and the others are not touched; after eight times it has ended', () => {
    const fake = fakeThreads()
    const fatal: string[] = []
    const workers = fake.workers(1)
    for (const name of names(3)) supervised(workers, name, { fatal })
    const [thread] = fake.alive()
    const starts = vi.fn<(slot: number) => void>()
    fake.onStart((_, slot) => starts(slot))
    for (let i = 1; i <= 9; i++) {
      thread?.parts.onMessage(2, { type: 'crashed', text: 'an invariant' })
      vi.advanceTimersByTime(30_000)
    }
    expect(starts.mock.calls).toEqual(Array.from({ length: 8 }, () => [2]))
    expect(fatal).toEqual(['p1: crashed repeatedly within ten minutes; the log shows why'])
    expect([...(thread?.carried.keys() ?? [])]).toEqual([1, 3])
  })

  test('a position that is being left is not started again when its worker dies', async () => {
    const fake = fakeThreads()
    const workers = fake.workers(1)
    const [one] = names(3).map((name) => supervised(workers, name))
    const leaving = one?.shutdown(5_000)
    fake.end(fake.first(), { how: 'hung', inside: { slot: 3, seq: 5 } })
    expect(fake.initOf('p0')).toBeUndefined()
    expect(await leaving).toMatch(/did not answer/)
  })

  test('whichever of them it is, whatever is known of it: the one that ends every worker is found and suspended, and it alone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('named', 'nameless', 'innocent named'),
        (count, pick, shared, known) => {
          const fake = fakeThreads()
          const fatal: string[] = []
          const workers = fake.workers(shared)
          const all = names(count)
          for (const name of all) supervised(workers, name, { fatal })
          const culprit = all[pick % count] ?? ''
          for (let deaths = 0; fake.initOf(culprit)?.suspension == null; deaths++) {
            expect(deaths).toBeLessThan(20)
            const thread = fake.threadOf(culprit)
            if (thread === undefined) throw new Error('it waits longer than it may')
            const [slot = 0] = [...thread.carried.keys()]
            const seq = 1_000 + deaths
            const named = { named: fake.slotOf(culprit), 'innocent named': slot, nameless: null }[known]
            const inside = named === null || named === undefined ? null : { slot: named, seq }
            fake.end(thread, { how: 'died', why: 'out of memory', inside })
            vi.advanceTimersByTime(40_000)
          }
          const carried = fake.alive().flatMap((thread) => [...thread.carried.values()])
          expect(carried.map(({ configFile }) => configFile).sort()).toEqual([...all].sort())
          expect(
            carried.filter(({ suspension }) => suspension !== null).map(({ configFile }) => configFile),
          ).toEqual([culprit])
          expect(fake.threadOf(culprit)?.carried.size).toBe(1)
          expect(fatal).toEqual([])
        },
      ),
      { numRuns: 150 },
    )
  })

  test('when every worker dies whatever it carries, dividing ends and the positions end by their own budgets', () => {
    const fake = fakeThreads()
    const fatal: string[] = []
    const workers = fake.workers(2)
    for (const name of names(200)) supervised(workers, name, { fatal })
    let most = 0
    for (let round = 0; round < 60 && fatal.length < 200; round++) {
      for (const thread of fake.alive()) fake.end(thread, { how: 'died', why: 'no memory', inside: null })
      vi.advanceTimersByTime(40_000)
      most = Math.max(most, fake.alive().length)
    }
    expect(fatal).toHaveLength(200)
    expect(most).toBeLessThan(40)
  })
})

describe('the metrics of positions', () => {
  const read = (workers: WorkerPool) =>
    Promise.all(workers.metrics().map(async (source) => (await source.read(800))?.length ?? null))

  test('of a worker that starts are waited for longer than later ones, and one slow worker takes none away from another', async () => {
    const fake = fakeThreads()
    const workers = fake.workers(2)
    for (const name of names(5)) supervised(workers, name)
    const [slow] = fake.alive()
    fake.takeForMetrics((thread) => (thread === slow ? 4_900 : 700))
    expect(await read(workers)).toEqual([3, 2])
    // It has answered once: from now on it is either quick or left out.
    expect(await read(workers)).toEqual([null, 2])
    expect(workers.metrics().map(({ positions }) => positions)).toEqual([3, 2])
    fake.takeForMetrics((thread) => (thread === slow ? 10_000 : 700))
    expect(await read(workers)).toEqual([null, 2])
  })

  test('are waited for longer again after a worker was replaced, and until one of its positions runs', async () => {
    const fake = fakeThreads()
    const workers = fake.workers(1)
    for (const name of names(3)) supervised(workers, name)
    expect(await read(workers)).toEqual([3])
    fake.end(fake.first(), { how: 'hung', inside: { slot: fake.slotOf('p2'), seq: 7 } })
    const [next] = fake.alive()
    const carried = [...(next?.carried ?? [])]
    next?.carried.clear()
    // The culprit waits for its restart in a worker of its own.
    expect(await read(workers)).toEqual([0, 0])
    for (const [slot, init] of carried) next?.carried.set(slot, init)
    fake.takeForMetrics(() => 3_000)
    expect(await read(workers)).toEqual([2, 0])
    expect(await read(workers)).toEqual([null, 0])
  })
})

test('the positions of a thread that cannot be ended get the safe quote from outside and end, those of another thread go on', async () => {
  const fake = fakeThreads()
  const workers = fake.workers(1)
  const [fatal, safe]: [string[], string[]] = [[], []]
  const all = names(3).map((name) => supervised(workers, name, { isolate: name === 'p2', fatal, safe }))
  fake.end(fake.first(), { how: 'stuck', inside: { seq: 7, slot: fake.slotOf('p0') } })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(safe).toEqual(['p0', 'p1'])
  expect(fatal.map((one) => one.slice(0, 2))).toEqual(['p0', 'p1'])
  expect(all.map(({ health }) => health().alive)).toEqual([false, false, true])
  expect(fake.alive()).toHaveLength(1)
})
