import { boundCost, shorter } from '../model/advice.ts'
import type { Drill } from '../drill.ts'
import { isOutOfMarket, OUT_OF_MARKET, tradeBothSides, whyNotAtAll } from './safety.ts'

const LEAK_BPS = 200

/** A part of what every fill brings never reaches the position, and no row of the venue shows it. */
export function leak(): Drill {
  return {
    name: 'leak',
    what: `${LEAK_BPS / 100} % of what each fill brings never reaches the position; only balances show it`,
    safeMeans: OUT_OF_MARKET,
    whyNot: whyNotAtAll,
    mustBeNoticed: true,
    strike: ({ stage }) => stage.market.leak(LEAK_BPS),
    goOn: tradeBothSides,
    isSafe: isOutOfMarket,
    advise: adviseBalances,
  }
}

const SHARE = 5n

/** A fifth of the dollars leaves by a hand that is not ours. What left is not counted as the cost of the night. */
export function foreignWithdrawal(): Drill {
  return {
    name: 'foreign-withdrawal',
    what: 'a fifth of the dollars leaves the pool, or the wallet of signed orders, by a foreign hand; its sum is not counted as cost',
    safeMeans: OUT_OF_MARKET,
    whyNot: whyNotAtAll,
    mustBeNoticed: true,
    async strike({ stage: { market } }) {
      const { USDC, USDT } = market.holdings()
      const asset = USDC >= USDT ? 'USDC' : 'USDT'
      await market.steal(asset, (asset === 'USDC' ? USDC : USDT) / SHARE)
    },
    goOn: tradeBothSides,
    isSafe: isOutOfMarket,
    advise: adviseBalances,
  }
}

/** Only balances show that something is missing: how often they are read, and for how long a difference is looked into. */
const adviseBalances: Drill['advise'] = (position, failure) =>
  failure.kind === 'cost'
    ? boundCost(position, failure)
    : {
        settings: [
          shorter(position, failure, 'risk.unexplainedGraceMs', 30_000),
          shorter(position, failure, 'pacing.balancesIntervalMs', 15_000),
        ],
        why: 'shows a difference of the balances sooner, and ends sooner the time for which it is looked into',
      }
