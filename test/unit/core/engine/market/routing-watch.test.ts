import { expect, test } from 'vitest'
import type { PublicRateConfig } from '../../../../../src/core/engine/model/config.ts'
import type { BestQuoteEvent } from '../../../../../src/core/engine/model/event.ts'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'

const UNFILLED = { bidBps: 120, askBps: 150 }
const OWN_BPS = 60

type Picked = { bps: number | null; lowLiquidity?: boolean; both?: BestQuoteEvent['picked'] }

const MEASURED: PublicRateConfig = { quoteStable: 'USDC', unfilled: UNFILLED }

/** A desk that quotes 60 bps on both sides of USDC and USDT, whose venue answers every probe with `picked`. */
function desk(picked: Picked, amounts = plenty(), publicRate = MEASURED) {
  return coreHarness({
    config: { publicRate },
    venue: {
      amounts,
      answers: {
        readBestQuote(effect) {
          if (effect.type !== 'readBestQuote') return 'silence'
          const { side, probe, stable = 'USDC' } = effect
          const { bps, lowLiquidity = false, both } = picked
          const base = {
            type: 'bestQuote',
            side,
            probe,
            stable,
            mid: 2_500n * RATE_ONE,
            protocolFeeBps: 20,
          } as const
          return { ...base, bestBps: bps, lowLiquidity, ...(both === undefined ? {} : { picked: both }) }
        },
      },
    },
  })
}

function plenty() {
  return {
    ...zeroAmounts(),
    NTZS: 125_000_000n * RATE_ONE,
    USDC: 50_000n * 10n ** 18n,
    USDT: 50_000n * 10n ** 18n,
  }
}

const alerts = ({ observations }: Harness) =>
  observations.filter(
    (seen) => seen.type === 'alert' && seen.code === 'not-routed' && seen.severity === 'warning',
  )

test('a confirmed quote that covers the probe and is passed over for a wider one is reported once, with both spreads, and again after it was picked', () => {
  const picked: Picked = { bps: OWN_BPS + 6 }
  const harness = desk(picked)
  harness.run(60_000)
  expect(alerts(harness)).toEqual([])
  harness.run(20 * 60_000)
  expect(alerts(harness)).toHaveLength(1)
  expect(alerts(harness)[0]).toMatchObject({ message: expect.stringMatching(/100 USDC .* 66 bps .* 60 bps/) })
  picked.bps = OWN_BPS
  harness.run(60_000)
  expect(harness.state().market.unrouted).toEqual({})
  picked.bps = OWN_BPS + 6
  harness.run(5 * 60_000)
  expect(alerts(harness)).toHaveLength(2)
})

test.each<[string, Picked]>([
  ['we are picked', { bps: OWN_BPS }],
  ['the provider is wider by no more than the rotation', { bps: OWN_BPS + 5 }],
  ['a better provider is picked', { bps: 40 }],
  ['no provider is picked', { bps: null }],
])('no alert is raised while %s', (_, picked) => {
  const harness = desk(picked)
  harness.run(10 * 60_000)
  expect(alerts(harness)).toEqual([])
})

test('the 120/150 of a venue without providers is no rival and no evidence, and 120/150 of a provider is', () => {
  const harness = desk({ bps: 150, lowLiquidity: true, both: UNFILLED })
  harness.run(10 * 60_000)
  expect(alerts(harness)).toEqual([])
  expect(harness.state().market.competition).toEqual({ bid: null, ask: null })
  const real = desk({ bps: 150, both: UNFILLED })
  real.run(10 * 60_000)
  expect(alerts(real)).toHaveLength(1)
  expect(real.state().market.competition.ask).toMatchObject({ bps: 150 })
})

test('venue.unfilledQuote: null counts the 120/150 of low liquidity as a provider', () => {
  const harness = desk({ bps: 150, lowLiquidity: true, both: UNFILLED }, plenty(), {
    ...MEASURED,
    unfilled: null,
  })
  harness.run(2 * 60_000)
  expect(harness.state().market.competition.ask).toMatchObject({ bps: 150 })
})

test('no alert is raised on the side whose inventory does not cover the probe', () => {
  // 99 USDC and no USDT: probes of 100 dollars of shillings cannot be paid out.
  const harness = desk({ bps: 90 }, { ...plenty(), USDC: 99n * 10n ** 18n, USDT: 0n })
  harness.run(10 * 60_000)
  expect(Object.keys(harness.state().market.unrouted ?? {}).toSorted()).toEqual(['USDC ask', 'USDT ask'])
  expect(alerts(harness)).toHaveLength(1)
})

test('no alert is raised while the quote is not confirmed', () => {
  const harness = desk({ bps: 90 })
  harness.venue.answers.setQuote = () => 'silence'
  harness.venue.answers.readQuote = () => 'silence'
  harness.run(10 * 60_000)
  expect(alerts(harness)).toEqual([])
})
