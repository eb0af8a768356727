import { describe, expect, it } from 'vitest'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import type { Fill } from '../../../../../src/core/ledger/fills/fill.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { bringDollars, bringShillings, NTZS, USD } from '../../../../support/taker.ts'

const { risk, pacing } = coreConfig()
const RULE = { risk: { ...risk, maxFillPriceDeviationBps: 50 } }
const MINUTE = 60_000

/** In the market at 60 bps both ways, with the rule on. */
function desk(config: Partial<CoreConfig> = {}): Harness {
  const one = runCore(20_000, { config: { ...RULE, ...config } })
  expect(one.venue.isActive).toBe(true)
  return one
}

const haltedBy = (one: Harness) => one.state().latch.halted?.rule ?? null
const told = (one: Harness) => one.alerts('fill-price')

/** The venue executes a taker at so many bps worse for us than it quoted, and shows the row. */
function execute(one: Harness, side: 'bid' | 'ask', worseBps: number, change: Partial<Fill> = {}): void {
  const fill =
    side === 'ask' ? bringDollars(one.venue, 100n * USD) : bringShillings(one.venue, 100_000n * NTZS)
  const more = (fill.amountOut * BigInt(worseBps)) / 10_000n
  one.venue.amounts[fill.outAsset] -= more
  one.venue.fills.splice(one.venue.fills.indexOf(fill), 1, {
    ...fill,
    amountOut: fill.amountOut + more,
    ...change,
  })
}

describe('a fill worse for us than any quote of ours', () => {
  it.each(['bid', 'ask'] as const)(
    'by 60 bps on the %s halts with the first rate answer after it',
    (side) => {
      const one = desk()
      execute(one, side, 60)
      one.run(4_000)
      expect(haltedBy(one)).toBe('fill-price')
      expect(told(one)).toMatchObject([{ severity: 'critical' }])
      expect(one.state().approvedTarget).toMatchObject({ kind: 'deactivate' })
    },
  )

  it.each(['bid', 'ask'] as const)('by 40 bps on the %s does not halt', (side) => {
    const one = desk()
    execute(one, side, 40)
    one.run(4_000)
    expect(haltedBy(one)).toBeNull()
  })

  it('at the mid from before a reload that turned the rule on does not halt', () => {
    const one = runCore(20_000)
    one.give({ type: 'reloaded', t: one.now, config: coreConfig(RULE) })
    for (const name of ['pause', 'resume'] as const) {
      one.order({ name })
      one.run(20_000)
    }
    const before = one.venue.mid
    one.venue.mid = (before * 10_100n) / 10_000n
    one.run(20_000)
    const after = one.venue.mid
    one.venue.mid = before
    execute(one, 'bid', 0)
    one.venue.mid = after
    one.run(10_000)
    expect(one.state().quoting.confirmed?.bidBps).toBe(60)
    expect(one.state().config.risk.maxFillPriceDeviationBps).toBe(50)
    expect(haltedBy(one)).toBeNull()
  })

  it('by 1,100 bps halts at once, with no rate answer at all', () => {
    const one = desk()
    one.venue.answers.readRate = () => 'silence'
    one.venue.answers.readBestQuote = () => 'silence'
    execute(one, 'ask', 1_100)
    one.run(2_100)
    expect(haltedBy(one)).toBe('fill-price')
  })

  it('by a fee that the row adds on top of the payout halts: what left us is what counts', () => {
    const one = desk()
    const fee = (100n * USD * 2_500n * 70n) / 10_000n
    execute(one, 'ask', 0, { fee })
    one.venue.amounts.NTZS -= fee
    one.run(4_000)
    expect(haltedBy(one)).toBe('fill-price')
  })

  it('halts a minute later where the venue names no mid any longer', () => {
    const one = desk()
    const { quotable, rateUpdatedAt } = one.venue
    one.venue.answers.readRate = () => ({
      type: 'rate',
      mid: null,
      problem: 'it is zero',
      rateUpdatedAt,
      quotable,
      venueTime: one.now,
    })
    execute(one, 'ask', 200)
    one.run(40_000)
    expect(haltedBy(one)).toBeNull()
    one.run(40_000)
    expect(haltedBy(one)).toBe('fill-price')
  })

  it('halts in the market of a tighter spread that someone else has set, and that we never agreed to', () => {
    const one = desk({ pacing: { ...pacing, quoteCheckIntervalMs: 3_600_000 } })
    execute(one, 'ask', 0)
    one.venue.held = { ...one.venue.held, askBps: 10 }
    one.run(6 * MINUTE)
    expect(haltedBy(one)).toBeNull()
    // 60 bps were agreed to, 10 stand: 50 bps less, and a fee of 10 that the taker does not pay.
    execute(one, 'ask', 10)
    one.run(4_000)
    expect(haltedBy(one)).toBe('fill-price')
  })
})

