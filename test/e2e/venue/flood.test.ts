import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { encodeJson } from '../../../src/base/codec.ts'
import { createEngine } from '../../../src/core/engine/engine.ts'
import { isOrderEffect, type Effect } from '../../../src/core/engine/model/effect.ts'
import type { Event } from '../../../src/core/engine/model/event.ts'
import { tapeRowsOf } from '../../../src/daemon/runtime/recording/tape-rows.ts'
import { openStore } from '../../../src/store/journal/open-store.ts'
import { createLog } from '../../../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../../../src/daemon/telemetry/metrics/metrics.ts'
import { createObserver } from '../../../src/daemon/telemetry/observer.ts'
import { effectCall } from '../../../src/venue/endpoints.ts'
import { outcomeEvent } from '../../../src/venue/perform.ts'
import { createFillsWindow, NEW_ROWS_BUDGET } from '../../../src/venue/fills-window.ts'
import { venueSettingsSchema } from '../../../src/venue/settings.ts'
import { coreHarness, type Harness } from '../../support/core-harness.ts'
import { testStrategy } from '../../support/test-strategy.ts'
import { callsWith, failureOf, read, valueOf } from '../../unit/venue/read-answer.ts'

const MINUTES = 3
/** What a venue that wants to may cost: 3.6 GB a day, which a disk of a usual size bears for weeks while people are notified. */
const MOST_BYTES_A_MINUTE = 2_500_000

function row(id: string, change: object = {}) {
  return {
    id,
    fromToken: 'USDC',
    toToken: 'NTZS',
    amountIn: '1',
    amountOut: '2500',
    createdAt: new Date(1_900_000).toISOString(),
    ...change,
  }
}

const JUNK = 'x'.repeat(20_000)
const hundred = <T>(make: (index: number) => T): T[] => Array.from({ length: 100 }, (_, index) => make(index))

/** What the venue shows as its fills at its `n`th answer: each answer is new as a whole. */
const FLOODS: Readonly<Record<string, (n: number) => readonly unknown[]>> = {
  'rows that are none': (n) => hundred((i) => ({ id: `${n}-${i}`, junk: JUNK })),
  'rows without a name, that are no objects': (n) => hundred((i) => `${n}-${i}-${JUNK}`),
  'fills that are well formed, with 20 kB beside them': (n) =>
    hundred((i) => row(`${n}-${i}`, { junk: JUNK })),
  'fills of the shortest form': (n) => hundred((i) => row(`${n}-${i}`, { amountIn: `0.0${(n % 90) + 10}` })),
  'the same fills with other amounts each time': (n) =>
    hundred((i) => row(`f${i}`, { amountIn: `1.${(n % 900) + 100}`, junk: JUNK })),
}

/** The core against a venue that floods through the daemon's own reading of answers. */
function flooded(fillsOf: (n: number) => readonly unknown[]): { harness: Harness; polls: () => number } {
  const calls = callsWith()
  const settings = venueSettingsSchema.parse({ baseUrl: 'http://venue.invalid' })
  const window = createFillsWindow()
  let polls = 0
  const answer = (effect: Effect, body: unknown) => {
    if (isOrderEffect(effect)) throw new Error(`${effect.type} is not for the venue alone`)
    const call = effectCall(calls, effect, settings)
    const t = harness.now
    const sent = { route: call.route, sentAt: t, t }
    const event = outcomeEvent(effect, read(call, JSON.stringify(body)), sent, window)
    if (event.type === 'requestFailed') return event.failure
    const { t: _t, request: _request, ...rest } = event as Event & { request: number }
    return rest as never
  }
  const harness = coreHarness({ strategy: testStrategy() })
  harness.run(20_000)
  harness.venue.answers.readFills = (effect) => answer(effect, { fills: fillsOf((polls += 1)) })
  harness.venue.answers.readRate = (effect) =>
    answer(effect, { midRateTZS: 2500, quotable: true, more: JUNK, n: polls })
  harness.venue.answers.readAccount = (effect) => answer(effect, { isActive: true, [`${JUNK}${polls}`]: 1 })
  return { harness, polls: () => polls }
}

/** What a daemon would have written of these events: journal and tables, log, tape. */
async function bytesOf(journal: readonly Event[]): Promise<{ store: number; log: number; tape: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'flood-'))
  const store = valueOf(await openStore(folder))
  const failures: string[] = []
  store.onFailure(({ message }) => failures.push(message))
  let log = 0
  let tape = 0
  const to = { write: (line: string) => void (log += line.length) }
  const observe = createObserver(
    createLog({ position: 'desk-1', level: 'info', to }),
    createMetrics('desk-1'),
  )
  const strategy = testStrategy()
  const engine = createEngine({ strategyFor: () => strategy, calendar: () => false })
  for (const [index, event] of journal.entries()) {
    const audit = engine.process(index + 1, event)
    // The harness ticks at fractions of a millisecond, the daemon's clock does not.
    store.append(index + 1, { ...event, t: Math.round(event.t) })
    const observations = audit.observations.map((one) =>
      't' in one ? { ...one, t: Math.round(one.t) } : one,
    )
    store.project(index + 1, observations)
    for (const observation of audit.observations) observe(observation)
    tape += tapeRowsOf(event, audit, engine.state()).reduce((sum, one) => sum + encodeJson(one).length, 0)
  }
  await store.close()
  expect(failures).toEqual([])
  const files = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  return { store: files.reduce((sum, size) => sum + size, 0), log, tape }
}

