import { expect, test } from 'vitest'
import { recordFilledSide, recordPickedSide } from '../../../../src/core/quoting/confirmation.ts'
import { createQuoting } from '../../../../src/core/quoting/quote-state.ts'

const CLOSED_AT = 1_000_000
const confirmed = { bidBps: 60, askBps: 500, quoteBid: true, quoteAsk: false, quotePairs: null }

test.each([
  ['ask', CLOSED_AT + 30_000, 'ignored'],
  ['ask', CLOSED_AT + 29_999, undefined],
  ['ask', null, undefined],
  ['bid', CLOSED_AT + 600_000, undefined],
] as const)(
  'a fill on the %s that a poll at %s did not list leaves the flags %s',
  (side, polledAt, flags) => {
    const state = { ...createQuoting(), confirmed, confirmedAt: CLOSED_AT }
    recordFilledSide(state, side, polledAt)
    expect(state.flags).toBe(flags)
  },
)

test.each([
  ['ask', { bidBps: 60, askBps: 500 }, 30_000, 'ignored'],
  ['ask', { bidBps: 60, askBps: 480 }, 30_000, undefined],
  ['ask', { bidBps: 60, askBps: 500 }, 29_999, undefined],
  ['bid', { bidBps: 60, askBps: 500 }, 30_000, undefined],
] as const)(
  'a public rate that picks a provider on the %s with %j, asked %d ms after the confirmation, leaves the flags %s',
  (side, picked, afterMs, flags) => {
    const state = { ...createQuoting(), confirmed, confirmedAt: CLOSED_AT }
    recordPickedSide(state, side, picked, CLOSED_AT + afterMs)
    expect([state.flags, state.confirmed.quoteAsk]).toEqual([flags, flags === 'ignored'])
  },
)
