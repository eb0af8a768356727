import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { handOverPosition, leavePosition } from '../../../../../src/daemon/runtime/position/leave-position.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A position as far as its end looks at it. */
function position(requests: Record<number, { what: string }>, onExit = 'widen') {
  const did: string[] = []
  const state = {
    config: { quote: { onExit, safeBps: 500 }, mode: 'live', rfq: null },
    requests,
    quoting: {
      status: 'confirmed',
      confirmed: { bidBps: 60, askBps: 70, quoteBid: true, quoteAsk: true } as object | null,
    },
  }
  const parts = {
    stateNow: () => state as never,
    loop: { snapshot: () => void did.push('snapshot') },
    stop: () => void did.push('stop'),
  }
  return { parts, did, state }
}

describe('A position that is left to another daemon', () => {
  test('stops between two writes, with a snapshot, and leaves the quote as it stands', async () => {
    const { parts, did, state } = position({ 1: { what: 'patch' }, 2: { what: 'fills' } })
    const leaving = handOverPosition(parts, 5_000)
    await vi.advanceTimersByTimeAsync(60)
    expect(did).toEqual([])
    delete state.requests[1]
    await vi.advanceTimersByTimeAsync(20)
    expect(await leaving).toEqual({
      settled: true,
      text: 'handed over to the standby daemon with the quote unchanged (bid 60 ask 70 bps)',
    })
    expect(did).toEqual(['snapshot', 'stop'])
  })

  test('does not wait for a write that takes longer: the next holder finds out what became of it', async () => {
    const { parts, did, state } = position({ 1: { what: 'activate' } })
    state.quoting = { status: 'unknown', confirmed: null }
    const leaving = handOverPosition(parts, 7_500)
    await vi.advanceTimersByTimeAsync(1_500)
    const { text } = await leaving
    expect(text).toContain('(quote unknown)')
    expect(did).toEqual(['snapshot', 'stop'])
  })

  test('reports that no spread was confirmed where none was', async () => {
    const { parts, state } = position({})
    state.quoting = { status: 'confirmed', confirmed: null }
    expect((await handOverPosition(parts, 100)).text).toContain('no spread confirmed')
  })
})

describe('A position that leaves', () => {
  test('stops once the venue confirms what quote.onExit asks for, or its time is over', async () => {
    const { parts, did, state } = position({})
    const leaving = leavePosition(parts, 5_000)
    state.quoting = {
      status: 'confirmed',
      confirmed: { bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true },
    }
    await vi.advanceTimersByTimeAsync(20)
    expect(await leaving).toMatchObject({ settled: true })
    expect(did).toEqual(['snapshot', 'stop'])
    const late = leavePosition(position({}).parts, 50)
    await vi.advanceTimersByTimeAsync(60)
    expect(await late).toMatchObject({ settled: false })
  })
})
