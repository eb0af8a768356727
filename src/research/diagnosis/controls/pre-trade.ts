import { formatBand } from '../../../base/money/rate.ts'
import { ageText } from '../../../base/text/times.ts'
import { type ListedControl, listed, ofBps, ofFleetUsd, ofTzs, ofUsd, RULES } from './control.ts'

const SIGNER = 'test/unit/custody/signing/policy/signing-guard.test.ts'

/** Controls before a quote or an order is sent. */
export const PRE_TRADE: readonly ListedControl[] = [
  {
    name: 'price collar of every quote and order',
    rules: ['RTS 6 15(1)(a)', '15c3-5(c)(1)(ii)'],
    value: ({ core: { risk } }) =>
      risk.priceCorridor ? `${formatBand(risk.priceCorridor)} TZS per USD` : null,
    test: [
      'test/e2e/accept-mid.test.ts',
      'a mid outside the corridor closes the losing side within seconds, and no one can accept it',
    ],
    drills: ['mid-lies'],
  },
  {
    name: 'hard block that no one at the desk can override',
    rules: ['ESMA briefing of February 2026', '15c3-5(c)(1)(ii)'],
    value: ({ core: { risk } }) =>
      risk.priceCorridor ? 'the price corridor: a change needs a restart' : null,
    test: [
      'test/isolated/daemon/runtime/worker/reloader.test.ts',
      'the price corridor changes by restart only: a reload that moves it is refused whole',
    ],
    drills: ['mid-lies'],
  },
  {
    name: 'override of a price control: one value, named in full by a person',
    rules: ['RTS 6 15(6)'],
    value: () => 'mizani resume --accept-mid MID: that mid alone, within the corridor',
    test: [
      'test/e2e/accept-mid.test.ts',
      'only the value that waits is adopted by resume --accept-mid; another one is refused with both mids',
    ],
    drills: ['mid-lies'],
  },
  {
    name: 'price collar over a period',
    rules: ['RTS 6 15(1)(a)', '15c3-5(c)(1)(ii)'],
    value: ({ core: { risk } }) =>
      listed({
        'a step of': ofBps(risk.maxMidStepBps),
        'an hour of': ofBps(risk.maxMidMoveBpsPerHour),
        'a day of': ofBps(risk.maxMidMoveBpsPerDay),
      }),
    test: [
      RULES,
      'a mid that stepped up closes the ask, which would lose shillings, and one that stepped down the bid',
    ],
    drills: ['mid-lies'],
  },
  {
    name: 'age of the price',
    rules: ['RTS 6 15(1)(a)'],
    value: ({ core: { risk } }) => (risk.maxMidAgeMs === null ? null : ageText(risk.maxMidAgeMs)),
    test: [RULES, 'a mid older than the limit requires the safe quote, and one at the limit does not'],
    drills: ['feed-frozen'],
  },
  {
    name: 'maximum value of an order',
    rules: ['RTS 6 15(1)(b)', '15c3-5(c)(1)(ii)'],
    // With pooled capital a taker may take the whole position: only the deployed amount limits a fill.
    besideSecrets: true,
    value: ({ core, rfq }) => (core.rfq === null ? null : ofUsd(rfq?.limits.maxOrderUsd)),
    test: [
      'test/unit/custody/signing/policy/check-order.test.ts',
      'a rule that comes first names the code where several refuse',
    ],
  },
  {
    name: 'maximum volume of a day',
    rules: ['RTS 6 15(1)(c)', '15c3-5(c)(1)(i)'],
    value: ({ core: { risk } }) => ofUsd(risk.maxVolumePerDayUsd),
    test: [RULES, 'a side that traded more than the volume of a day is closed, and the other one is not'],
    drills: ['double-peak', 'one-sided-rush'],
  },
  {
    name: 'maximum number of messages',
    rules: ['RTS 6 15(1)(d)'],
    value: ({ core: { pacing } }) => `${pacing.requestsPerMinute} requests a minute`,
    test: [
      'test/unit/core/engine/fills.test.ts',
      'never sends more than the venue allows the key, whatever was sent before it',
    ],
    drills: ['double-peak'],
  },
  {
    name: 'exposure of orders that were entered',
    rules: ['RTS 6 15(2)', '15c3-5(c)(1)(i)'],
    besideSecrets: true,
    value: ({ rfq }) =>
      rfq === null
        ? null
        : listed({
            outstanding: ofUsd(rfq.limits.maxOutstandingUsd),
            'signed in an hour': ofUsd(rfq.limits.maxAtRiskUsdPerHour),
            'signed in a day': ofUsd(rfq.limits.maxAtRiskUsdPerDay),
          }),
    test: [SIGNER, 'takers that fill at once take no more within an hour than rfq.maxAtRiskUsdPerHour'],
  },
  {
    name: 'throttle: off after so many executions until a person resumes',
    rules: ['RTS 6 15(3)'],
    value: ({ core: { risk } }) =>
      risk.reviewAfter === null
        ? null
        : listed({
            fills: risk.reviewAfter.fills,
            'fills of one side': risk.reviewAfter.sameSideFills,
            traded: ofUsd(risk.reviewAfter.usd),
          }),
    test: [
      'test/unit/core/engine/safeguards/review.test.ts',
      'by the third fill quotes the safe quote until a person resumes, through a restart too',
    ],
    drills: ['one-sided-rush'],
  },
  {
    name: 'repeated executions',
    rules: ['RTS 6 15(3)'],
    value: ({ core: { risk } }) =>
      risk.maxFillsPerMinute === null ? null : `${risk.maxFillsPerMinute} fills a minute`,
    test: [RULES, 'too many fills in a minute leave only the side that reduces the inventory imbalance'],
    drills: ['one-sided-rush', 'double-peak'],
  },
  {
    name: 'the same order twice',
    rules: ['15c3-5(c)(1)(ii)'],
    value: ({ core }) => (core.rfq === null ? null : 'no salt is signed twice'),
    test: [SIGNER, 'after a restart the signer’s file restores salt, live orders, solver and stop'],
    drills: ['zombie-write'],
  },
  {
    name: 'restricted instruments',
    rules: ['15c3-5(c)(2)(ii)'],
    value: ({ core: { quote } }) => (quote.pairs === null ? null : `only ${quote.pairs.join(', ')}`),
    test: ['test/unit/core/engine/quote/quote-pairs.test.ts', 'is what every PATCH sends'],
  },
  {
    name: 'smaller limits in the first hours of a deployment',
    rules: ['RTS 6 8'],
    value: () => null,
    test: null,
  },
  {
    name: 'inventory limits',
    rules: ['RTS 6 15(4)', '15c3-5(c)(1)(i)'],
    value: ({ core: { inventory } }) => {
      const tokens = Object.keys(inventory.limits)
      return tokens.length === 0 ? null : `of ${tokens.join(', ')}`
    },
    test: [RULES, 'an inventory limit binds when it is reached, not only when it is passed'],
    drills: ['one-sided-rush'],
  },
  {
    name: 'loss and drawdown thresholds',
    rules: ['RTS 6 15(4)', '15c3-5(c)(1)(i)'],
    value: ({ core: { risk } }) =>
      listed({ loss: ofTzs(risk.maxLossTzs), drawdown: ofTzs(risk.maxDrawdownTzs) }),
    test: [RULES, 'a loss over the limit halts; a loss at the limit does not'],
    drills: ['mid-lies', 'leak'],
  },
  {
    name: 'limits over all positions of the fleet',
    rules: ['RTS 6 15(4)', 'RTS 6 15(5)', '15c3-5(c)(1)(i)'],
    value: ({ sources: { fleetLimits } }) =>
      fleetLimits === null
        ? 'the position is not in a fleet'
        : listed({
            loss: ofFleetUsd(fleetLimits.maxLossUsd),
            outstanding: ofFleetUsd(fleetLimits.maxOutstandingUsd),
            deployed: ofFleetUsd(fleetLimits.maxDeployedUsd),
          }),
    test: [
      'test/isolated/daemon/runtime/fleet/watch-limits.test.ts',
      'a loss above the limit halts every live position once, with limit and sum, and no dry run',
    ],
  },
  {
    name: 'code that may run',
    rules: ['RTS 6 5(7)', 'RTS 6 11'],
    value: ({ allowedCode }) =>
      allowedCode === null ? null : `${allowedCode.length} digests in strategy.allow`,
    test: [
      'test/isolated/daemon/config/strategy/load-strategy.test.ts',
      'refuses code that is not listed before any of it runs, and names its digest',
    ],
  },
]