describe('a venue that floods', () => {
  test.each(Object.entries(FLOODS))(
    'with %s cannot fill the disk: journal, tables, log and tape together stay below 2.5 MB a minute',
    async (name, fillsOf) => {
      const { harness, polls } = flooded(fillsOf)
      const quiet = harness.journal.length
      harness.run(MINUTES * 60_000)
      expect(polls()).toBeGreaterThan(10)
      const before = await bytesOf(harness.journal.slice(0, quiet))
      const after = await bytesOf(harness.journal)
      const perMinute = (part: 'store' | 'log' | 'tape') => Math.round((after[part] - before[part]) / MINUTES)
      const [store, log, tape] = [perMinute('store'), perMinute('log'), perMinute('tape')]
      process.stdout.write(
        `flood of ${name}: ${store + log + tape} bytes a minute (store ${store}, log ${log}, tape ${tape}), ${polls()} polls\n`,
      )
      expect(store + log + tape).toBeLessThan(MOST_BYTES_A_MINUTE)
    },
  )

  test('is refused beyond its budget of new rows, named, and taken again when the minute is over', () => {
    const calls = callsWith()
    const window = createFillsWindow()
    const poll = (n: number, t: number) => {
      const fills = hundred((i) => row(`${n}-${i}`, { junk: JUNK }))
      return window.reduce(valueOf(read(calls.fills(), JSON.stringify({ fills }))), t)
    }
    const most = Math.floor(NEW_ROWS_BUDGET.characters / (100 * 2_200))
    for (let n = 0; n < most; n++) expect(poll(n, 1_000 * n).ok).toBe(true)
    expect(failureOf(poll(99, 10_000))).toMatch(/^100 new rows, .* 524288 characters/)
    expect(valueOf(poll(99, 61_000)).fills).toHaveLength(100)
  })

  test('with more than the 100 rows of the contract is not understood at all', () => {
    const fills = Array.from({ length: 101 }, (_, index) => row(`f${index}`))
    expect(failureOf(read(callsWith().fills(), JSON.stringify({ fills })))).toMatchObject({
      kind: 'malformed',
      message:
        "GET /fills: 200, but the answer is not the contract's: 101 fills, and the contract shows at most 100",
    })
  })

  test('of one long row keeps 2 kB of it, and knows the row by its whole text all the same', () => {
    const calls = callsWith()
    const window = createFillsWindow()
    const poll = (...fills: unknown[]) =>
      valueOf(window.reduce(valueOf(read(calls.fills(), JSON.stringify({ fills }))), 0))
    const long = row('f1', { junk: JUNK, last: 1 })
    const [fill] = poll(long).fills
    expect(fill?.raw).toHaveLength(2_000 + '... (20163 characters)'.length)
    expect(poll(long)).toMatchObject({ fills: [], repeated: 1 })
    expect(poll({ ...long, last: 2 }).fills).toHaveLength(1)
    const [bad] = poll({ id: 'x', junk: JUNK, amountIn: JUNK }).quarantined
    expect(bad?.raw.length).toBeLessThan(2_100)
    expect(bad?.reason.length).toBeLessThanOrEqual(200)
  })

  test.each([
    ['account', { isActive: true, walletAddress: JUNK }],
    ['spread', { bidBps: 1, askBps: 1, quoteBid: true, quoteAsk: true, quotePairs: [JUNK] }],
  ] as const)('in a field of %s that is kept is no answer', (name, body) => {
    const calls = callsWith()
    const spread = { bidBps: 1, askBps: 1, quoteBid: true, quoteAsk: true, quotePairs: null }
    const call = {
      account: calls.account(),
      spread: calls.spread(spread),
    }[name]
    expect(failureOf(read<unknown>(call, body))).toMatchObject({ kind: 'malformed' })
  })

  test('in place of a hash is not kept, and the withdrawal is confirmed all the same', () => {
    const call = callsWith().withdraw({ asset: 'USDC', amount: 1n, toAddress: '0x1' })
    const answer = valueOf(read(call, { status: 'confirmed', txHash: JUNK }))
    expect(answer).toEqual({ type: 'withdrawn', asset: 'USDC', amount: 1n, txHash: null })
  })
})
