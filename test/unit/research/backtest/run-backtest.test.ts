import { describe, expect, test } from 'vitest'
import { runBacktest } from '../../../../src/research/backtest/run.ts'
import type { CoreConfig } from '../../../../src/core/engine/model/config.ts'
import type { StrategyQuote } from '../../../../src/core/strategy/define-strategy.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import {
  balancesRow,
  bringsShillings,
  bringsUsdc,
  fillRow,
  MID,
  NTZS,
  partsOf,
  quoteRow,
  rateRow,
  referenceRow,
  rivalRow,
  runTape,
  SILENT_TRAIL,
  sourceOf,
  START,
  USD,
} from '../../../support/backtest-tape.ts'
import { observedStrategy, statefulStrategy } from '../../../support/backtest-strategies.ts'
import { coreConfig } from '../../../support/core-config.ts'
import { testStrategy } from '../../../support/test-strategy.ts'

const HOUR = 3_600_000
const { quote, risk, pacing } = coreConfig()
const at = (seconds: number) => START + seconds * 1_000
const opening = [rateRow(START, MID), balancesRow(START), quoteRow(START, 500, 500)]
const end = (t: number) => rateRow(t, MID)
const both = (bps: number | null): StrategyQuote => ({ bidBps: bps, askBps: bps, reasons: ['a test'] })
/** One spread until the first fill was seen, another one after it. */
const reacting = () => testStrategy(({ recentFills }) => both(recentFills.length === 0 ? 60 : 90))

describe('the time between a fill and what is done about it', () => {
  test('a fill is seen at the next look, answered a latency later, and the PATCH lands another one later', async () => {
    // Fills are looked at every two seconds from the start on: asked at 4, known at 4.25, landed at 4.5.
    const fills = [3_000, 4_000, 4_250, 4_400, 4_500, 4_501].map((ms) => bringsUsdc(START + ms, `${ms}`, 10))
    const { told } = await runTape([...opening, ...fills, end(at(60))], { strategy: reacting() })
    expect(told.fills.map(({ t, bps }) => [t - START, bps])).toEqual([
      [3_000, 60],
      [4_000, 60],
      [4_250, 60],
      [4_400, 60],
      [4_500, 60],
      [4_501, 90],
    ])
    expect(told.quotes.map(({ t, askBps }) => [t - START, askBps])).toEqual([
      [250, 60],
      [4_500, 90],
    ])
  })

  test('a venue that answers slower than it is polled still tells of every fill', async () => {
    const fills = Array.from({ length: 40 }, (_, index) => bringsUsdc(START + 500 * index, `f${index}`, 10))
    const trial = { strategy: reacting(), settings: { latencyMs: 7_000 } }
    const { outcome, told } = await runTape([...opening, ...fills, end(at(60))], trial)
    expect(outcome.fills).toBe(40)
    // Asked at 2 at the latest, known at 9, landed at 16.
    const after = told.fills.filter(({ bps }) => bps === 90).map(({ t }) => t - START)
    expect(after).toEqual(fills.map(({ t }) => t - START).filter((ms) => ms > 14_000))
  })

  test('what the tape says after the last look is known all the same, before the books are compared', async () => {
    const { outcome } = await runTape([...opening, bringsUsdc(at(10), 'late', 10)])
    expect(outcome.fills).toBe(1)
    expect(outcome.held.USDC).toBe(50_010n * USD)
  })
})

