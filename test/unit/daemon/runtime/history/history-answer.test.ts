import { expect, test } from 'vitest'
import { historyAnswer } from '../../../../../src/daemon/runtime/history/history-answer.ts'
import type { SampleRow } from '../../../../../src/store/tables/samples.ts'

const MINUTE = 60_000
const AT = Date.UTC(2026, 10, 30, 11, 40)
const NONE = {
  mid: 2_500,
  fairValue: null,
  askBps: 60,
  bestBidBps: null,
  bestAskBps: null,
  ntzs: null,
  usd: null,
  totalUsd: null,
  spreadCapture: null,
  staleMid: null,
  inventory: null,
  costs: null,
  unreconciled: null,
}

/** A store with a sample soon after each of these minutes, and a fill soon after each of those times. */
function storeOf(minutes: readonly number[], fills: readonly number[] = []) {
  const rows = minutes.map((minute): SampleRow => ({
    ...NONE,
    t: AT + minute * MINUTE + 1_200,
    bidBps: minute,
  }))
  return {
    samplesAt: (moments: readonly number[], maxAgeMs: number) =>
      moments.map((moment) => rows.findLast(({ t }) => t <= moment && t >= moment - maxAgeMs) ?? null),
    countFills: ({ end, stepMs }: { readonly end: number; readonly stepMs: number }) =>
      fills.map((t) => ({
        step: Math.max(0, Math.ceil((t - end) / stepMs)),
        side: 'bid' as const,
        count: 1,
      })),
    marks: () => [],
  }
}

test('samples are at their own time, and the last one holds to the end of the range', () => {
  const [from, to] = [AT, AT + 4 * MINUTE + 50_000]
  const { t, bidBps, fills } = historyAnswer(storeOf([0, 1, 2, 3, 4], [AT + 3 * MINUTE + 40_000]), {
    from,
    to,
    points: 600,
  })
  expect(t).toEqual([...[0, 1, 2, 3, 4].map((minute) => AT + minute * MINUTE + 1_200), to])
  expect(bidBps).toEqual([0, 1, 2, 3, 4, 4])
  expect(fills.bid).toEqual([0, 0, 0, 0, 1, 0])
})

test('a missing sample leaves the moment at which it was looked up, and times only rise', () => {
  const [from, to] = [AT, AT + 8 * MINUTE]
  const { t, bidBps } = historyAnswer(storeOf([0, 6]), { from, to, points: 600 })
  expect(bidBps).toEqual([0, 0, 0, null, null, null, 6, 6, 6])
  expect(t.every((time, index) => index === 0 || time > (t[index - 1] ?? 0))).toBe(true)
  expect(t.at(-1)).toBe(to)
})

test.each([1, 2, 3, 60, 600])('at most %i points are returned for a day', (points) => {
  const [from, to] = [AT, AT + 24 * 60 * MINUTE + 5_000]
  const { t, stepMs } = historyAnswer(storeOf([0]), { from, to, points })
  expect(t.length).toBeLessThanOrEqual(Math.max(2, points))
  expect(stepMs % MINUTE).toBe(0)
})
