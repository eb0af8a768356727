import { describe, expect, test } from 'vitest'
import type { PositionMessage } from '../../../../../src/daemon/runtime/worker/messages.ts'
import type { PositionOutputs } from '../../../../../src/daemon/runtime/worker/answer-calls.ts'
import type { LaunchedPosition } from '../../../../../src/daemon/runtime/worker/launch-position.ts'
import { createPositionSlots } from '../../../../../src/daemon/runtime/worker/position-slots.ts'

type Started = { readonly outputs: PositionOutputs; downs: number }

/** A worker whose positions are names: 'held' is another daemon's, 'refused' cannot start, 'broken' throws at its start, 'silly' when it is asked. */
function worker() {
  const sent: [slot: number, message: PositionMessage][] = []
  const started = new Map<string, Started>()
  let [atATime, most, readings, showing, mostShowing] = [0, 0, 0, 0, 0]
  const positions = createPositionSlots({
    servicesOf: () => ({}) as never,
    threadMetrics: () => Promise.resolve([{ name: 'of_the_thread', head: '', series: 'of_the_thread 1\n' }]),
    send: (slot, message) => void sent.push([slot, message]),
    async startPosition({ configFile: name }, _thread, outputs) {
      atATime += 1
      most = Math.max(most, atATime)
      await new Promise((resolve) => setImmediate(resolve))
      atATime -= 1
      if (name === 'broken') throw new Error('its store is odd')
      if (name === 'held') {
        const ended = new Promise((resolve) => outputs.ended.addEventListener('abort', resolve))
        outputs.standsBy('it is held by process 7', (cause, accepted) =>
          Promise.resolve({ accepted: true, answer: `${cause}: ${accepted?.file ?? 'its files'}` }),
        )
        await ended
        return null
      }
      if (name === 'granted') {
        outputs.standsBy('it is held by process 7', () => Promise.reject(new Error('it stands by no more')))
        outputs.takesOver()
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (name === 'refused') {
        outputs.fatal(4, 'the key')
        return null
      }
      const own: Started = { outputs, downs: 0 }
      started.set(name, own)
      return {
        async answer(call: { readonly method: string }) {
          if (name === 'silly') throw new Error('no answer')
          if (call.method !== 'metrics') return `${name}: ${call.method}`
          readings += 1
          showing += 1
          mostShowing = Math.max(mostShowing, showing)
          await new Promise((resolve) => setImmediate(resolve))
          showing -= 1
          return [{ name: 'of_all', head: '', series: `of_all{position="${name}"} 1\n` }]
        },
        summary: () => ({ name }) as ReturnType<LaunchedPosition['summary']>,
        tearDown() {
          own.downs += 1
          return Promise.resolve()
        },
      }
    },
  })
  const start = (slot: number, configFile: string) => positions.start(slot, { configFile, suspension: null })
  return {
    positions,
    start,
    sent,
    started,
    most: () => most,
    readings: () => readings,
    mostShowing: () => mostShowing,
  }
}

/** Resolves once a position that was asked to start stands by or runs. */
async function begun(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const VIEW = { method: 'view' } as const

describe('the positions of one worker', () => {
  test('start in order, a few at a time, and each answers for itself', async () => {
    const { positions, start, sent, most } = worker()
    for (let slot = 1; slot <= 30; slot++) start(slot, `p${slot}`)
    expect(await positions.answer({ slot: 30, call: VIEW })).toBe('p30: view')
    expect(sent.map(([slot]) => slot)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    expect(most()).toBe(8)
    expect(await positions.answer({ slot: 31, call: VIEW })).toBeNull()
    expect(await positions.answer({ slot: null, call: { method: 'summaries' } })).toHaveLength(30)
  })

  test('that stand by hold up no start of others, answer nothing, and end when they are asked to', async () => {
    const { positions, start, sent } = worker()
    for (let slot = 1; slot <= 12; slot++) start(slot, 'held')
    start(13, 'p13')
    expect(await positions.answer({ slot: 13, call: VIEW })).toBe('p13: view')
    expect(sent.filter(([, { type }]) => type === 'standby')).toHaveLength(12)
    expect(sent).toContainEqual([5, { type: 'standby', held: 'it is held by process 7' }])
    expect(await positions.answer({ slot: 5, call: VIEW })).toBeNull()
    expect(await positions.answer({ slot: 5, call: { method: 'shutdown', withinMs: 100 } })).toBeNull()
    positions.drop(6)
    await new Promise((resolve) => setImmediate(resolve))
    start(6, 'p6')
    expect(await positions.answer({ slot: 6, call: VIEW })).toBe('p6: view')
    expect(sent.filter(([, { type }]) => type === 'fatal' || type === 'crashed')).toEqual([])
  })

  test('that stand by read their files again when they are asked to, and take nothing that a person sets', async () => {
    const { positions, start } = worker()
    start(1, 'held')
    await begun()
    const reload = (more: object) => positions.answer({ slot: 1, call: { method: 'reload', ...more } })
    expect(await reload({})).toEqual({ accepted: true, answer: 'asked to: its files' })
    const accepted = { file: 'name: desk', defaults: null }
    expect(await reload({ accepted })).toEqual({ accepted: true, answer: 'asked to: name: desk' })
    const request = { who: 'ann', why: 'odd', changes: {}, fromFile: false }
    expect(await reload({ request })).toBeNull()
  })

  test('that were granted their position answer a reload once they run', async () => {
    const { positions, start } = worker()
    start(1, 'granted')
    await begun()
    expect(await positions.answer({ slot: 1, call: { method: 'reload' } })).toBe('granted: reload')
  })

  test('show their metrics beside those of the worker, read once for all who ask meanwhile', async () => {
    const { positions, start, readings } = worker()
    for (let slot = 1; slot <= 3; slot++) start(slot, `p${slot}`)
    await positions.answer({ slot: 3, call: VIEW })
    const ask = () => positions.answer({ slot: null, call: { method: 'metrics' } })
    const [first, second] = await Promise.all([ask(), ask()])
    expect(first).toEqual([
      { name: 'of_all', head: '', series: [1, 2, 3].map((n) => `of_all{position="p${n}"} 1\n`).join('') },
      { name: 'of_the_thread', head: '', series: 'of_the_thread 1\n' },
    ])
    expect(second).toBe(first)
    expect(readings()).toBe(3)
    await ask()
    expect(readings()).toBe(6)
  })

  test('show their metrics sixteen at a time, and one that throws is missing alone', async () => {
    const { positions, start, mostShowing } = worker()
    const names = Array.from({ length: 40 }, (_, index) => (index === 20 ? 'silly' : `p${index}`))
    for (const [index, name] of names.entries()) start(index, name)
    await positions.answer({ slot: 39, call: VIEW })
    const families = await positions.answer({ slot: null, call: { method: 'metrics' } })
    const { series } = (families as unknown as readonly [{ readonly series: string }])[0]
    const shown = Array.from(series.matchAll(/position="(\w+)"/g), ([, name]) => name)
    expect(shown).toEqual(names.filter((name) => name !== 'silly'))
    expect(mostShowing()).toBe(16)
  })

  test('one that breaks at its start, or is refused, is reported alone', async () => {
    const { positions, start, sent } = worker()
    for (const [index, name] of ['good', 'broken', 'refused', 'late'].entries()) start(index, name)
    expect(await positions.answer({ slot: 3, call: VIEW })).toBe('late: view')
    expect(await positions.answer({ slot: 1, call: VIEW })).toBeNull()
    expect(sent).toEqual([
      [0, { type: 'running' }],
      [1, { type: 'crashed', text: expect.stringContaining('store is odd') as string }],
      [2, { type: 'fatal', exitCode: 4, message: 'the key' }],
      [3, { type: 'running' }],
    ])
  })

  test('one that crashes is taken down once and reported once, and can be started again in its slot', async () => {
    const { positions, start, sent, started } = worker()
    start(1, 'a')
    start(2, 'b')
    await positions.answer({ slot: 2, call: VIEW })
    const before = started.get('a')
    before?.outputs.crashed(new Error('an invariant'))
    before?.outputs.crashed(new Error('and once more'))
    positions.drop(1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(before?.downs).toBe(1)
    expect(sent.slice(2)).toEqual([
      [1, { type: 'crashed', text: expect.stringContaining('an invariant') as string }],
    ])
    expect(await positions.answer({ slot: null, call: { method: 'summaries' } })).toEqual([{ name: 'b' }])
    start(1, 'a')
    expect(await positions.answer({ slot: 1, call: VIEW })).toBe('a: view')
  })

  test('one that cannot answer is taken down, the caller gets null, and the others are asked on', async () => {
    const { positions, start, sent, started } = worker()
    start(1, 'silly')
    start(2, 'b')
    expect(await positions.answer({ slot: 1, call: VIEW })).toBeNull()
    expect(await positions.answer({ slot: 2, call: VIEW })).toBe('b: view')
    expect(started.get('silly')?.downs).toBe(1)
    expect(sent.some(([slot, { type }]) => slot === 1 && type === 'crashed')).toBe(true)
  })

  test('one that is dropped before or while it starts never trades, and nothing more is reported of it', async () => {
    const { positions, start, sent, started } = worker()
    start(1, 'a')
    start(2, 'b')
    positions.drop(1)
    expect(await positions.answer({ slot: 2, call: VIEW })).toBe('b: view')
    await new Promise((resolve) => setImmediate(resolve))
    expect(started.get('a')?.downs ?? 0).toBe(started.has('a') ? 1 : 0)
    expect(sent.filter(([slot]) => slot === 1).every(([, { type }]) => type === 'running')).toBe(true)
    expect(await positions.answer({ slot: 1, call: VIEW })).toBeNull()
  })

  test('one that does not leave in order is taken down all the same', async () => {
    const { positions, start, started } = worker()
    start(1, 'silly')
    expect(await positions.answer({ slot: 1, call: { method: 'shutdown', withinMs: 5 } })).toBeNull()
    expect(started.get('silly')?.downs).toBe(1)
  })
})