describe('what the core sees of the market', () => {
  test('its own quote moves the best that the public endpoint shows, as live', async () => {
    const seen: (number | undefined)[] = []
    const strategy = observedStrategy(
      testStrategy(({ competition: { ask } }) => both((ask?.bestBps ?? 0) > 70 ? 60 : 80)),
      (_quote, { competition }) => seen.push(competition.ask?.bestBps),
    )
    const { told } = await runTape([...opening, rivalRow(at(30), 'ask', 40), end(at(40))], { strategy })
    // From the safe quote to 60, which is the best there is; so on to 80, and back, as long as no one is better.
    expect(told.quotes.slice(0, 4).map(({ askBps }) => askBps)).toEqual([60, 80, 60, 80])
    expect(new Set(seen)).toEqual(new Set([500, 60, 80, 40]))
    expect(seen.at(-1)).toBe(40)
  })

  test('a rival whom the tape names at our recorded number stays there while we quote another', async () => {
    const bestSeen = async (own: boolean | undefined) => {
      const seen: (number | undefined)[] = []
      const strategy = observedStrategy(
        testStrategy(() => both(80)),
        (_quote, { competition }) => seen.push(competition.ask?.bestBps),
      )
      const shown = { ...rivalRow(at(2), 'ask', 60), ...(own === undefined ? {} : { own }) }
      const move = rateRow(at(50), MID + 1n)
      await runTape([...opening, quoteRow(at(1), 60, 60), shown, move, end(at(60))], { strategy })
      return seen.at(-1)
    }
    expect([await bestSeen(false), await bestSeen(undefined), await bestSeen(true)]).toEqual([60, 80, 80])
  })

  test('the takers of the tape are named to the strategy, their wallets shortened', async () => {
    const seen: unknown[] = []
    const strategy = observedStrategy(testStrategy(), (_quote, { recentFills }) => {
      for (const fill of recentFills) seen.push(fill.taker, Object.isFrozen(fill.taker))
    })
    const taker = { wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', source: 'waas', partner: null }
    await runTape([...opening, { ...bringsUsdc(at(10), 'f1', 10), taker }, end(at(20))], { strategy })
    expect(seen.slice(0, 2)).toEqual([{ ...taker, wallet: '0x7099...79c8' }, true])
  })

  test('where the public endpoint is not asked it shows nothing', async () => {
    const seen: unknown[] = []
    const strategy = observedStrategy(testStrategy(), (_quote, { competition }) => seen.push(competition.bid))
    const core = { pacing: { ...pacing, publicRequestsPerMinute: 0 } }
    await runTape([...opening, rivalRow(at(20), 'bid', 55), end(at(60))], { strategy, core })
    expect(seen.length).toBeGreaterThan(0)
    expect(new Set(seen)).toEqual(new Set([null]))
  })

  test('a reference from before the start is the fair value from the start on', async () => {
    const fair: number[] = []
    const strategy = observedStrategy(testStrategy(), (_quote, { fairValue }) =>
      fair.push(fairValue.tzsPerUsd),
    )
    const early = [rateRow(START, MID), referenceRow(START, 2_600n * NTZS), balancesRow(START)]
    await runTape([...early, bringsUsdc(at(9), 'f1', 10), end(at(60))], { strategy })
    expect(new Set(fair)).toEqual(new Set([2_600]))
  })

  test('a reference that first says the same as the mid stays when the mid moves', async () => {
    const fair: number[] = []
    const strategy = observedStrategy(testStrategy(), (_quote, { fairValue }) =>
      fair.push(fairValue.tzsPerUsd),
    )
    const moved = rateRow(at(60), 2_570n * NTZS)
    const { outcome } = await runTape([...opening, referenceRow(at(30), MID), moved, end(at(90))], {
      strategy,
    })
    expect(new Set(fair)).toEqual(new Set([2_568]))
    expect(outcome.book.pnl.mark).toBe(MID)
  })

  test('references of other sources than the one named are no one’s fair value', async () => {
    const rows = [...opening, referenceRow(at(30), 2_600n * NTZS, 'a blog'), end(at(90))]
    const named = await runTape(rows, { settings: { fairValue: 'bank-board' } })
    expect(named.outcome.book.pnl.mark).toBe(MID)
    const any = await runTape(rows)
    expect(any.outcome.book.pnl.mark).toBe(2_600n * NTZS)
    expect(named.outcome.warnings).toEqual([
      'no reference on the tape is from bank-board, which backtest.fairValue names; there are some from a blog',
    ])
    const found = await runTape(rows, { settings: { fairValue: 'a blog' } })
    expect([...found.outcome.warnings, ...any.outcome.warnings]).toEqual([])
  })

  test('fills that paid something else than the quote of the tape are a warning with the mean', async () => {
    const quoted = [rateRow(START, MID), balancesRow(START), quoteRow(START, 60, 60)]
    const paying = (bps: number, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const amountOut = (10n * MID * BigInt(10_000 - bps)) / 10_000n
        const row = bringsUsdc(at(30 + index), `f${index}`, 10)
        return { ...row, amountOut, protocolFee: 0n }
      })
    const warned = async (bps: number, count: number) =>
      (await runTape([...quoted, ...paying(bps, count), end(at(90))])).outcome.warnings
    expect(await warned(160, 40)).toEqual([
      'the 40 recorded ask fills paid 100.0 bps more than the recorded quote at the recorded mid: takers granted slippage, or fills have another mid; a run fills at the quote',
    ])
    expect(await warned(160, 20)).toEqual([])
    expect(await warned(63, 40)).toEqual([])
  })

  test('a rival that shows the spread we moved away from is a rival, though the probe shows no change', async () => {
    // At first the best is our own recorded 60; after we went to 80 the same 60 is someone else.
    const bests: unknown[] = []
    const trail = {
      ...SILENT_TRAIL,
      competition: (t: number, side: string, bps: number | null) => void bests.push([t - START, side, bps]),
    }
    const rows = [
      rateRow(START, MID),
      balancesRow(START),
      quoteRow(START, 60, 60),
      rivalRow(at(10), 'ask', 60),
      rivalRow(at(20), 'ask', 60),
      quoteRow(at(25), 60, 80),
      rivalRow(at(30), 'ask', 60),
      rivalRow(at(40), 'ask', 60),
      quoteRow(at(45), 60, 60),
      rivalRow(at(50), 'ask', 60),
    ]
    for (const cut of [0, 3, 5, 6, 7, 8, 9]) {
      bests.length = 0
      await runTape(sourceOf(rows, [cut]), { trail })
      expect(bests).toEqual([
        [30_000, 'ask', 60],
        [50_000, 'ask', null],
      ])
    }
  })
})

