import { afterEach, describe, expect, test, vi } from 'vitest'
import { HANGS } from '../../../../../src/research/jobs/apart/hang.ts'
import {
  callUnderWay,
  UNWATCHED,
  WATCH_BYTES,
  watchStrategies,
} from '../../../../../src/research/jobs/apart/watch-strategy.ts'
import { neutralContext } from '../../../../../src/daemon/config/strategy/try-strategy.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const shared = () => new SharedArrayBuffer(WATCH_BYTES)

describe('a watched strategy', () => {
  test('shows each call while it is under way, and nothing afterwards', () => {
    const buffer = shared()
    const seen: unknown[] = []
    const quoting = testStrategy(() => {
      seen.push(callUnderWay(buffer))
      return { bidBps: 61, askBps: 60, reasons: [] }
    })
    const strategy = watchStrategies(buffer).watched(quoting)
    const quote = () => strategy.definition.quote(neutralContext(), {}, {}, {})
    expect(quote().bidBps).toBe(61)
    quote()
    const what = 'it was asked for a quote'
    expect(seen).toEqual([
      { number: 1, what, isLoading: false },
      { number: 2, what, isLoading: false },
    ])
    expect(callUnderWay(buffer)).toBeNull()
  })

  test('that throws is no longer under way', () => {
    const buffer = shared()
    const strategy = watchStrategies(buffer).watched(
      testStrategy(() => {
        throw new Error('no')
      }),
    )
    expect(() => strategy.definition.quote(neutralContext(), {}, {}, {})).toThrow('no')
    expect(callUnderWay(buffer)).toBeNull()
  })

  test('shows the `init` of the strategies that it wraps', () => {
    const buffer = shared()
    const seen: unknown[] = []
    const inner = testStrategy()
    const init = () => void seen.push(callUnderWay(buffer)?.what)
    const outer = {
      ...testStrategy(),
      inner: { one: { ...inner, definition: { ...inner.definition, init } } },
    }
    watchStrategies(buffer).watched(outer).inner.one?.definition.init({})
    expect(seen).toEqual(['`init` was called'])
  })

  test('is the strategy itself where no one watches', async () => {
    const strategy = testStrategy()
    expect(UNWATCHED.watched(strategy)).toBe(strategy)
    expect(await UNWATCHED.loading(async () => 7)).toBe(7)
  })

  test('is shown while its file is loaded', async () => {
    const buffer = shared()
    const watch = watchStrategies(buffer)
    expect(await watch.loading(async () => callUnderWay(buffer)?.isLoading)).toBe(true)
    expect(callUnderWay(buffer)).toBeNull()
  })
})

describe('a hang', () => {
  afterEach(() => vi.useRealTimers())

  test('is one call that lasts beyond the limit; many short ones are none', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const buffer = shared()
    const found: string[] = []
    HANGS.watch(buffer, (why) => void found.push(why))
    const memory = new Int32Array(buffer)
    for (let call = 1; call <= 100; call++) {
      memory.set([call, 3])
      vi.advanceTimersByTime(1_000)
    }
    expect(found).toEqual([])
    vi.advanceTimersByTime(11_000)
    expect(found).toEqual([expect.stringMatching(/within 10 s .*\(call 100 of/)])
    vi.advanceTimersByTime(60_000)
    expect(found).toHaveLength(1)
  })

  test('is not looked for once the watch has ended', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const buffer = shared()
    const found: string[] = []
    const end = HANGS.watch(buffer, (why) => void found.push(why))
    new Int32Array(buffer).set([1, 3])
    end()
    vi.advanceTimersByTime(60_000)
    expect(found).toEqual([])
  })
})
