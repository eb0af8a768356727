import type { Drill } from '../model/drill.ts'
import { holdsSafeQuote, SAFE_QUOTE, tradeBothSides, whyNotPooled } from './safety.ts'
import { formatAmount } from '../../money/asset.ts'

const LEAK_BPS = 200

/** A part of what every fill brings never reaches the position, and no row of the venue shows it. */
export function leak(): Drill {
  return {
    name: 'leak',
    what: `${LEAK_BPS / 100} % of what each fill brings never reaches the position; only balances show it`,
    safeMeans: SAFE_QUOTE,
    whyNot: whyNotPooled,
    limitMs: ({ config }) => 60_000 + config.risk.unexplainedGraceMs + 2 * config.pacing.balancesIntervalMs,
    mustBeNoticed: true,
    strike: ({ stage }) => stage.market.inject({ faults: { leakBps: LEAK_BPS } }),
    goOn: tradeBothSides,
    isSafe: holdsSafeQuote,
    advise: () =>
      'lower risk.unexplainedGraceMs and pacing.balancesIntervalMs: the balances are what shows a leak',
  }
}

const SHARE = 5n

/** A fifth of the dollars leaves by a hand that is not ours. What left is not counted as the cost of the night. */
export function foreignWithdrawal(): Drill {
  return {
    name: 'foreign-withdrawal',
    what: 'a fifth of the dollars leaves the pool by a foreign hand; its sum is not counted as cost',
    safeMeans: SAFE_QUOTE,
    whyNot: whyNotPooled,
    limitMs: ({ config }) => 60_000 + config.risk.unexplainedGraceMs + 2 * config.pacing.balancesIntervalMs,
    mustBeNoticed: true,
    async strike({ stage: { market } }) {
      const { USDC, USDT } = market.holdings()
      const asset = USDC >= USDT ? 'USDC' : 'USDT'
      const amount = (asset === 'USDC' ? USDC : USDT) / SHARE
      await market.inject({ steal: { asset, amount: formatAmount(amount, asset), from: 'pool' } })
    },
    goOn: tradeBothSides,
    isSafe: holdsSafeQuote,
    advise: () =>
      'lower pacing.balancesIntervalMs: balances are what shows it; `chain:` sees the transfer itself',
  }
}
