import { describe, expect, test } from 'vitest'
import type { StrategyContext } from '../../../../src/core/strategy/context.ts'
import type { LoadedStrategy } from '../../../../src/core/strategy/define-strategy.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import {
  balancesRow,
  bringsUsdc,
  MID,
  NTZS,
  partsOf,
  quoteRow,
  rateRow,
  rivalRow,
  runTape,
  sourceOf,
  START,
} from '../../../support/backtest-tape.ts'
import { observedStrategy, statefulStrategy } from '../../../support/backtest-strategies.ts'
import { coreConfig, RARE_POLLS } from '../../../support/core-config.ts'
import { runOnNews, runPolled, SLOW_POLLS } from '../../../support/polled-core.ts'
import { pureStrategy } from '../../../support/test-strategy.ts'
import { worldStrategy } from '../../../support/world-strategies.ts'

const HOUR = 3_600_000
const at = (seconds: number) => START + seconds * 1_000
const { quote, risk } = coreConfig()
const plain = { bidBps: 60, askBps: 60, reasons: ['a test'] }

/** A print, a rival, a fill, and then nothing for so many hours. */
const tape = (hours: number): TapeRow[] => [
  rateRow(START, MID),
  balancesRow(START),
  quoteRow(START, 500, 500),
  rateRow(at(100), MID + NTZS),
  rivalRow(at(150), 'ask', 70),
  bringsUsdc(at(200), 'f1', 10),
  rateRow(START + hours * HOUR, MID + NTZS),
]

/** How often a strategy is asked in four hours in which nothing happens. */
async function askedInFourHours(strategyOf: () => LoadedStrategy, core = {}): Promise<number> {
  const asked = async (hours: number) => {
    let count = 0
    const strategy = observedStrategy(strategyOf(), () => (count += 1))
    await runTape(tape(hours), { strategy, core })
    return count
  }
  return (await asked(5)) - (await asked(1))
}

const EVERY_QUARTER_MINUTE = (4 * HOUR) / 15_000

describe('while nothing happens', () => {
  const timeless: Readonly<Record<string, (context: StrategyContext) => unknown>> = {
    nothing: () => null,
    'the mid': ({ mid }) => mid,
    'the inventory': ({ inventory }) => inventory.imbalance,
    'the fair value': ({ fairValue }) => fairValue.tzsPerUsd,
    'its fills': ({ recentFills }) => recentFills.length,
    'the best of the others': ({ competition }) => [competition.bid?.bestBps, competition.ask?.bestBps],
    'what stands': ({ standing }) => standing.bidBps,
    'the fee and the calibration': ({ protocolFeeBps, calibration }) => [protocolFeeBps, calibration],
  }
  test.for(Object.entries(timeless))('who looks at %s is not asked again', async ([, read]) => {
    const strategyOf = () => pureStrategy((context) => ({ ...plain, reasons: [String(read(context))] }))
    expect(await askedInFourHours(strategyOf)).toBe(0)
  })

  const timely: Readonly<Record<string, (context: StrategyContext) => unknown>> = {
    'the clock': ({ now }) => now,
    'the cause': ({ cause }) => cause,
    'the age of the mid': ({ midAgeMs }) => midAgeMs,
    'the age of the competition': ({ competition }) => competition.ask?.ageMs,
    'the calendar': ({ inWindow }) => inWindow('* * * * *', 'UTC'),
    chance: ({ random }) => random('a test')(),
  }
  test.for(Object.entries(timely))('who looks at %s is asked every 15 seconds', async ([, read]) => {
    const strategyOf = () => pureStrategy((context) => ({ ...plain, reasons: [String(read(context))] }))
    expect(await askedInFourHours(strategyOf)).toBe(EVERY_QUARTER_MINUTE)
  })

  test('who changes what it remembers is asked every 15 seconds, and who leaves it as it was is not', async () => {
    const counter = () =>
      statefulStrategy(
        () => ({ asked: 0 }),
        (_context, state) => {
          state.asked += 1
          return plain
        },
      )
    const deep = () =>
      statefulStrategy(
        () => ({ list: [1] }),
        () => plain,
      )
    const steady = () =>
      statefulStrategy(
        () => ({ mid: 0, name: 'x', flag: false, none: null }),
        ({ mid }, state) => {
          state.mid = mid
          return plain
        },
      )
    expect(await askedInFourHours(counter)).toBe(EVERY_QUARTER_MINUTE)
    expect(await askedInFourHours(deep)).toBe(0)
    expect(await askedInFourHours(steady)).toBe(0)
  })

  test('a schedule without windows asks no calendar, and counts as what it wraps', async () => {
    const strategyOf = () =>
      worldStrategy({
        use: 'schedule',
        params: { strategy: { use: 'fixed-spread', params: { bidBps: 60, askBps: 60 } }, windows: [] },
      })
    expect(await askedInFourHours(strategyOf)).toBe(0)
  })

  test('a dither is drawn anew as its period ends, also for those who are not asked otherwise', async () => {
    const core = { quote: { ...quote, ditherBps: 20, ditherPeriodMs: HOUR } }
    const { told } = await runTape(tape(5), { core })
    // The tape begins on the hour; the first draw is that of the first quote.
    expect(told.quotes.map(({ t }) => t - START)).toEqual([0, 1, 2, 3, 4].map((hours) => hours * HOUR + 250))
  })
})