describe('a fill that something we know explains', () => {
  it('at a fixing that shows in the fill before the rate is polled does not halt', () => {
    const one = desk()
    one.run(5_000)
    one.venue.mid = (one.venue.mid * 10_130n) / 10_000n
    one.venue.rateUpdatedAt = one.now
    one.venue.answers.readBestQuote = () => 'silence'
    const polled = one.effects.filter(({ type }) => type === 'readRate').length
    execute(one, 'ask', 0)
    one.run(30_000)
    expect(one.effects.filter(({ type }) => type === 'readRate').length).toBeGreaterThan(polled)
    expect(one.state().flow.count.ask).toBe(1)
    expect(haltedBy(one)).toBeNull()
  })

  it('at the quote that stood until four minutes ago does not halt, and at that of six minutes ago does', () => {
    for (const [minutes, rule] of [
      [4, null],
      [7, 'fill-price'],
    ] as const) {
      const one = desk()
      one.order({ name: 'pause' })
      one.run(minutes * MINUTE)
      expect(one.venue.held.askBps).toBe(500)
      const stood = one.venue.held
      one.venue.held = { ...stood, askBps: 60 }
      execute(one, 'ask', 0)
      one.venue.held = stood
      one.run(4_000)
      expect(haltedBy(one)).toBe(rule)
    }
  })

  it('at a PATCH whose outcome no one knows does not halt', () => {
    const one = desk()
    one.order({ name: 'pause' })
    one.run(20 * MINUTE)
    one.venue.answers.setQuote = (effect) => {
      if (effect.type === 'setQuote') one.venue.held = effect.spread
      return 'silence'
    }
    one.order({ name: 'resume' })
    one.run(1_000)
    expect(one.venue.held.askBps).toBe(60)
    execute(one, 'ask', 0)
    one.run(3_000)
    expect(one.state().flow.count.ask).toBe(1)
    expect(haltedBy(one)).toBeNull()
  })

  it('with a date of long ago is not explained by a mid of long ago', () => {
    const one = desk()
    const before = one.venue.mid
    const longAgo = one.now
    one.venue.mid = (before * 9_880n) / 10_000n
    one.venue.rateUpdatedAt = one.now
    one.run(30 * MINUTE)
    const now = one.venue.mid
    one.venue.mid = before
    execute(one, 'ask', 0, { createdAt: longAgo })
    one.venue.mid = now
    one.run(4_000)
    expect(haltedBy(one)).toBe('fill-price')
  })

  it("in a dry run, in a journal without the setting, or with null is no one's business", () => {
    const configs: Partial<CoreConfig>[] = [
      { mode: 'dry-run' },
      { risk },
      { risk: { ...risk, maxFillPriceDeviationBps: null } },
    ]
    for (const config of configs) {
      const one = runCore(20_000, { config: { ...RULE, ...config }, venue: { isActive: true } })
      execute(one, 'ask', 2_000)
      one.run(10_000)
      expect(one.state().flow.count.ask).toBe(1)
      expect(haltedBy(one)).not.toBe('fill-price')
    }
  })
})

describe('what a person and a restart do', () => {
  it('resume settles the fill: it halts no more, and the next one like it halts again', () => {
    const one = desk()
    execute(one, 'ask', 200)
    one.run(30_000)
    expect(haltedBy(one)).toBe('fill-price')
    one.order({ name: 'resume' })
    one.run(30_000)
    expect(haltedBy(one)).toBeNull()
    execute(one, 'ask', 200)
    one.run(30_000)
    expect(haltedBy(one)).toBe('fill-price')
  })

  it('a restart keeps the halt, and the quotes and mids that later fills are judged by', () => {
    const one = desk()
    one.restart()
    one.run(30_000)
    execute(one, 'ask', 200)
    one.run(4_000)
    expect(haltedBy(one)).toBe('fill-price')
    one.restart()
    one.run(30_000)
    expect(haltedBy(one)).toBe('fill-price')
  })

  it('a fill of the hours when nothing polled is a warning where it is off by less than 1,000 bps, else a halt', () => {
    for (const [bps, rule] of [
      [200, null],
      [1_200, 'fill-price'],
    ] as const) {
      const one = desk()
      one.now += 60 * MINUTE
      execute(one, 'ask', bps, { createdAt: one.now - 30 * MINUTE })
      one.restart()
      one.run(10_000)
      expect(haltedBy(one)).toBe(rule)
      expect(told(one)).toMatchObject([{ severity: rule === null ? 'warning' : 'critical' }])
    }
  })

  it('with the rate in trouble the fill waits, and a hundred of them hold no more than twenty in memory', () => {
    const one = desk()
    one.venue.answers.readRate = () => failureOf('server', { outcome: 'failed' })
    for (let i = 0; i < 100; i++) execute(one, 'ask', 100)
    one.run(4_000)
    expect(one.state().prices?.suspects.length).toBe(20)
  })
})