describe('going out of the market and back', () => {
  const core: Partial<CoreConfig> = { quote: { ...quote, whenBothOff: 'deactivate' } }
  const rows: TapeRow[] = [
    ...opening,
    // Prints that make the strategy go out, come back, and change its mind while it comes back.
    rateRow(at(100), 2_569n * NTZS),
    bringsUsdc(at(160), 'no one is there', 10),
    rateRow(at(200), 2_570n * NTZS),
    rateRow(at(210), 2_571n * NTZS),
    rateRow(at(216), 2_572n * NTZS),
    bringsUsdc(at(300), 'back again', 10),
    end(at(400)),
  ]
  const moods: Readonly<Record<number, number | null>> = {
    2_568: 60,
    2_569: null,
    2_570: 70,
    2_571: 80,
    2_572: 90,
  }
  const strategy = testStrategy(({ mid }) => both(mid in moods ? (moods[mid] ?? null) : 50))

  test('both sides off takes the position out, a quote brings it back, and a PATCH may land meanwhile', async () => {
    const { told, outcome } = await runTape(rows, { core, strategy })
    expect(told.quotes.map(({ askBps }) => askBps)).toEqual([60, 500, null, null, null, null, 90])
    expect(told.fills.map(({ id, bps }) => [id, bps])).toEqual([['back again', 90]])
    expect(outcome.rejected).toBe(0)
  })
})

describe('the request budget', () => {
  test('a strategy that never stands still gets the quote writes that pacing allows, and no more', async () => {
    const jumpy = statefulStrategy(
      () => ({ asked: 0 }),
      (_context, state) => both(40 + 10 * ((state.asked += 1) % 20)),
    )
    const fast = { quote: { ...quote, minRequoteIntervalMs: 100 } }
    // News every second: each would be worth a PATCH.
    const rows = Array.from({ length: 900 }, (_, index) =>
      rateRow(at(index + 1), MID + BigInt(index % 2) * NTZS),
    )
    const { told } = await runTape([...opening, ...rows], { strategy: jumpy, core: fast })
    const times = told.quotes.map(({ t }) => t)
    const most = Math.max(...times.map((from) => times.filter((t) => t >= from && t < from + 61_000).length))
    // Sixty a minute less ten in reserve, a third of it for quotes.
    expect(most).toBe(17)
    expect(told.quotes.length).toBeGreaterThan((17 * 900) / 61 - 17)
  })

  test('a safety move goes out though the quotes are used up', async () => {
    const jumpy = statefulStrategy(
      () => ({ asked: 0 }),
      (_context, state) => both(40 + 10 * ((state.asked += 1) % 20)),
    )
    const core = {
      quote: { ...quote, minRequoteIntervalMs: 100 },
      risk: { ...risk, maxMidAgeMs: HOUR + 30_000 },
    }
    // Each of its quotes is the best there is, and so news to it.
    const { told } = await runTape([...opening, end(at(50))], { strategy: jumpy, core })
    expect(told.quotes.slice(0, 17).every(({ t }) => t < at(10))).toBe(true)
    expect(told.quotes.slice(17)).toEqual([{ t: at(30) + 1 + 250, bidBps: 500, askBps: 500 }])
  })
})

