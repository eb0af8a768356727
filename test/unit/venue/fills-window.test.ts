import { describe, expect, test } from 'vitest'
import { createFillsWindow } from '../../../src/venue/fills-window.ts'
import { callsWith, read, valueOf } from './read-answer.ts'

function row(minute: number, change: object = {}) {
  return {
    id: `f${minute}`,
    fromToken: 'USDC',
    toToken: 'NTZS',
    amountIn: '1',
    amountOut: '2500',
    createdAt: new Date(Date.UTC(2026, 2, 2, 5, minute)).toISOString(),
    ...change,
  }
}

/** Feeds one poll after another to a window; rows newest first. */
function poller() {
  const calls = callsWith()
  const window = createFillsWindow()
  return (...fills: unknown[]) => {
    const answer = valueOf(read(calls.fills(), JSON.stringify({ fills })))
    const { fills: news, ...rest } = valueOf(window.reduce(answer, 0))
    return { ...rest, ids: news.map(({ id }) => id) }
  }
}

describe('the fills window', () => {
  test('gives the first poll as a whole, oldest first', () => {
    expect(poller()(row(3), row(2), row(1))).toEqual({
      ids: ['f1', 'f2', 'f3'],
      quarantined: [],
      repeated: 0,
      windowFull: false,
      tokenForm: 'symbol',
    })
  })
  test('states how the last new fill names its tokens', () => {
    const poll = poller()
    expect(poll(row(1, { fromToken: `0x${'1'.repeat(40)}` }), row(2)).tokenForm).toBe('symbol')
    const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    expect(poll(row(3, { fromToken: usdc }), row(2)).tokenForm).toBe('address')
    expect(poll(row(3, { fromToken: usdc }), row(2))).not.toHaveProperty('tokenForm')
  })
  test('returns only new rows, and counts the repeated ones', () => {
    const poll = poller()
    poll(row(2), row(1))
    expect(poll(row(3), row(2), row(1))).toMatchObject({ ids: ['f3'], repeated: 2 })
    expect(poll(row(3), row(2), row(1))).toMatchObject({ ids: [], repeated: 3 })
  })
  test('gives a row again whose text changed, and still counts it as an overlap', () => {
    const poll = poller()
    poll(row(1))
    expect(poll(row(1, { amountIn: '2' }))).toMatchObject({ ids: ['f1'], repeated: 1 })
  })
  test('shows a duplicate once, and both versions where two rows of one id differ', () => {
    const poll = poller()
    expect(poll(row(1), row(1)).ids).toEqual(['f1'])
    expect(poll(row(1), row(1, { amountIn: '2' })).ids).toEqual(['f1'])
    expect(poll(row(1, { amountIn: '2' }), row(1)).ids).toEqual([])
  })
  test('orders late and reordered rows by their dates', () => {
    expect(poller()(row(1), row(3), row(2)).ids).toEqual(['f1', 'f2', 'f3'])
  })
  test("turns the venue's order round where a row has no date", () => {
    expect(poller()(row(3), row(2, { createdAt: null }), row(1)).ids).toEqual(['f1', 'f2', 'f3'])
  })
  test('names a quarantined row once', () => {
    const poll = poller()
    expect(poll(row(1, { amountIn: '0' })).quarantined).toHaveLength(1)
    expect(poll(row(2), row(1, { amountIn: '0' }))).toMatchObject({
      ids: ['f2'],
      quarantined: [],
      repeated: 1,
    })
  })
  test('knows the previous poll only: what came back into sight is given again, for the ledger to judge', () => {
    const poll = poller()
    poll(row(1))
    expect(poll()).toMatchObject({ ids: [], repeated: 0 })
    expect(poll(row(1)).ids).toEqual(['f1'])
  })
  test('is full at 100 rows', () => {
    const rows = Array.from({ length: 100 }, (_, index) => row(100 - index, { id: `r${index}` }))
    expect(poller()(...rows).windowFull).toBe(true)
    expect(poller()(...rows.slice(1)).windowFull).toBe(false)
  })
})
