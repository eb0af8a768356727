import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../../../../src/base/time.ts'
import {
  createDecisionCheck,
  type DecisionComparison,
} from '../../../../../src/research/jobs/journal/decisions.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import type { LoadedStrategy } from '../../../../../src/core/strategy/define-strategy.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'
import { replayed } from '../../../daemon/runtime/recording/replayed-rows.ts'

/** Leans with the minute, so that it is moved now and then. */
const leaning = (reach: number) =>
  testStrategy(({ now }) => ({
    bidBps: 60 + (Math.floor(now / MINUTE_MS) % 3) * reach,
    askBps: 60,
    reasons: ['the minute'],
  }))

function market(): Harness {
  const harness = coreHarness({ strategy: leaning(10) })
  harness.run(10 * MINUTE_MS)
  return harness
}

function held(journal: readonly Event[], strategy: LoadedStrategy = leaning(10)): DecisionComparison {
  const check = createDecisionCheck()
  replayed(journal, (seq, event, audit) => check.take(seq, event, audit), strategy)
  return check.held()
}

test('a journal that is replayed with the code that wrote it differs nowhere, and every answer is compared', () => {
  const { journal } = market()
  const answers = journal.filter((event) => 'request' in event)
  const patches = journal.filter(({ type }) => type === 'quoteSet')
  expect(patches.length).toBeGreaterThan(3)
  const { compared, writes, differing, differences } = held(journal)
  expect({ compared, differing, differences }).toEqual({
    compared: answers.length,
    differing: 0,
    differences: [],
  })
  expect(writes).toBeGreaterThanOrEqual(patches.length)
})

test('a PATCH that went out unlike the journal says is named with both quotes and its event', () => {
  const { journal } = market()
  const at = journal.findLastIndex(({ type }) => type === 'quoteSet')
  const patch = journal[at] as Extract<Event, { type: 'quoteSet' }>
  const tampered = journal.with(at, { ...patch, spread: { ...patch.spread, askBps: 61 } })
  // What follows is decided from the tampered answer and may part too.
  expect(held(tampered).differences[0]).toEqual({
    seq: at + 1,
    at: new Date(patch.t).toISOString(),
    daemon: `quoteSet {"bid":${patch.spread.bidBps},"ask":61}`,
    replay: `quoteSet {"bid":${patch.spread.bidBps},"ask":60}`,
  })
})

test('an answer to something that the replay never asked is a difference', () => {
  const { journal } = market()
  const at = journal.findLastIndex(({ type }) => type === 'balances')
  const answer = journal[at] as Extract<Event, { type: 'balances' }>
  const { differences } = held(journal.with(at, { ...answer, request: 999_999 }))
  expect(differences[0]).toMatchObject({ seq: at + 1, daemon: 'balances', replay: 'nothing' })
})

test('with another strategy the decisions part at the first PATCH that it takes otherwise', () => {
  const { journal } = market()
  const first = journal.findIndex((event) => event.type === 'quoteSet' && event.spread.bidBps !== 60)
  const { differing, differences } = held(journal, leaning(20))
  expect(differing).toBeGreaterThan(0)
  expect(differences[0]).toMatchObject({ seq: first + 1, daemon: expect.stringContaining('quoteSet') })
})

test('only the first differences are shown, all are counted', () => {
  const { journal } = market()
  const answers = journal.map((event) =>
    event.type === 'rate' ? { ...event, request: event.request + 1_000_000 } : event,
  )
  const { differing, differences } = held(answers)
  expect(differing).toBeGreaterThan(20)
  expect(differences).toHaveLength(20)
})

test('what was in flight when a process ended is not held against the next one', () => {
  const harness = market()
  harness.restart()
  harness.run(MINUTE_MS)
  const { compared, differing } = held(harness.journal)
  expect(compared).toBe(harness.journal.filter((event) => 'request' in event).length)
  expect(differing).toBe(0)
})