describe('a strategy that draws', () => {
  test('a strategy that draws is evaluated at the same moments, whether the core polls or receives only changes', async () => {
    const moments = async (run: 'polled' | 'on news') => {
      const times: number[] = []
      const strategyOf = (received: (now: number) => void) =>
        observedStrategy(
          pureStrategy(({ random }) => ({ ...plain, reasons: [`${random('a test')()}`] })),
          (_quote, { now }) => received(now),
        )
      const partsWith = (received: (now: number) => void) =>
        partsOf(sourceOf(tape(1)), { core: SLOW_POLLS, strategy: strategyOf(received) })
      const ignore = () => {}
      const note = (now: number) => void times.push(now)
      const polled = await runPolled(partsWith(run === 'polled' ? note : ignore))
      if (run === 'on news') runOnNews(partsWith(note), polled)
      return times
    }
    const polled = await moments('polled')
    expect(await moments('on news')).toEqual(polled)
    expect(polled.length).toBeGreaterThan(HOUR / 15_000 - 5)
  })
})

describe('the budget of requests', () => {
  test('leaves a restless strategy as many PATCHes in each minute as it leaves a core that polls', async () => {
    const restless = () => pureStrategy(({ mid }) => ({ ...plain, bidBps: 40 + 5 * (Math.round(mid) % 20) }))
    const rows = Array.from({ length: 600 }, (_, index) =>
      rateRow(at(300 + index), MID + BigInt(index % 7) * NTZS),
    )
    const core = { quote: { ...quote, minRequoteIntervalMs: 500 } }
    const source = sourceOf([...tape(0.05).slice(0, 3), ...rows])
    const { told } = await runTape(source, { strategy: restless(), core })
    const { told: polled } = await runPolled(partsOf(source, { strategy: restless(), core }))
    const perMinute = ({ quotes }: typeof told) =>
      Array.from({ length: 10 }, (_, minute) => {
        const from = at(300 + 60 * minute)
        return quotes.filter(({ t }) => t >= from && t < from + 60_000).length
      })
    const [ours, theirs] = [perMinute(told), perMinute(polled)]
    for (const [minute, count] of ours.entries()) {
      expect(Math.abs(count - (theirs[minute] ?? 0))).toBeLessThanOrEqual(1)
    }
    expect(Math.max(...ours)).toBeGreaterThan(12)
  })
})

describe('volume that rolls off in quiet time', () => {
  test('opens the side when a core that polls opens it', async () => {
    const core = { pacing: RARE_POLLS, risk: { ...risk, maxVolumePerDayUsd: 100n * 10n ** 18n } }
    const rows = [
      ...tape(1).slice(0, 4),
      bringsUsdc(at(200), 'big', 101),
      rateRow(START + 25 * HOUR, MID + NTZS),
    ]
    const parts = partsOf(sourceOf(rows), { core })
    const polled = await runPolled(parts)
    const sent = runOnNews(parts, polled)
    expect(sent).toEqual(polled.sent)
    expect(sent.map(({ spread }) => typeof spread === 'object' && spread.quoteAsk)).toEqual([
      true,
      false,
      true,
    ])
  })
})
