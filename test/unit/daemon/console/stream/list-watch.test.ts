import { describe, expect, test, vi } from 'vitest'
import type { StreamMessage } from '../../../../../src/daemon/console/answers.ts'
import { createListWatch } from '../../../../../src/daemon/console/stream/list-watch.ts'
import type { PositionSummary } from '../../../../../src/daemon/view/position-summary.ts'
import { exampleSummary } from '../../telemetry/example-summary.ts'
import { consoleOf, position } from '../console-fixture.ts'

type Summaries = Extract<StreamMessage, { type: 'summaries' }>

function parsed(text: string): Summaries {
  return JSON.parse(text.slice(text.indexOf('data: ') + 6)) as Summaries
}

/** A list of which a test changes what `shown` holds. */
function watched(shown: PositionSummary[]) {
  const sent: Summaries[] = []
  const errors: unknown[] = []
  const watch = createListWatch({
    summaries: async () => shown,
    reportError: (error) => void errors.push(error),
    send: (text) => void sent.push(parsed(text)),
  })
  const look = async () => {
    watch.look()
    await new Promise((resolve) => setImmediate(resolve))
    return sent.splice(0)
  }
  return { watch, look, errors }
}

const fleet = (count: number) =>
  Array.from({ length: count }, (_, n) => exampleSummary({ name: `desk-${n}` }))

describe('the list that is followed', () => {
  test('is sent whole at first and then only where it changed', async () => {
    const shown = fleet(500)
    const { look } = watched(shown)
    expect((await look())[0]?.positions).toHaveLength(500)
    expect(await look()).toEqual([])
    shown[7] = exampleSummary({ name: 'desk-7', tradingState: 'HALTED' })
    const [message] = await look()
    expect(message).toMatchObject({
      whole: false,
      gone: [],
      positions: [{ name: 'desk-7', tradingState: 'HALTED' }],
    })
    expect(message?.positions).toHaveLength(1)
  })

  test('names positions that came and those that are gone', async () => {
    const shown = fleet(3)
    const { look, watch } = watched(shown)
    await look()
    shown.splice(0, 1, exampleSummary({ name: 'new' }))
    const [message] = await look()
    expect(message?.positions.map(({ name }) => name)).toEqual(['new'])
    expect(message?.gone).toEqual(['desk-0'])
    const whole = parsed(watch.whole() ?? '')
    expect(whole).toMatchObject({ whole: true, gone: [] })
    expect(whole.positions.map(({ name }) => name).toSorted()).toEqual(['desk-1', 'desk-2', 'new'])
  })

  test('takes an event that changes nothing shown, and a mid that grows older, for no news', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    try {
      const shown = fleet(2)
      const { look } = watched(shown)
      await look()
      vi.setSystemTime(1_001_000)
      shown[0] = exampleSummary({ name: 'desk-0', seq: 8, midAgeMs: 91_000 })
      shown[1] = exampleSummary({ name: 'desk-1', seq: 9, midAgeMs: 0 })
      const [message] = await look()
      expect(message?.positions).toMatchObject([{ name: 'desk-1', midAgeMs: 0 }])
      expect(message?.positions).toHaveLength(1)
      vi.setSystemTime(1_003_000)
      shown[1] = exampleSummary({ name: 'desk-1', midAgeMs: null })
      expect((await look())[0]?.positions).toMatchObject([{ name: 'desk-1', midAgeMs: null }])
    } finally {
      vi.useRealTimers()
    }
  })

  test('sends a sign of life where nothing changes, and reports a failure without an end', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    try {
      const shown = fleet(1)
      const { look, errors, watch } = watched(shown)
      await look()
      vi.setSystemTime(1_001_600)
      expect(await look()).toMatchObject([{ positions: [], gone: [] }])
      const failing = createListWatch({
        summaries: () => Promise.reject(new Error('a worker is gone')),
        reportError: (error) => void errors.push(error),
        send: () => undefined,
      })
      failing.look()
      await new Promise((resolve) => setImmediate(resolve))
      failing.look()
      await new Promise((resolve) => setImmediate(resolve))
      expect(errors).toHaveLength(2)
      watch.reset()
      expect(watch.whole()).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('GET /api/v1/stream?list=true', () => {
  const names = Array.from({ length: 40 }, (_, n) => `desk-${n}`)

  test('brings a line for each position, and the state of the one that is named only', async () => {
    const looked: string[] = []
    const positions = names.map((name) => {
      const { port } = position(name)
      const look: typeof port.look = (since) => {
        looked.push(name)
        return port.look(since)
      }
      return { ...port, look }
    })
    const { listen } = await consoleOf({ positions })
    const reader = await listen('/api/v1/stream?list=true&position=desk-3')
    const list = await reader.when(({ type }) => type === 'summaries')
    await reader.when(({ type }) => type === 'state')
    const [hello] = reader.messages
    expect(hello).toMatchObject({ type: 'hello', positions: names })
    expect(list.type === 'summaries' && list.positions.map(({ name }) => name)).toEqual(names)
    expect(new Set(looked)).toEqual(new Set(['desk-3']))
    const joined = await listen('/api/v1/stream?list=true')
    await joined.when(({ type }) => type === 'summaries')
    expect(joined.messages[1]).toMatchObject({ type: 'summaries', whole: true })
    expect(joined.messages.some(({ type }) => type === 'state')).toBe(false)
    reader.leave()
    joined.leave()
  })

  test('continues with the list where the position that it names is gone, which is refused without it', async () => {
    const { listen } = await consoleOf({ positions: [position('a').port, position('b').port] })
    const reader = await listen('/api/v1/stream?list=true&position=gone')
    await reader.when(({ type }) => type === 'summaries')
    expect(reader.messages.map(({ type }) => type)).toEqual(['hello', 'summaries'])
    reader.leave()
    expect((await listen('/api/v1/stream?position=gone')).status).toBe(404)
  })

  test('shows the only position without its name', async () => {
    const { listen } = await consoleOf()
    const reader = await listen('/api/v1/stream?list=true')
    await reader.when(({ type }) => type === 'state')
    reader.leave()
  })

  test('follows positions that are added and removed while it runs', async () => {
    const positions = [position('a').port, position('b').port]
    const summaries = async () => positions.map(({ name }) => exampleSummary({ name }))
    const { listen } = await consoleOf({ positions, summaries })
    const reader = await listen('/api/v1/stream?list=true')
    const everything = await listen()
    const stateOf = (name: string) =>
      everything.when((message) => message.type === 'state' && message.position === name)
    await Promise.all([stateOf('a'), stateOf('b')])
    await reader.when(({ type }) => type === 'summaries')
    positions.push(position('c').port)
    positions.shift()
    expect(await reader.when((message) => message.type === 'summaries' && !message.whole)).toMatchObject({
      positions: [{ name: 'c' }],
      gone: ['a'],
    })
    await stateOf('c')
    reader.leave()
    everything.leave()
  })
})
