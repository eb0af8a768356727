import { describe, expect, it } from 'vitest'
import { bestQuoteAnswer } from '../../../support/answers.ts'
import { coreConfig } from '../../../support/core-config.ts'
import { coreHarness, type Harness } from '../../../support/core-harness.ts'
import { bringDollars, bringShillings, NTZS, USD, USDC } from '../../../support/taker.ts'
import { TOKEN_UNIT } from '../../../../src/base/money/asset.ts'

type Words = { key?: number; public?: number; configured?: number }

/** A desk whose sources name these protocol fees, and a venue that debits another one beyond what the rows name. */
function desk(words: Words = {}): Harness {
  const { fees, risk } = coreConfig()
  const config = {
    fees: { ...fees, protocolFeeBps: words.configured ?? 10 },
    risk: { ...risk, onHalt: 'safe' },
  } as const
  const one = coreHarness({ config })
  name(one, words)
  // The quote that was read at the start named the venue's own figure.
  one.restart()
  one.run(80_000)
  return one
}

function name(one: Harness, words: Words): void {
  one.venue.answers.readQuote = (effect) => ({
    type: 'quoteRead',
    side: effect.type === 'readQuote' ? effect.side : 'bid',
    spreadBps: one.venue.held.bidBps,
    mid: one.venue.mid,
    protocolFeeBps: words.key ?? 10,
    formula: 'divide',
  })
  one.venue.answers.readBestQuote = (effect) =>
    bestQuoteAnswer({
      side: effect.type === 'readBestQuote' ? effect.side : 'bid',
      probe: 100n * USDC,
      mid: one.venue.mid,
      protocolFeeBps: words.public ?? 10,
    })
}

/** A fill a second on either side in turn; the position is debited `takenBps` of the payout before the fee. */
function trade(one: Harness, seconds: number, takenBps: number): void {
  for (let n = 0; n < seconds; n += 1) {
    const fill = n % 2 === 0 ? bringDollars(one.venue, 30n * USD) : bringShillings(one.venue, 75_000n * NTZS)
    const gross = fill.amountOut + (fill.fee ?? 0n)
    // The row names 10 bps, to the unit.
    const unit = TOKEN_UNIT[fill.outAsset]
    if (takenBps !== 10)
      one.venue.amounts[fill.outAsset] -=
        ((gross * BigInt(takenBps)) / (10_000n * unit)) * unit - (fill.fee ?? 0n)
    one.run(1_000)
  }
}

const alerts = (one: Harness) =>
  one.observations.flatMap((seen) =>
    seen.type === 'alert' && seen.code === 'fee-changed' ? [seen.message] : [],
  )
const gaps = (one: Harness) =>
  one.observations.filter((seen) => seen.type === 'reconciliationChanged' && seen.state === 'break')

describe('the protocol fee', () => {
  it.each([
    ['the public rate', { public: 20 }],
    ["the key's quote", { key: 20 }],
    ['the configuration', { configured: 20 }],
  ])('of 20 bps that only %s names is taken from the balances, and told with both numbers', (_, words) => {
    const one = desk(words)
    trade(one, 120, 20)
    one.run(30_000)
    expect(gaps(one)).toEqual([])
    expect(one.state().latch.halted).toBeNull()
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
    expect(alerts(one)).toContainEqual(expect.stringMatching(/fee of 20 bps instead of .*\(\d+ bps\)/))
  })

  it.each([
    ['500 bps', 500],
    ['nothing', 0],
    ['20 bps', 20],
  ])('that one source wrongly names as %s never un-reconciles the books', (_, wrong) => {
    for (const words of [{ key: wrong }, { public: wrong }, { configured: wrong }]) {
      const one = desk(words)
      trade(one, 60, 10)
      one.run(30_000)
      expect(gaps(one)).toEqual([])
      expect(one.state().reconciliation.state).toBe('reconciled')
      expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
    }
  })

  it('that goes back to what the rows name is followed back', () => {
    const one = desk({ public: 20 })
    trade(one, 60, 20)
    one.run(30_000)
    trade(one, 60, 10)
    one.run(30_000)
    expect(one.state().reconciliation).toMatchObject({ state: 'reconciled', fees: { rate: null } })
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
    expect(alerts(one)).toHaveLength(2)
  })

  it('of 20 bps where all name 10 is a break under steady flow, named as a rate, and halted within 90 s', () => {
    const one = desk()
    trade(one, 92, 20)
    expect(one.state().latch.halted).toMatchObject({ rule: 'unexplained-balance' })
    expect(gaps(one)).toMatchObject([{ why: expect.stringMatching(/fee of (19\.9\d*|20(\.0\d*)?) bps/) }])
  })

  it('of 20 bps that the operator then names reconciles the books by itself', () => {
    const one = desk()
    trade(one, 92, 20)
    const { config } = one.state()
    const named = { ...config, fees: { ...config.fees, protocolFeeBps: 20 } }
    one.give({ type: 'reloaded', t: one.now, config: named })
    one.run(60_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
  })

  it('of a tenth that the venue names and takes is a break, not a fee', () => {
    const one = desk({ key: 1_000, public: 1_000 })
    trade(one, 92, 1_000)
    expect(one.state().latch.halted).not.toBeNull()
  })

  it('a changed fee of a source raises an alert with both rates', () => {
    const one = desk()
    name(one, { public: 20 })
    one.run(10_000)
    expect(alerts(one)).toEqual([expect.stringMatching(/20 bps .* 10 bps/)])
  })
})