describe('limits that time passes', () => {
  const timeless = testStrategy()

  test('a mid that grows too old without any news pulls the quote to the safe one, to the millisecond', async () => {
    const core = { risk: { ...risk, maxMidAgeMs: 2 * HOUR } }
    const { told } = await runTape([...opening, end(START + 5 * HOUR)], { strategy: timeless, core })
    expect(told.quotes.slice(1)).toEqual([{ t: START + HOUR + 1 + 250, bidBps: 500, askBps: 500 }])
  })

  test('the same mid published anew brings the quote back', async () => {
    const core = { risk: { ...risk, maxMidAgeMs: 2 * HOUR } }
    const anew = rateRow(START + 3 * HOUR, MID, { rateUpdatedAt: START + 3 * HOUR })
    const { told } = await runTape(
      [...opening, anew, rateRow(START + 4 * HOUR, MID, { rateUpdatedAt: START + 3 * HOUR })],
      {
        strategy: timeless,
        core,
      },
    )
    expect(told.quotes.map(({ askBps }) => askBps)).toEqual([60, 500, 60])
    const back = (told.quotes[2]?.t ?? 0) - START - 3 * HOUR
    expect(back).toBeGreaterThan(0)
    expect(back).toBeLessThan(7_000)
  })

  test('volume of a day closes a side and rolls off it a day later, within the bucket and a timer', async () => {
    const core = { risk: { ...risk, maxVolumePerDayUsd: 1_000n * 10n ** 18n } }
    const rows = [
      ...opening,
      bringsUsdc(at(60), 'big', 1_001),
      bringsUsdc(at(120), 'too late', 10),
      end(START + 30 * HOUR),
    ]
    const { told } = await runTape(rows, { strategy: timeless, core })
    expect(told.fills.map(({ id }) => id)).toEqual(['big'])
    expect(told.quotes.map(({ askBps }) => askBps)).toEqual([60, null, 60])
    const open = (told.quotes[2]?.t ?? 0) - START
    expect(open).toBeGreaterThan(24 * HOUR + 60_000)
    expect(open).toBeLessThan(24 * HOUR + 60_000 + 5 * 60_000 + 16_000)
  })

  test('a burst of fills closes the side that it fills, and that lifts when the minute has passed', async () => {
    const core = { risk: { ...risk, maxFillsPerMinute: 3 } }
    const burst = [0, 1, 2, 3].map((index) => bringsUsdc(at(60 + index / 10), `f${index}`, 10))
    const { told } = await runTape([...opening, ...burst, end(START + HOUR)], { strategy: timeless, core })
    expect(told.quotes).toHaveLength(3)
    const [, closed, open] = told.quotes.map(({ t }) => (t - START) / 1_000)
    expect(closed).toBeGreaterThan(60)
    expect(closed).toBeLessThan(63)
    expect(open).toBeGreaterThan(120)
    expect(open).toBeLessThan(128)
  })
})

describe('a halt', () => {
  test('is latched to the end of the run and said in the warnings', async () => {
    const core = { risk: { ...risk, maxLossTzs: 1_000n * 10n ** 36n, onHalt: 'safe' as const } }
    // A stronger shilling is a loss on fifty thousand dollars; later all of it comes back.
    const loss = rateRow(at(60), MID - 20n * NTZS)
    const back = rateRow(at(600), MID)
    const { outcome, told } = await runTape(
      [...opening, loss, back, bringsUsdc(at(900), 'f1', 10), end(at(1_000))],
      { core },
    )
    expect(told.quotes.map(({ askBps }) => askBps)).toEqual([60, 500])
    expect(told.fills.map(({ bps }) => bps)).toEqual([500])
    expect(outcome.warnings).toHaveLength(1)
    expect(outcome.warnings[0]).toMatch(
      /^trading was halted at 2026-11-02T07:01:0\d\.\d+Z by the rule loss \(.+\) and stayed so$/,
    )
  })

  test('a strategy that throws leaves the safe quote, and the result says since when and why', async () => {
    const strategy = testStrategy(({ now }) => {
      if (now >= at(60)) throw new Error('division by nothing')
      return { bidBps: 60, askBps: 60, reasons: [] }
    })
    const rows = [
      ...opening,
      bringsUsdc(at(30), 'before', 100),
      bringsUsdc(at(90), 'after', 100),
      end(at(120)),
    ]
    const { outcome, told } = await runTape(rows, { strategy })
    expect(told.fills.map(({ id, bps }) => [id, bps])).toEqual([
      ['before', 60],
      ['after', 500],
    ])
    expect(outcome.warnings).toEqual([
      expect.stringMatching(
        /^the strategy was suspended at 2026-11-02T07:01:\d\d\.\d+Z \(.*division by nothing\): the safe quote/,
      ),
    ])
  })

  test('that deactivates takes the position out for good', async () => {
    const core = { risk: { ...risk, maxLossTzs: 1_000n * 10n ** 36n, onHalt: 'deactivate' as const } }
    const loss = rateRow(at(60), MID - 20n * NTZS)
    const { told } = await runTape(
      [...opening, loss, rateRow(at(600), MID), bringsUsdc(at(900), 'f1', 10), end(at(1_000))],
      { core },
    )
    expect(told.quotes.at(-1)).toMatchObject({ bidBps: null, askBps: null })
    expect(told.fills).toEqual([])
  })

  test('a run without one has no warnings', async () => {
    const { outcome } = await runTape([...opening, end(at(100))])
    expect(outcome.warnings).toEqual([])
  })
})

