import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { err, ok } from '../../../../src/base/result.ts'
import { createReadingFilter, type FeedEvent, runFeeds } from '../../../../src/daemon/feeds/run-feeds.ts'
import { onTimerFault } from '../../../../src/base/threads/timing.ts'
import type { FeedSettings } from '../../../../src/core/market/feeds.ts'

const TZS = 10n ** 18n
const MID = 2_500n * TZS
const MINUTE = 60_000
const settings: FeedSettings = {
  name: 'bank',
  origin: 'independent',
  staleAfterMs: 5 * MINUTE,
  frozenAfterMs: null,
  band: { min: 2_000n * TZS, max: 3_000n * TZS },
  weight: 1,
}
const filterOf = () => createReadingFilter({ settings, everyMs: 1_000 })
const shows = (mid: bigint, datedAt: number | null = null) => ok({ mid, datedAt })

describe('what of a feed goes to the journal', () => {
  it('an unchanged feed leaves a heartbeat a minute: a day of readings each second leaves 1440 events', () => {
    const filter = filterOf()
    let events = 0
    for (let t = 0; t < 86_400_000; t += 1_000) if (filter(t, shows(MID)) !== null) events += 1
    expect(events).toBe(1_440)
  })

  it('a new rate is journalled at once, and the last heartbeat is never older than a third of staleAfterMs', () => {
    const filter = filterOf()
    expect(filter(0, shows(MID))).toMatchObject({ type: 'reference', mid: MID, origin: 'independent' })
    expect(filter(1_000, shows(MID))).toBeNull()
    expect(filter(2_000, shows(MID + TZS))).toMatchObject({ type: 'reference', mid: MID + TZS })
    const quick = createReadingFilter({ settings: { ...settings, staleAfterMs: 30_000 }, everyMs: 1_000 })
    quick(0, shows(MID))
    expect(quick(9_000, shows(MID))).toBeNull()
    expect(quick(10_000, shows(MID))).not.toBeNull()
  })

  it('an implausible rate is journalled at once and once, and its feed is ignored for a heartbeat', () => {
    const filter = filterOf()
    filter(0, shows(MID))
    expect(filter(1_000, shows(9_999n * TZS))).toMatchObject({ type: 'referenceFailed', kind: 'implausible' })
    const wavering: (FeedEvent | null)[] = []
    for (let t = 2_000; t < 600_000; t += 1_000) wavering.push(filter(t, shows(t % 2_000 === 0 ? MID : 1n)))
    expect(wavering.every((event) => event === null)).toBe(true)
    expect(filter(600_000 + 59_000, shows(MID))).toMatchObject({ type: 'reference' })
  })

  it('a first failure is journalled at once, and later ones only without an event for a heartbeat', () => {
    const filter = filterOf()
    expect(filter(0, err('no answer'))).toMatchObject({ type: 'referenceFailed', kind: 'unreadable' })
    expect(filter(1_000, err('no answer'))).toBeNull()
    expect(filter(2_000, shows(MID))).toMatchObject({ type: 'reference' })
    expect(filter(3_000, err('no answer'))).toBeNull()
    expect(filter(63_000, err('no answer'))).toMatchObject({ problem: 'no answer' })
  })

  it('a rate whose date goes back, or is in the future, is not journalled', () => {
    const filter = filterOf()
    filter(1_000_000, shows(MID, 1_000_000))
    expect(filter(1_000_001, shows(MID + 1n, 999_999))).toBeNull()
    expect(filter(1_000_002, shows(MID + 1n, 1_070_000))).toMatchObject({ kind: 'implausible' })
  })
})

describe('feeds that run', () => {
  it('feeds are read at their own periods, and leave no event after they are closed', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const events: FeedEvent[] = []
    let readings = 0
    const fixed = { kind: 'fixed', mid: MID } as const
    const running = runFeeds({
      feeds: [
        { settings, everyMs: 5, source: fixed },
        { settings: { ...settings, name: 'peg' }, everyMs: 5, source: fixed },
      ],
      now: () => 1_000,
      submit: (event) => events.push(event),
      onReading() {
        readings += 1
      },
    })
    await vi.advanceTimersByTimeAsync(20)
    await running.close()
    expect(events.map(({ source }) => source).sort()).toEqual(['bank', 'peg'])
    const before = readings
    expect(before).toBeGreaterThanOrEqual(6)
    await vi.advanceTimersByTimeAsync(50)
    expect(readings).toBe(before)
  })
})

describe('a feed whose event cannot be taken', () => {
  it('is read again after its interval, and the fault is reported', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const faults: unknown[] = []
    onTimerFault((error) => faults.push(error))
    onTestFinished(() => onTimerFault(() => undefined))
    let taken = 0
    const feeds = runFeeds({
      feeds: [{ settings, everyMs: 1_000, source: { kind: 'fixed', mid: MID } }],
      now: () => Date.now(),
      submit() {
        taken += 1
        throw new Error('the loop has ended')
      },
    })
    await vi.advanceTimersByTimeAsync(60_500)
    await feeds.close()
    expect(taken).toBe(2)
    expect(faults).toEqual([new Error('the loop has ended'), new Error('the loop has ended')])
  })
})