describe('what a tape lacks', () => {
  const run = async (rows: readonly TapeRow[], settings = {}) =>
    runBacktest(partsOf(sourceOf(rows), { settings }))
  const balances = balancesRow(START)

  test('rows: it is empty', async () => {
    expect(await run([])).toEqual({ ok: false, error: 'the tape is empty: nothing of it could be read' })
  })

  test('rates: nothing can be priced', async () => {
    const error = 'the tape has no rate rows: without a mid nothing can be priced'
    expect(await run([balances, bringsUsdc(at(1), 'f', 10)])).toEqual({ ok: false, error })
    expect(await run([bringsUsdc(at(1), 'f', 10)], { opening: { NTZS: 1n } })).toEqual({ ok: false, error })
  })

  test('balances: an opening is to be given, and with one it runs', async () => {
    const rows = [rateRow(START, MID), bringsUsdc(at(60), 'f', 10), end(at(100))]
    const error =
      "the tape has no balances rows: set what you hold in the configuration, such as backtest.opening: { NTZS: '12500000', USDC: '5000' }"
    expect(await run(rows)).toEqual({ ok: false, error })
    const given = await run(rows, { opening: { NTZS: 1_000_000n * NTZS } })
    expect(given).toMatchObject({
      ok: true,
      value: { from: START, opening: { NTZS: 1_000_000n * NTZS, USDC: 0n } },
    })
  })

  test('an opening that is given goes before the balances of the tape', async () => {
    const { outcome } = await runTape([...opening, end(at(100))], {
      settings: { opening: { USDT: 7n * USD } },
    })
    expect(outcome.opening).toEqual({ NTZS: 0n, USDC: 0n, USDT: 7n * USD, 'USDT.bnb': 0n })
  })

  test('fills before the start, and fills that are no swap of dollars and shillings, are counted and said', async () => {
    const rows = [
      bringsUsdc(START - 5, 'early', 10),
      bringsUsdc(START - 3, 'early too', 10),
      ...opening,
      fillRow(at(50), 'dollars for dollars', { from: 'USDC', to: 'USDT', amountIn: 5n }),
      bringsShillings(at(60), 'f', 25_680),
      end(at(100)),
    ]
    const { outcome } = await runTape(rows)
    expect(outcome.fills).toBe(1)
    expect(outcome.warnings).toEqual([
      '2 fills came before the first mid and balances of the tape and were skipped',
      '1 fills are not dollars against shillings and were skipped',
    ])
  })
})

describe('the two accounts of a run', () => {
  test('a unit that is in one and not in the other ends the run', async () => {
    const trail = {
      ...SILENT_TRAIL,
      end: (_t: number, book: { accounts: { pool: { USDC: bigint } } }) =>
        void (book.accounts.pool.USDC += 1n),
    }
    await expect(runTape([...opening, end(at(100))], { trail })).rejects.toThrow(
      /the core and the venue of a backtest disagree about USDC/,
    )
  })

  test('a unit that left the pool and was not booked ends the run', async () => {
    const pools: { USDC: bigint }[] = []
    const trail = {
      ...SILENT_TRAIL,
      open: (_t: number, pool: { USDC: bigint }) => void pools.push(pool),
      end: () => {
        for (const pool of pools) pool.USDC -= 1n
      },
    }
    await expect(runTape([...opening, end(at(100))], { trail })).rejects.toThrow(
      'what was paid from the pool is not what was booked: USDC',
    )
  })

  test('equal parts give equal digests; another quote, fill or opening gives another one', async () => {
    const rows = [...opening, bringsUsdc(at(60), 'f1', 10), rivalRow(at(70), 'ask', 40), end(at(100))]
    const digest = async (tape: readonly TapeRow[], trial = {}) => (await runTape(tape, trial)).outcome.digest
    const first = await digest(rows)
    expect(await digest(rows)).toBe(first)
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    const others = [
      await digest(rows, { strategy: testStrategy(() => both(61)) }),
      await digest([...opening, bringsUsdc(at(60), 'f2', 10), end(at(100))]),
      await digest(rows, { settings: { opening: { NTZS: 10n ** 26n } } }),
    ]
    expect(new Set([first, ...others]).size).toBe(4)
  })
})
